"""Public classes describe all of their arguments, also those that they inherit."""

from __future__ import annotations

import inspect
from inspect import Parameter
from typing import Any, ClassVar

import pytest

from symtheano import nn
from symtheano.nn.documentation import document_inherited_parameters, parameters

# Made by others: layers make values, and the module of warnings its own.
NOT_MADE_BY_USERS = {"Value", "TrainingWarning"}
CLASSES = sorted(
    name for name in dir(nn) if inspect.isclass(getattr(nn, name)) and name not in NOT_MADE_BY_USERS
)


METRICS = sorted(name for name in nn.metrics.__all__ if inspect.isclass(getattr(nn.metrics, name)))
OPTIMIZERS = sorted({kind.__name__ for kind in nn.optimizers.OPTIMIZERS.values()})
LOSSES = sorted({loss.__name__ for loss in nn.losses.LOSSES.values()})
UPDATES = nn.updates.__all__
FUNCTIONS = sorted(
    name
    for name, item in vars(nn.functions).items()
    if inspect.isfunction(item) and item.__module__ == nn.functions.__name__ and name in dir(nn)
)


def undescribed(item: Any, others: tuple[Any, ...] = (Parameter.VAR_KEYWORD,)) -> set[str]:
    """Return the names of arguments that a docstring does not describe."""
    described = {item for names, _ in parameters(inspect.getdoc(item) or "") for item in names}
    taken = {
        one.name
        for one in inspect.signature(item).parameters.values()
        if one.kind not in (Parameter.VAR_POSITIONAL, *others)
    }
    return taken - described


@pytest.mark.parametrize("name", CLASSES)
def test_every_argument_is_described(name: str) -> None:
    assert undescribed(getattr(nn, name)) == set()


@pytest.mark.parametrize("name", METRICS)
def test_metrics_describe_inherited_arguments(name: str) -> None:
    assert undescribed(getattr(nn.metrics, name)) == set()


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_describe_their_options(name: str) -> None:
    assert undescribed(getattr(nn.optimizers, name), ()) == set()


@pytest.mark.parametrize("name", LOSSES)
def test_losses_describe_every_argument(name: str) -> None:
    assert undescribed(getattr(nn.losses, name)) == set()


@pytest.mark.parametrize("name", UPDATES)
def test_updates_describe_every_argument(name: str) -> None:
    assert undescribed(getattr(nn.updates, name)) == set()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_describe_every_argument(name: str) -> None:
    assert undescribed(getattr(nn.functions, name), ()) == set()


class Base:
    """A base.

    Parameters
    ----------
    first, second
        Two numbers.

        The second one may be missing.
    third
        A number.

    Examples
    --------
    >>> 1
    1
    """


def test_a_section_is_made_before_the_others() -> None:
    class Plain(Base):
        """A class.

        Raises
        ------
        ValueError
            Always.
        """

        third: ClassVar[int] = 3

    document_inherited_parameters(Plain)
    assert Plain.__doc__ == (
        "A class.\n\nParameters\n----------\nfirst, second\n    Two numbers.\n\n"
        "    The second one may be missing.\n\nRaises\n------\nValueError\n    Always."
    )


@pytest.mark.parametrize("name", ["LSTM", "Conv2DTranspose", "Classifier", "AdamW"])
def test_arguments_are_listed_in_the_order_of_the_signature(name: str) -> None:
    kind = getattr(nn, name)
    described = [names[0] for names, _ in parameters(inspect.getdoc(kind) or "")]
    order = list(inspect.signature(kind).parameters)
    assert described == sorted(described, key=order.index)


def test_what_a_class_describes_itself_stays_first() -> None:
    class Own(Base):
        """A class.

        Parameters
        ----------
        second
            Another meaning.

        Notes
        -----
        A note.
        """

    document_inherited_parameters(Own)
    assert parameters(Own.__doc__ or "") == [
        (["second"], "    Another meaning.\n"),
        (["first"], "    Two numbers.\n\n    The second one may be missing.\n"),
        (["third"], "    A number.\n\n"),
    ]
    assert (Own.__doc__ or "").endswith("    A number.\n\nNotes\n-----\nA note.")


def test_without_documentation_nothing_is_added() -> None:
    class Silent(Base):
        pass

    document_inherited_parameters(Silent)
    assert Silent.__doc__ is None

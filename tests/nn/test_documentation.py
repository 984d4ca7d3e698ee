"""Public classes describe all of their arguments, also those that they inherit."""

from __future__ import annotations

import inspect
from inspect import Parameter
from typing import ClassVar

import pytest

from symtheano import nn
from symtheano.nn.documentation import document_inherited_parameters, parameters

# Made by others: layers make values, and the module of warnings its own.
NOT_MADE_BY_USERS = {"Value", "TrainingWarning"}
CLASSES = sorted(
    name for name in dir(nn) if inspect.isclass(getattr(nn, name)) and name not in NOT_MADE_BY_USERS
)


@pytest.mark.parametrize("name", CLASSES)
def test_every_argument_is_described(name: str) -> None:
    kind = getattr(nn, name)
    described = {item for names, _ in parameters(inspect.getdoc(kind) or "") for item in names}
    taken = {
        item.name
        for item in inspect.signature(kind).parameters.values()
        if item.kind not in (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
    }
    assert taken - described == set()


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

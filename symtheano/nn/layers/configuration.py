"""Layers as data: their names, their arguments, and what files say of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, ClassVar, TypeVar

import numpy as np

from symtheano.nn import activations, constraints, initializers, regularizers
from symtheano.nn.configuration import tuples
from symtheano.nn.lookup import look_up, snake_case

Self = TypeVar("Self", bound="Configured")

LAYERS: dict[str, Any] = {}
"""The classes of layers by their names."""

NAMED: dict[str, Callable[[Any], Any]] = {
    "activation": activations.get,
    "initializer": initializers.get,
    "regularizer": regularizers.get,
    "constraint": constraints.get,
}
"""What finds objects by name, for the arguments whose names end so."""


@dataclass(eq=False, repr=False)
class Configured:
    """Base class of layers: a name, and arguments that are fields of a dataclass.

    Parameters
    ----------
    name
        The name. By default, the name of the class in snake case.
    trainable
        Whether training changes the parameters.
    """

    name: str = field(default="", kw_only=True)
    trainable: bool = field(default=True, kw_only=True)

    # The arguments that are positive integers, or None.
    counts: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Keep ``__repr__``, which the decorator of dataclasses would replace."""
        super().__init_subclass__()
        if "__repr__" not in vars(cls):
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def __post_init__(self) -> None:
        if not isinstance(self.name, str):
            raise TypeError(f"{type(self).__name__}: the name must be a string, not {self.name!r}")
        self.name = self.name or snake_case(type(self).__name__)
        for name in self.counts:
            count = getattr(self, name)
            if not isinstance(count, int | np.integer | None) or (count is not None and count < 1):
                raise self.error(f"{name} must be a positive integer, not {count!r}")
            setattr(self, name, count if count is None else int(count))
        if type(self).__module__.startswith("symtheano."):
            self._check_names()

    def _check_names(self) -> None:
        """Raise an error for an activation, an initializer and the like that does not exist."""
        for item in fields(self):
            kind, value = item.name.rpartition("_")[2], getattr(self, item.name)
            if kind in NAMED and value is not None:
                try:
                    NAMED[kind](value)
                except (ValueError, TypeError) as error:
                    text = f"{type(self).__name__} '{self.name}': {item.name}: {error}"
                    raise type(error)(text) from None

    def __repr__(self) -> str:
        """Return the class and the arguments that have not their default values."""
        shown = [f"{item.name}={getattr(self, item.name)!r}" for item in self._changed_fields()]
        return f"{type(self).__name__}({', '.join(shown)})"

    def _changed_fields(self) -> list[Any]:
        """Return the fields that have not their default values; positional arguments first."""
        changed = [
            item for item in fields(self)
            if item.default is MISSING or not same(getattr(self, item.name), item.default)
        ]  # fmt: skip
        named = self.name != snake_case(type(self).__name__)
        return sorted(
            (item for item in changed if item.name != "name" or named),
            key=lambda item: item.kw_only,
        )

    def argument(self, name: str) -> str:
        """Return an argument of the layer as errors name it.

        Examples
        --------
        >>> Configured(name="first").argument("units")
        "Configured 'first': units"
        """
        return f"{type(self).__name__} '{self.name}': {name}"

    def error(self, text: str) -> ValueError:
        """Return a ``ValueError`` whose message begins with the class and the name of the layer."""
        return ValueError(f"{type(self).__name__} '{self.name}': {text}")

    def config(self) -> dict[str, Any]:
        """Return the class and the arguments of the layer as data for JSON.

        Arguments that have their default values are left out.

        Raises
        ------
        TypeError
            If an argument cannot be written as JSON, such as a function.
        """
        described = {"class": type(self).__name__}
        owner = next(kind for kind in type(self).__mro__ if "__init__" in vars(kind))
        if "__dataclass_fields__" not in vars(owner):
            raise TypeError(
                f"{type(self).__name__} cannot be saved, because it has its own __init__; make it "
                "a dataclass, or define config() and from_config()"
            )
        for item in fields(self):
            value = getattr(self, item.name)
            if item.default is MISSING or not same(value, item.default):
                described[item.name] = self._data(item.name, value)
        return described

    @classmethod
    def from_config(cls: type[Self], config: Mapping[str, Any]) -> Self:
        """Return a new layer from the result of :meth:`config`, without parameters."""
        makers = {
            "initializer": initializers,
            "regularizer": regularizers,
            "constraint": constraints,
        }
        values = {}
        for name, value in config.items():
            if name != "class":
                maker = makers.get(name.rpartition("_")[2])
                if not isinstance(value, Mapping):
                    values[name] = tuples(value)
                else:
                    values[name] = maker.from_config(value) if maker else layer_from(value)
        return cls(**values)

    def _data(self, name: str, value: Any) -> Any:
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, list | tuple):
            return [self._data(name, item) for item in value]
        if hasattr(value, "config"):
            return value.config()
        if isinstance(value, np.ndarray | np.generic):
            return value.tolist()
        if activation := activations.name_of(value):
            return activation
        raise TypeError(
            f"{type(self).__name__} '{self.name}' cannot be saved: {name} is {value!r}, which is "
            "not JSON data; use a name, or write your own layer"
        )


def same(one: Any, other: Any) -> bool:
    """Return whether two arguments are equal. Arrays are equal to nothing.

    Examples
    --------
    >>> same(1, 1.0), same(np.ones(2), None), same(None, None)
    (True, False, True)
    """
    return not isinstance(one, np.ndarray) and bool(one == other)


def layer_from(config: Mapping[str, Any]) -> Any:
    """Return a new layer from the result of a layer's ``config``, without parameters."""
    kind = config["class"]
    if not isinstance(kind, str):
        raise TypeError(f"the class of a layer must be a name, not {kind!r}")
    kind = look_up("layer", kind, {name: name for name in LAYERS})
    return LAYERS[kind].from_config(config)

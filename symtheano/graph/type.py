"""Type: the kind of values of a variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex

from symtheano.errors import describe_value, format_error
from symtheano.graph.claims import Value
from symtheano.graph.fields import can_be_made_from, fields, make_type
from symtheano.graph.origin import current_origin
from symtheano.graph.variable import Variable


def checked_name(name: object) -> str | None:
    """Return a variable's name, which must be a string or None.

    Raises
    ------
    TypeError
        If it is anything else, such as a shape or a value.
    """
    if name is None or isinstance(name, str):
        return name
    raise TypeError(
        format_error(
            f"the name of a variable must be a string, got {describe_value(name)}",
            places=[current_origin()],
            hint="give a shape by keyword (shape=...), values to constant(), shared() or in a call",
        )
    )


class Type:
    """The set of values of a variable, and the conversion of Python values to them.

    Subclasses are compared by value and define ``filter``.
    """

    __slots__ = ()

    def make_variable(self, name: str | None = None) -> Variable:
        """Return a new variable of this type without an owner."""
        return Variable(self, name=name)

    def __call__(self, name: str | None = None) -> Any:
        """Return a new variable of this type: the short form of :meth:`make_variable`."""
        return self.make_variable(checked_name(name))

    def filter(
        self, value: Value, strict: bool = False, allow_downcast: bool | None = None
    ) -> Value:
        """Return ``value`` as a value of this type, or raise ``TypeError``."""
        raise NotImplementedError(f"{type(self).__name__} does not define filter")

    def is_valid_value(self, value: object) -> bool:
        """Return whether ``value`` is one of this type's values without conversion."""
        try:
            self.filter(value, strict=True)
        except (TypeError, ValueError):
            return False
        return True

    def accepts(self, other: Type) -> bool:
        """Return whether every value of the type ``other`` is a value of this type."""
        return self == other

    def keep_required(self, variable: Variable, others: Sequence[Variable]) -> Variable | None:
        """Return a variable of this type, and require what the nodes of ``others`` require.

        None if variables of this type cannot do so.
        """
        return None

    def __reduce_ex__(self, protocol: SupportsIndex) -> str | tuple[object, ...]:
        """Reconstruct a type from its constructor's arguments, if these are its only state.

        A cached hash must not be pickled, because hashes of strings differ between processes.
        """
        values = fields(self) if type(self).__reduce__ is object.__reduce__ else None
        if values is None or not can_be_made_from(type(self), frozenset(values)):
            return super().__reduce_ex__(protocol)
        return make_type, (type(self), values)


class Generic(Type):
    """The type of arbitrary objects, which only Python ops can use."""

    def filter(
        self, value: Value, strict: bool = False, allow_downcast: bool | None = None
    ) -> Value:
        """Return ``value`` unchanged."""
        return value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Generic)

    def __hash__(self) -> int:
        return hash(Generic)

    def __repr__(self) -> str:
        return "Generic"


generic = Generic()


class DisconnectedType(Type):
    """The type of the gradient along a path that does not exist."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DisconnectedType)

    def __hash__(self) -> int:
        return hash(DisconnectedType)

    def __repr__(self) -> str:
        return "DisconnectedType"


class NullType(Type):
    """The type of a gradient that is undefined or not implemented; ``why`` is the reason."""

    def __init__(self, why: str = "") -> None:
        self.why = why

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NullType)

    def __hash__(self) -> int:
        return hash(NullType)

    def __repr__(self) -> str:
        return f"NullType({self.why})"

"""Requirement: a condition that is checked in a call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar, cast

from symtheano.dataclass import dataclass, replace
from symtheano.errors import BoundsError, ShapeError
from symtheano.formats import Message
from symtheano.graph.variable import Dim, Variable

D = TypeVar("D", bound=Dim)


@dataclass(frozen=True)
class Requirement:
    """A condition that must be true in a call for a node's result to be valid.

    Attributes
    ----------
    condition
        A 0-d bool variable, or a bool if it is known.
    values
        Integers for the message: ints or 0-d int64 variables, at most 24.
    message
        Function that returns the message for the values.
    code
        Kind of error: ``shape``, ``index`` or ``value``.
    equal
        The two lengths, if the condition is that they are equal.
    error
        The exception, if it is not the default one of the code.
    """

    condition: bool | Variable
    values: tuple[Dim, ...]
    message: Message
    code: str = "shape"
    equal: tuple[Dim, Dim] | None = None
    error: type[Exception] | None = None

    @property
    def needed(self) -> list[Variable]:
        """The variables that are needed to check it."""
        return [item for item in (self.condition, *self.values) if isinstance(item, Variable)]

    @property
    def variables(self) -> list[Variable]:
        """All its variables: those of :attr:`needed`, and the lengths of :attr:`equal`."""
        lengths = self.equal or ()
        return [*self.needed, *(item for item in lengths if isinstance(item, Variable))]

    def replaced(self, new: Mapping[Variable, Variable]) -> Requirement:
        """Return it with other variables."""

        def swap(item: D) -> D | Variable:
            return new.get(item, item) if isinstance(item, Variable) else item

        equal = (swap(self.equal[0]), swap(self.equal[1])) if self.equal is not None else None
        values = tuple(map(swap, self.values))
        return replace(self, condition=swap(self.condition), values=values, equal=equal)

    def exception(self, values: Sequence[int]) -> Exception:
        """Return the error for a call in which :attr:`values` are these."""
        kind = self.error or {"shape": ShapeError, "index": BoundsError}.get(self.code, ValueError)
        return kind(self.message(values))

    def enforce(self) -> None:
        """Raise the error if the condition, of known values, does not hold."""
        if not self.condition:
            raise self.exception([int(cast("int", value)) for value in self.values])

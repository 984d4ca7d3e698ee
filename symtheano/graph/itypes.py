"""The interface of types that variables and ops use, and the types that a user's op declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from symtheano.errors import format_error
from symtheano.graph.origin import current_origin

V = TypeVar("V", covariant=True)


class Kind(Protocol[V]):
    """A :class:`~symtheano.graph.type.Type`, which has variables of the class ``V``."""

    def make_variable(self, name: str | None = None) -> V:
        """Return a variable without an owner."""

    def accepts(self, other: Any) -> bool:
        """Return whether every value of the type ``other`` is a value of this type."""


def check_itypes(op: str, itypes: Sequence[Kind[object]], inputs: Sequence[Any]) -> None:
    """Raise an error for inputs that do not have the types in ``itypes``."""
    if len(itypes) != len(inputs):
        raise ValueError(
            format_error(
                f"{op} takes {len(itypes)} inputs, got {len(inputs)}", places=[current_origin()]
            )
        )
    if not all(kind.accepts(item.type) for kind, item in zip(itypes, inputs, strict=True)):
        raise TypeError(
            format_error(
                f"{op}: the inputs do not have the types in itypes",
                operands=[
                    (item.describe(), f"{item.type}, wanted {kind}")
                    for item, kind in zip(inputs, itypes, strict=True)
                ],
                places=[current_origin()],
                hint="cast the inputs, or declare other itypes",
            )
        )

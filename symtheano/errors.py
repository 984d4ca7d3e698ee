"""The exceptions users meet, and the one formatter that writes their messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol


class SymtheanoError(Exception):
    """Root of the errors that are this package's own, not NumPy's or Python's."""


class MissingInputError(SymtheanoError):
    """A computation needs a variable that was neither given as input nor computed."""


class UnusedInputError(SymtheanoError):
    """An input of a function takes no part in its outputs or updates."""


class DisconnectedInputError(ValueError):
    """A gradient was asked for with respect to a variable the cost does not depend on."""


class NullTypeGradError(TypeError):
    """A gradient is mathematically undefined, or its op does not implement it."""


class ShapeError(ValueError):
    """Operands whose shapes do not fit together."""


class BoundsError(IndexError):
    """An index outside the axis it selects from."""


class NoCompilerError(RuntimeError):
    """No C compiler was found on this machine."""


class CompileError(RuntimeError):
    """The C compiler refused a generated file: always a defect of this package."""


class RewriteError(RuntimeError):
    """A rewrite rule broke its contract, or a phase did not come to rest."""


class HasPlace(Protocol):
    """Anything that can tell where the user wrote it."""

    def describe(self) -> str:
        """Return ``file:line`` and the source line, ready to print."""


def format_error(
    what: str,
    *,
    operands: Sequence[tuple[str, str]] = (),
    places: Iterable[HasPlace | None] = (),
    hint: str | None = None,
) -> str:
    """Lay out one error message: what, the user's lines, the operands, what to do.

    Parameters
    ----------
    what
        One sentence that names the op and the trouble.
    operands
        Pairs of (name, description), such as ``("x", "float64, shape (3, 4)")``.
    places
        Origins of the nodes concerned; ``None`` and repetitions are left out.
    hint
        What the user can do.

    Examples
    --------
    >>> print(
    ...     format_error(
    ...         "add: shapes differ",
    ...         operands=[("x", "(3,)"), ("y", "(4,)")],
    ...         hint="make them equal",
    ...     )
    ... )
    add: shapes differ
      x: (3,)
      y: (4,)
      hint: make them equal
    """
    lines = [what]
    seen: set[str] = set()
    for place in places:
        text = place.describe() if place is not None else ""
        if text and text not in seen:
            seen.add(text)
            lines.append(f"  at {text}")
    width = max((len(name) for name, _ in operands), default=0)
    lines.extend(f"  {name + ':':<{width + 1}} {text}" for name, text in operands)
    if hint:
        lines.append(f"  hint: {hint}")
    return "\n".join(lines)

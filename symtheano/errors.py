"""The exceptions users meet, and the one formatter that writes their messages.

Names and bases are Theano's where it has such a class, so that ``except`` clauses of old programs
catch what they caught.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from reprlib import Repr
from typing import Any, Protocol


class SymtheanoError(Exception):
    """Root of the errors that are this package's own, not NumPy's or Python's."""


# -- building and compiling ------------------------------------------------------------------------


class MissingInputError(SymtheanoError):
    """A computation needs a variable that was neither given as input nor computed."""


class UnusedInputError(SymtheanoError):
    """An input of a function takes no part in its outputs or updates."""


class InconsistencyError(SymtheanoError):
    """A graph that can't be computed. Theano's name: kept for programs that catch it."""


class AsTensorError(TypeError):
    """A Python value that can't become a symbolic array."""


class NotScalarConstantError(SymtheanoError):
    """A number was asked for where the graph holds no constant."""


class EmptyConstantError(NotScalarConstantError):
    """A number was asked for where the graph holds an array without elements."""


class MissingTestValueError(SymtheanoError, ValueError, AttributeError):
    """A test value is needed (``config.compute_test_value``) and a variable has none."""


# -- gradients -------------------------------------------------------------------------------------


class DisconnectedInputError(ValueError):
    """A gradient was asked for with respect to a variable the cost does not depend on."""


class NullTypeGradError(TypeError):
    """A gradient is mathematically undefined, or its op does not implement it."""


class GradientError(AssertionError):
    """A gradient that finite differences do not confirm."""


# -- values ----------------------------------------------------------------------------------------


class ShapeError(ValueError):
    """Operands whose shapes do not fit together."""


class BoundsError(IndexError):
    """An index outside the axis it selects from."""


class MisfitError(TypeError):
    """A value that a type does not take.

    Attributes
    ----------
    what, hint
        Why it does not, and what to do about it (or None).

    Examples
    --------
    >>> raise MisfitError("int8 can't take 300", hint="use int16")
    Traceback (most recent call last):
    symtheano.errors.MisfitError: int8 can't take 300
      hint: use int16
    """

    def __init__(self, what: str, hint: str | None = None) -> None:
        super().__init__(what, hint)
        self.what, self.hint = what, hint

    def __str__(self) -> str:
        return format_error(self.what, hint=self.hint)


# -- the machine and the package itself ------------------------------------------------------------


class NoCompilerError(RuntimeError):
    """No C compiler was found on this machine."""


class CompileError(RuntimeError):
    """The C compiler refused a generated file: always a defect of this package."""


class RewriteError(RuntimeError):
    """A rewrite rule broke its contract, or a phase did not come to rest."""


# -- messages --------------------------------------------------------------------------------------


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


def format_misfit(
    whose: str,
    error: Exception,
    value: object,
    *,
    wanted: tuple[str, str],
    places: Iterable[HasPlace | None] = (),
) -> str:
    """Lay out the message for a value that the type of an input or variable does not take.

    Parameters
    ----------
    whose
        Whose value it was to be.
    error
        What the type said, most often a :class:`MisfitError`.
    value
        What was given.
    wanted
        Name and type of the input or variable.
    places
        Origins of the function and the variable.

    Examples
    --------
    >>> error = MisfitError("it is 1-d")
    >>> print(format_misfit("input x", error, 3, wanted=("x", "vector")))
    input x: it is 1-d
      x:     vector
      given: int 3
    """
    what, hint = (error.what, error.hint) if isinstance(error, MisfitError) else (str(error), None)
    operands = [wanted, ("given", describe_value(value))]
    return format_error(f"{whose}: {what}", operands=operands, places=places, hint=hint)


_SHORT = Repr()
_SHORT.maxstring = _SHORT.maxother = 60


def describe_value(value: object) -> str:
    """Return a value as messages show it: an array's dtype and shape, or type and short text.

    Examples
    --------
    >>> describe_value([1.0, 2.0]), describe_value("abc")
    ('list [1.0, 2.0]', "str 'abc'")
    """
    dtype: Any = getattr(value, "dtype", None)
    shape: Any = getattr(value, "shape", None)
    kind = type(value).__name__
    if isinstance(shape, tuple) and dtype is not None:
        return f"{kind} of {dtype}, shape {shape}" if shape else f"{dtype} {value}"
    return f"{kind} {' '.join(_SHORT.repr(value).splitlines())}"

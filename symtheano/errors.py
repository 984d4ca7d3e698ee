"""Exceptions, and the formatter for their messages.

If Theano has an exception, its name and base classes are the same here, so that ``except`` clauses
of existing programs work.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from reprlib import Repr
from typing import Any, Protocol

import numpy as np


class SymtheanoError(Exception):
    """Base class of symtheano's own exceptions."""


# -- building and compiling ------------------------------------------------------------------------


class MissingInputError(SymtheanoError):
    """A computation needs a variable that is neither an input nor computed."""


class UnusedInputError(SymtheanoError):
    """An input of a function is not used by its outputs or updates."""


class DuplicateInputError(UnusedInputError, ValueError):
    """A variable is an input twice. Theano raises :class:`UnusedInputError` in this case."""


class InconsistencyError(SymtheanoError):
    """A graph that can't be computed; for Theano programs that catch this exception."""


class AsTensorError(TypeError):
    """A Python value that can't be converted to a symbolic array."""


class NotScalarConstantError(SymtheanoError):
    """A constant was requested, but the expression is not constant."""


class EmptyConstantError(NotScalarConstantError):
    """A scalar constant was requested, but the constant has no elements."""


class DeviceError(SymtheanoError, RuntimeError):
    """A device that is not there, or that has failed."""


class DistributedError(SymtheanoError, RuntimeError):
    """An operation on all ranks that can't be done: they do not do the same, or MPI has failed."""


class MissingTestValueError(SymtheanoError, ValueError, AttributeError):
    """A variable has no test value, although ``config.compute_test_value`` requires one."""


# -- gradients -------------------------------------------------------------------------------------


class DisconnectedInputError(ValueError):
    """A gradient was requested with respect to a variable on which the cost does not depend."""


class NullTypeGradError(TypeError):
    """A gradient is undefined, or not implemented by its op."""


class GradientError(AssertionError):
    """A gradient that disagrees with finite differences."""


# -- values ----------------------------------------------------------------------------------------


class ShapeError(ValueError):
    """Operands whose shapes do not match."""


class DeclaredShapeError(ShapeError, AssertionError):
    """An array whose shape is not the one declared by ``specify_shape``."""


class SquareError(ShapeError, np.linalg.LinAlgError):
    """A matrix that must be square but is not."""


class ArgumentError(ValueError, TypeError):
    """An unsupported number of dimensions or dtype. Theano raises one or the other of its bases."""


class AxisError(ValueError, IndexError):
    """An axis that an array does not have. Theano and NumPy raise one or the other of its bases."""


class UnknownLengthError(ValueError, TypeError):
    """A length that must be known while the graph is built. Theano raises one of its two bases."""


class BoundsError(IndexError, ValueError):
    """An index or label that is outside its axis. Theano raises one or the other of its bases."""


def told_in_iteration(message: str, loop: str, iteration: int) -> str:
    """Return a message with the iteration of a loop in which an error occurred.

    Examples
    --------
    >>> print(told_in_iteration("indexing: 7 is outside axis 0", "Scan{rows}", 2))
    indexing: 7 is outside axis 0
      in iteration 2 of Scan{rows}, counted from 0
    """
    return f"{message}\n  in iteration {iteration} of {loop}, counted from 0"


def tell_iteration(error: BaseException, loop: str, iteration: int) -> None:
    """Add the iteration of a loop to an error.

    Messages of this package are extended. Other exceptions get a note, which Python shows from
    version 3.11 on.
    """
    match error.args:
        case (str(message),) if "\n  at " in message:
            error.args = (told_in_iteration(message, loop, iteration),)
        case _:
            text = told_in_iteration("", loop, iteration).strip()
            error.__notes__ = [*getattr(error, "__notes__", ()), text]


class NotFiniteError(SymtheanoError, AssertionError):
    """A NaN, an infinity or a very large number that ``NanGuardMode`` has detected.

    Attributes
    ----------
    node
        The node that computed the number; None if the number was passed to the function.
    variable
        The variable that has this value.
    kind
        ``nan``, ``inf`` or ``big``.
    """

    def __init__(self, message: str, node: Any = None, variable: Any = None, kind: str = "nan"):
        super().__init__(message)
        self.node, self.variable, self.kind = node, variable, kind

    def __str__(self) -> str:
        return str(self.args[0])


class MisfitError(TypeError):
    """A value that a type does not accept.

    Attributes
    ----------
    what, hint
        The reason, and what to do about it (or None).

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


class MapError(RuntimeError):
    """Raised if the call for a chunk of a map fails; the cause is the error of the call.

    Attributes
    ----------
    start, stop
        The rows of the chunk.
    """

    def __init__(self, message: str, start: int = 0, stop: int = 0) -> None:
        super().__init__(message, start, stop)
        self.start, self.stop = start, stop

    def __str__(self) -> str:
        return str(self.args[0])


class ReadError(RuntimeError):
    """Raised if data can't be read from a file or a store; the cause is the error, if any."""


class NoCompilerError(RuntimeError):
    """No C compiler was found on this machine."""


class CompileError(RuntimeError):
    """The C compiler rejected a generated file, which is always a defect of symtheano."""


class RewriteError(RuntimeError):
    """A rewrite rule violated its contract, or a phase did not terminate."""


@contextmanager
def memory_for(what: str) -> Iterator[None]:
    """Add to memory errors what the memory was needed for.

    The memory errors of Python have no message, and its locks raise ``RuntimeError`` instead.

    Examples
    --------
    >>> with memory_for("load"):
    ...     raise RuntimeError("can't allocate read lock")
    Traceback (most recent call last):
    ...
    MemoryError: load: there is not enough memory
    """
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        text = str(error)
        if text.startswith("can't allocate") or (isinstance(error, MemoryError) and not text):
            raise MemoryError(f"{what}: there is not enough memory") from error
        raise


# -- messages --------------------------------------------------------------------------------------


class HasPlace(Protocol):
    """An object with a place in the user's program."""

    def describe(self) -> str:
        """Return ``file:line`` and the source line, ready to print."""


def format_error(
    what: str,
    *,
    operands: Sequence[tuple[str, str]] = (),
    places: Iterable[HasPlace | None] = (),
    hint: str | None = None,
) -> str:
    """Format an error message: the problem, the user's lines, the operands, a hint.

    Parameters
    ----------
    what
        One sentence that names the op and the problem.
    operands
        Pairs of (name, description), such as ``("x", "float64, shape (3, 4)")``.
    places
        Origins of the nodes concerned; ``None`` and duplicates are omitted.
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
    names = [printable_name(name) for name, _ in operands]
    width = max(map(len, names), default=0)
    lines.extend(
        f"  {name + ':':<{width + 1}} {text}"
        for name, (_, text) in zip(names, operands, strict=True)
    )
    if hint:
        lines.append(f"  hint: {hint}")
    return printable("\n".join(lines))


# Control characters, format characters (which reverse text or hide it), lone surrogates, which no
# stream can encode, and separators of lines and paragraphs.
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def printable(text: str) -> str:
    r"""Escape control characters and invisible characters.

    A terminal, an editor or a browser would interpret or hide them. Names and paths from files may
    contain any characters, so all printers and messages call this function last. Line feeds and
    tabs are kept.

    Examples
    --------
    >>> print(printable("caf" + chr(0xE9)), printable("red" + chr(27) + "[31m" + chr(0x202E)))
    café red\x1b[31m\u202e
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in "\n\t" else _shown(c) for c in text)


def printable_name(name: object) -> str:
    r"""Escape a name, including line feeds, so that it can't start a new line.

    Examples
    --------
    >>> print(printable_name("x" + chr(10) + "y"))
    x\ny
    """
    text = str(name)
    if text.isprintable():
        return text
    return printable(text).replace("\n", r"\n").replace("\t", r"\t")


def _shown(character: str) -> str:
    from unicodedata import category

    if category(character) not in _UNPRINTABLE:
        return character
    return character.encode("unicode_escape").decode("ascii")


def format_misfit(
    whose: str,
    error: Exception,
    value: object,
    *,
    wanted: tuple[str, str],
    places: Iterable[HasPlace | None] = (),
) -> str:
    """Format the message for a value that the type of an input or variable does not accept.

    Parameters
    ----------
    whose
        What the value is needed for.
    error
        The exception that the type raised, usually a :class:`MisfitError`.
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
    """Describe a value for messages: an array's dtype and shape, or its type and short text.

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

"""NanGuardMode: finds the first node that computes a NaN, an infinity or a very large number.

The node that *computes* such a number is reported. Infinite constants, as in masks, and nodes that
only copy such numbers are not errors.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from symtheano.compile.numbers import is_numeric, summarize
from symtheano.errors import NotFiniteError, format_error
from symtheano.function.modes import Mode
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.interpret import interpret, perform
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.messages import label, op_name

BIG = 1e10
"""Numbers with a larger absolute value are big."""

_KINDS = {"nan": "a NaN", "inf": "an infinity", "big": "a number beyond 1e10"}


def contains_nan(arr: Any, node: Apply | None = None, var: Any = None) -> bool:
    """Return whether an array contains NaN; False for other objects.

    Parameters
    ----------
    arr
        The array.
    node, var
        Accepted for compatibility with Theano.

    Examples
    --------
    >>> contains_nan(np.array([1.0, np.nan])), contains_nan(np.array([1.0, np.inf]))
    (True, False)
    """
    return _holds("nan", arr)


def contains_inf(arr: Any, node: Apply | None = None, var: Any = None) -> bool:
    """Return whether an array contains an infinity; False for other objects.

    Parameters
    ----------
    arr
        The array.
    node, var
        Accepted for compatibility with Theano.

    Examples
    --------
    >>> contains_inf(np.array([1.0, np.nan])), contains_inf(np.array([1.0, -np.inf]))
    (False, True)
    """
    return _holds("inf", arr)


def _marks(kind: str, array: Any) -> Any:
    """Return where an array of floats contains numbers of a kind."""
    if kind == "nan":
        return np.isnan(array)
    if kind == "inf":
        return np.isinf(array)
    with np.errstate(all="ignore"):
        return np.isfinite(array) & (np.abs(array) > BIG)


def _holds(kind: str, value: Any) -> bool:
    return is_numeric(value) and bool(_marks(kind, value).any())


@dataclass(frozen=True, init=False)
class NanGuardMode(Mode):
    """Raise an error at the first node that computes a NaN, an infinity, or a big number.

    The message names the node, its line in the program, and its operands. Functions run with NumPy,
    node by node, after the usual rewriting. A call that fails changes no shared variable.

    Parameters
    ----------
    nan_is_error, inf_is_error, big_is_error
        The kinds of numbers to detect. Big numbers are larger than 1e10.
    optimizer, linker, included, excluded
        As for :class:`Mode`; the linker is accepted and ignored. ``optimizer=None`` runs the graph
        as it was written.

    Raises
    ------
    NotFiniteError
        In a call. As in Theano, it is an ``AssertionError``. It has the attributes ``node`` (None
        if an input of the function contains such a number), ``variable`` and ``kind``.

    Examples
    --------
    >>> from symtheano import function
    >>> x = T.vector("x")
    >>> f = function([x], T.log(x).sum(), mode=NanGuardMode())
    >>> f([1.0, -2.0])
    Traceback (most recent call last):
    symtheano.errors.NotFiniteError: log computed a NaN
    ...
    """

    nan_is_error: bool
    inf_is_error: bool
    big_is_error: bool

    def __init__(
        self,
        nan_is_error: bool | None = None,
        inf_is_error: bool | None = None,
        big_is_error: bool | None = None,
        optimizer: str | None = "fast_run",
        linker: str | None = None,
        included: Iterable[str] = (),
        excluded: Iterable[str] = (),
    ) -> None:
        super().__init__("interpret", optimizer, included, excluded)
        flags = {"nan": nan_is_error, "inf": inf_is_error, "big": big_is_error}
        for kind, wanted in flags.items():
            object.__setattr__(self, f"{kind}_is_error", wanted is None or bool(wanted))

    @property
    def kinds(self) -> list[str]:
        """The kinds to detect, of ``nan``, ``inf`` and ``big``."""
        return [kind for kind in _KINDS if getattr(self, f"{kind}_is_error")]

    def run(self, stages: Any, values: Sequence[Any]) -> list[Any]:
        """Return the results, or raise the error of the first node that computes such a number."""
        guard = _Guard(self.kinds)
        inputs = stages.graph.inputs[: len(stages.inputs)]
        for variable, value in zip(inputs, values, strict=False):
            guard.check_input(variable, value)
        return interpret(stages.graph, values, guard.perform)


class _Guard:
    """Checks the values of one call."""

    def __init__(self, kinds: Sequence[str]) -> None:
        self._kinds = kinds

    def check_input(self, variable: Any, value: Any) -> None:
        """Check a value that is passed to the function."""
        for kind in self._kinds:
            if _is_watched(variable) and _holds(kind, value):
                what = "the shared variable" if hasattr(variable, "container") else "the input"
                raise NotFiniteError(
                    format_error(
                        f"{what} {variable.describe()} holds {_KINDS[kind]}",
                        operands=[(variable.describe(), summarize(value))],
                        places=[variable.origin],
                        hint="the function did not compute it: check where the value comes from",
                    ),
                    None,
                    variable,
                    kind,
                )

    def perform(self, node: Apply, values: list[Any]) -> list[Any]:
        """Run a node, and check its results."""
        results = perform(node, values)
        for output, result in zip(node.outputs, results, strict=True):
            for kind in self._kinds:
                if _is_watched(output) and _holds(kind, result):
                    marks = _made_here(kind, node, result, values)
                    if marks.any():
                        raise _error(node, output, result, values, kind, marks)
        return results


def _made_here(kind: str, node: Apply, result: Any, values: Sequence[Any]) -> Any:
    """Return where a result contains numbers of a kind that its operands do not contain.

    Such numbers in operands were accepted before, or are constants. If an op is not elementwise,
    one in an operand explains all in the result.
    """
    marks = np.asarray(_marks(kind, np.asarray(result)))
    for value in values:
        if not _holds(kind, value):
            continue
        if not isinstance(node.op, Elemwise):
            return np.zeros_like(marks)
        marks = marks & ~_marks(kind, np.asarray(value))
    return marks


def _is_watched(variable: Any) -> bool:
    """Return whether a variable's values are checked, according to ``tag.nan_guard_mode_check``."""
    return getattr(variable.tag, "nan_guard_mode_check", True) is not False


def _error(
    node: Apply, output: Variable, result: Any, values: Sequence[Any], kind: str, marks: Any
) -> NotFiniteError:
    array = np.asarray(result)
    operands = [
        (label(item), summarize(value))
        for item, value in zip(node.inputs, values, strict=True)
        if not (isinstance(item, Constant) and np.ndim(value) == 0)
    ]
    operands.append(("result", summarize(result)))
    if array.ndim:
        at = tuple(int(k) for k in np.argwhere(marks)[0])
        operands.append((f"at {list(at)}", f"{_at(node, values, at)}{array[at].item()!r}"))
    return NotFiniteError(
        format_error(
            f"{op_name(node.op)} computed {_KINDS[kind]}",
            operands=operands,
            places=[node.origin, *(item.origin for item in node.inputs)],
        ),
        node,
        output,
        kind,
    )


def _at(node: Apply, values: Sequence[Any], at: tuple[int, ...]) -> str:
    """Return the operands of one element, if the op is elementwise."""
    if not isinstance(node.op, Elemwise):
        return ""
    shown = []
    for item, value in zip(node.inputs, values, strict=True):
        array = np.asarray(value)
        index = tuple(0 if n == 1 else k for n, k in zip(array.shape, at, strict=True))
        shown.append(f"{label(item)} = {array[index].item()!r}")
    return f"{', '.join(shown)} gives "

"""Kinds of operands that an op takes, in a short notation: the op's ``takes``.

Each operand is a word: a letter for its dtype, then its number of dimensions, ``*`` for any number
or ``1+`` for one or more. ``?`` after the last word means that it may be left out, ``...`` that
there may be any number of such operands. ``sparse`` is a sparse matrix.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from symtheano.graph.op import Op
from symtheano.graph.variable import Variable

_DTYPES: dict[str, Callable[[str], bool]] = {
    "*": lambda dtype: True,
    "b": lambda dtype: dtype == "bool",
    "f": lambda dtype: dtype.startswith("float"),
    "i": lambda dtype: dtype.startswith(("int", "uint")),
    "j": lambda dtype: dtype in ("int32", "int64"),
    "l": lambda dtype: dtype == "int64",
    "r": lambda dtype: not dtype.startswith("complex"),
}
"""The dtypes of each letter: ``i`` is any integer, ``r`` anything but complex numbers."""


class _Kind(NamedTuple):
    word: str
    dtype: Callable[[str], bool]
    least: int
    most: int

    def has(self, operand: Variable) -> bool:
        if self.word == "sparse":
            return hasattr(operand.type, "format")
        ndim, dtype = getattr(operand.type, "ndim", None), getattr(operand.type, "dtype", "")
        if ndim is None or hasattr(operand.type, "format"):
            return False
        return self.least <= ndim <= self.most and self.dtype(dtype)


@cache
def _kinds(takes: str) -> tuple[tuple[_Kind, ...], int, int]:
    """Return the kinds of operands, and how many operands there are at least and at most."""
    kinds = []
    words = takes.split()
    for word in words:
        bare = word.removesuffix("...").removesuffix("?")
        ndim = bare[1:]
        most = 64 if ndim == "*" or ndim.endswith("+") else 0
        least = 0 if ndim == "*" or bare == "sparse" else int(ndim.removesuffix("+"))
        dtype = _DTYPES.get(bare[0], _DTYPES["*"])
        kinds.append(_Kind(bare, dtype, least, max(least, most)))
    count = len(kinds)
    if words[-1].endswith("..."):
        return tuple(kinds), count - 1, 1 << 30
    return tuple(kinds), count - words[-1].endswith("?"), count


def check_operands(op: Op, operands: Sequence[Variable]) -> None:
    """Check the operands of an op against its ``takes``.

    Raises
    ------
    TypeError
        If there are too few or too many, or one is of another kind.

    Examples
    --------
    >>> from symtheano.tensor.sorting.ordering import ArgTop
    >>> check_operands(ArgTop(), [T.vector("x"), T.lscalar("k")])
    >>> check_operands(ArgTop(), [T.vector("x"), T.vector("k")])
    Traceback (most recent call last):
    TypeError: ArgTop: operand 1 has type TensorType(float64, vector); it takes: *1+ l0
    """
    if not op.takes:
        return
    kinds, least, most = _kinds(op.takes)
    if not least <= len(operands) <= most:
        raise TypeError(f"{op} has {len(operands)} operands; it takes: {op.takes}")
    for number, operand in enumerate(operands):
        if not kinds[min(number, len(kinds) - 1)].has(operand):
            raise TypeError(f"{op}: operand {number} has type {operand.type}; it takes: {op.takes}")

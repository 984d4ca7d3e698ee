"""A row of the conformance table: an expression, its arguments, and its reference."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse

import symtheano
import symtheano.gradient
import symtheano.printing
import symtheano.sparse
import symtheano.tensor as T
from symtheano import dtypes
from symtheano.tensor.type import TensorType
from tests.conformance.draws import Draw, number
from tests.conformance.plain import NAMES
from tests.support.compare import TOLERANCE

KINDS = {
    "b": dtypes.BOOL,
    "i": dtypes.SIGNED,
    "u": dtypes.UNSIGNED,
    "f": dtypes.FLOAT,
    "h": ("float16",),
    "F": ("float32", "float64"),
    "D": ("float64",),
    "l": ("int64",),
    "c": dtypes.COMPLEX,
}
"""Letters for groups of dtypes."""
FEW = "bD"
"""Dtypes of rows that move elements as another row does, which runs with every dtype."""

MODULES = {
    "T": T,
    "sparse": symtheano.sparse,
    "gradient": symtheano.gradient,
    "printing": symtheano.printing,
    "symtheano": symtheano,
}
"""The package's modules under the names that a row's text has for them."""


def dtypes_of(letters: str) -> tuple[str, ...]:
    """Return the dtypes of letters."""
    return tuple(dtype for letter in letters for dtype in KINDS[letter])


@dataclass(frozen=True)
class Arg:
    """An argument: names of the lengths of its axes, its dtype and values.

    Parameters
    ----------
    dims
        For each axis a name, whose length varies from call to call, or a number, which is static.
    dtype
        A dtype, or None for the dtype that varies from run to run.
    draw
        Draws values.
    edges
        Whether the values may contain NaN and infinities.
    """

    dims: str = ""
    dtype: str | None = None
    draw: Draw = number
    edges: bool = True

    @property
    def axes(self) -> list[str]:
        """Return the names or numbers of the axes."""
        return self.dims.split()

    def variable(self, dtype: str, name: str) -> Any:
        """Return the argument as an input."""
        shape = tuple(int(axis) if axis.isdigit() else None for axis in self.axes)
        return TensorType(self.dtype or dtype, shape)(name)

    def lengths(self, sizes: Mapping[str, int]) -> list[int]:
        """Return the lengths of the axes."""
        return [int(axis) if axis.isdigit() else sizes[axis] for axis in self.axes]


@dataclass(frozen=True)
class Row:
    """An expression with everything that its conformance cases are made of.

    Parameters
    ----------
    text
        The expression, Python in which ``T`` is ``symtheano.tensor``, the other modules have the
        names of :data:`MODULES`, and each argument has its name. A list or tuple of arrays counts
        as several outputs.
    args
        Arguments by name, in the order in which they are inputs.
    dtypes
        Letters of :data:`KINDS`: the dtypes of the arguments that leave theirs open.
    plain
        The same for NumPy where :mod:`tests.conformance.plain` does not give it by the same text:
        another text, or a function of the arguments' values.
    slope
        Whether the expression is differentiable, with respect to its floating-point arguments.
    tolerance
        Relative to the largest number of an output; by dtype if None.
    slack
        Times the tolerance of each dtype, where that is None.
    least
        The shortest length of each axis for which the expression is defined, 0 if not named;
        shorter ones are left out. Errors need no mention: they are compared as well.
    edges
        Whether edge values are requested.
    squares
        Whether outputs are sums of products of differences: where all numbers are equal, such a
        difference is 0 or the rounding of a mean.
    """

    text: str
    args: Mapping[str, Arg] = field(default_factory=dict)
    dtypes: str = "biufc"
    plain: str | Callable[..., Any] = ""
    slope: bool = True
    tolerance: float | None = None
    slack: float = 1
    least: Mapping[str, int] = field(default_factory=dict)
    edges: bool = True
    squares: bool = False

    @property
    def name(self) -> str:
        """Return the expression with its arguments' dims, which is unique in the table."""
        described = ", ".join(f"{name}({arg.dims})" for name, arg in self.args.items())
        return f"{self.text} of {described}" if described else self.text

    def symbolic(self, variables: Mapping[str, Any]) -> list[Any]:
        """Return the outputs as expressions of the arguments."""
        return as_list(eval(self.text, {**MODULES, "np": np, "scipy": scipy, **variables}))

    def numeric(self, values: Sequence[Any]) -> list[Any]:
        """Return the outputs as NumPy computes them."""
        if callable(self.plain):
            return as_list(self.plain(*values))
        named = dict(zip(self.args, values, strict=True))
        return as_list(eval(self.plain or self.text, {**NAMES, **named}))

    def allowed(self, dtype: str) -> float | None:
        """Return the tolerance for outputs of a dtype."""
        if self.tolerance is not None or self.slack == 1 or dtype not in TOLERANCE:
            return self.tolerance
        return self.slack * TOLERANCE[dtype]

    def rounding(self, dtype: str, values: Sequence[Any]) -> float:
        """Return by how much numbers of an output may differ, however small they all are."""
        if not self.squares or dtype not in TOLERANCE:
            return 0.0
        finite = [np.abs(value[np.isfinite(value)].astype("c16")) for value in values]
        return max(TOLERANCE[dtype] * float(item.max(initial=0)) for item in finite) ** 2

    @property
    def runs(self) -> tuple[str, ...]:
        """Return the dtypes that the row runs with."""
        return dtypes_of(self.dtypes)

    @property
    def sizes(self) -> list[str]:
        """Return the names of lengths in order of appearance."""
        axes = [axis for arg in self.args.values() for axis in arg.axes if not axis.isdigit()]
        return list(dict.fromkeys(axes))

    def functions(self) -> set[str]:
        """Return the names after modules and after dots of variables, which the row exercises."""
        modules = "|".join(MODULES)
        return set(re.findall(rf"(?<![\w.])((?:{modules})(?:\.\w+)+)", self.text)) | {
            f".{method}" for method in re.findall(r"[\w\])]\.(\w+)", self.text)
        }


def as_list(found: Any) -> list[Any]:
    """Return several outputs as a list, and a single one in a list."""
    return list(found) if isinstance(found, list | tuple) else [found]


def each(
    texts: Iterable[str], dims: Sequence[str], letters: str = "biufc", **options: Any
) -> Iterator[Row]:
    """Yield a row for each expression and each number of dims of its argument ``x``.

    Parameters
    ----------
    texts
        Expressions of ``x``.
    dims
        Lengths of the axes of ``x``, as in :class:`Arg`; a row for each.
    letters
        The rows' dtypes.
    options
        Further fields of the rows; those of ``x`` are ``draw`` and ``x_edges``.
    """
    arg = Arg(draw=options.pop("draw", number), edges=options.pop("x_edges", True))
    others = options.pop("args", {})
    for text in texts:
        for item in dims:
            args = {"x": replace(arg, dims=item), **others}
            yield Row(text, args, letters, **options)

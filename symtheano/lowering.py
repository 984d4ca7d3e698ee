"""Lowerings: how the code of a function computes an op, as data.

The attribute ``lowering`` of an op is one of these objects. The objects of a class share one, or
each makes its own when it is first asked for.
"""

from __future__ import annotations

from typing import Literal

from symtheano.graph.lowering import Lowering
from symtheano.scalar.row import ScalarOp


class Elementwise(Lowering):
    """A row of the scalar table, for each element."""

    row: ScalarOp


class Length(Lowering):
    """The length of an axis of the first input."""

    axis: int
    reads_elements = False


class Reduction(Lowering):
    """Elements along axes, combined by a row of the scalar table.

    Attributes
    ----------
    row
        The row, which has a neutral element.
    axes
        The axes of the first input that are removed.
    dtype
        Dtype in which elements are combined.
    """

    row: ScalarOp
    axes: tuple[int, ...]
    dtype: str


class ArgReduction(Lowering):
    """The position of the first extremum along an axis: ``which`` is ``argmax`` or ``argmin``."""

    which: Literal["argmax", "argmin"]
    axes: tuple[int]


REDUCTIONS = (Reduction, ArgReduction)
"""The lowerings that remove axes of the first input."""

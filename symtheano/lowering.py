"""Lowerings: how the code of a function computes an op, as data.

The attribute ``lowering`` of an op is one of these objects. The objects of a class share one, or
each makes its own when it is first asked for. Functions in a lowering are methods of the op's
class: their first argument is the op. So a class with one function can use the kind of lowering as
a decorator::

    class Ones(Op):
        @Element
        def lowering(self, b, node, index, read, scalars):
            return Literal(1.0, "float64")
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal

from symtheano.graph.lowering import Lowering, Python as Python
from symtheano.graph.variable import Apply
from symtheano.scalar.row import ScalarOp

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, NodeArrays, View
    from symtheano.loopir.builder import Reader
    from symtheano.loopir.operands import Operand


def _no_scalars(op: Any, node: Apply, shapes: list[Any]) -> Sequence[Any]:
    return ()


def _any_layout(op: Any, number: int, view: View) -> bool:
    return True


def contiguous(op: Any, number: int, view: View) -> bool:
    """Return whether an input is contiguous."""
    return view.is_contiguous()


# -- elements -----------------------------------------------------------------------------------


class Elementwise(Lowering):
    """A row of the scalar table, for each element."""

    row: ScalarOp


class Element(Lowering):
    """One element, from its index and elements of the inputs: ``compute`` generates it."""

    compute: Callable[[Any, Builder, Apply, list[Index], Reader, list[Index]], Operand]
    scalars: Callable[[Any, Apply, list[Any]], Sequence[Any]] = _no_scalars


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


# -- views --------------------------------------------------------------------------------------


class AxisMap(Lowering):
    """The first input with axes reordered, repeated or dropped.

    ``axes`` returns for each axis of the result the input's axis, or None if it is broadcast.
    """

    axes: Callable[[Any, Apply], tuple[int | None, ...]]
    is_view = True

    def axis_map(self, node: Apply) -> tuple[int | None, ...]:
        """Return the axes of a node's result."""
        return self.axes(node.op, node)


@AxisMap
def SAME_AXES(op: Any, node: Apply) -> tuple[int, ...]:
    """The first input itself, which the op checks or marks."""
    return tuple(range(node.outputs[0].ndim))


class IndexMap(Lowering):
    """Another index map over the memory of the first input.

    Attributes
    ----------
    view
        Function that returns the view of a node's result, from that of its first input, its
        integers and its shape.
    alternative
        An array that the view may show instead of the first input.
    """

    view: Callable[[Any, Apply, View, list[Index], Sequence[Index]], View]
    accepts: Callable[[Any, int, View], bool] = _any_layout
    scalars: Callable[[Any, Apply, list[Any]], Sequence[Any]] = _no_scalars
    alternative: int | None = None
    is_view = True


# -- results with parts that are put ------------------------------------------------------------


class Scatter(Lowering):
    """Rows of a value, the second input, are stored where indices tell.

    Attributes
    ----------
    put
        Function that stores an element in the view of a result, given what was there before.
    outer_axes
        Function that returns the number of the value's axes that select destinations.
    destination
        Function that generates where a row goes, from its index along these axes.
    """

    put: Callable[[Any, Builder, View, Sequence[Index], Operand, View], None]
    outer_axes: Callable[[Any, Apply], int]
    destination: Callable[
        [Any, Builder, Apply, Sequence[Index], Reader, Sequence[Index]], Sequence[Index]
    ]
    scalars: Callable[[Any, Apply, list[Any]], Sequence[Any]] = _no_scalars
    overwrites: int | None = None


def _no_parts(op: Any, node: Apply, view: View, scalars: Sequence[Index]) -> Sequence[View]:
    return ()


def _leaves_none(op: Any, node: Apply) -> bool:
    return False


class Parts(Lowering):
    """Inputs are stored in parts of the result.

    Attributes
    ----------
    put
        As for :class:`Scatter`.
    parts
        Function that returns the part of the result for each input that is stored, from a view of
        the result, the node's integers and the shapes of its inputs.
    put_inputs
        Function that returns which inputs may be computed where they are stored.
    shown_inputs
        Function that returns which inputs are parts of a result that has little beside them.
    kept
        Function that returns the parts of an array that remain, or nothing if they are not simple.
    leaves_edges
        Function that returns whether only a few elements remain, at the ends of axes.
    """

    put: Callable[[Any, Builder, View, Sequence[Index], Operand, View], None]
    parts: Callable[[Any, View, Sequence[Index], Sequence[Sequence[Index]]], Mapping[int, View]]
    put_inputs: Callable[[Any, Apply], Sequence[int]]
    shown_inputs: Callable[[Any, Apply], Sequence[int]]
    kept: Callable[[Any, Apply, View, Sequence[Index]], Sequence[View]] = _no_parts
    leaves_edges: Callable[[Any, Apply], bool] = _leaves_none
    scalars: Callable[[Any, Apply, list[Any]], Sequence[Any]] = _no_scalars
    overwrites: int | None = None


PUTS = (Scatter, Parts)
"""The lowerings that put values into the result."""


# -- whole arrays -------------------------------------------------------------------------------


class Statements(Lowering):
    """Statements on whole arrays: calls of routines and libraries, and loops of the op's own.

    Attributes
    ----------
    write
        Function that generates them.
    accepts, scalars, overwrites, may_fail
        See :class:`Lowering`.
    workspace
        Whether routines need one, of a size by lengths and integers.
    epilogue
        Whether there is one routine, the last to write, that takes an epilogue for rows.
    """

    write: Callable[[Any, Builder, Apply, NodeArrays], None]
    accepts: Callable[[Any, int, View], bool] = _any_layout
    scalars: Callable[[Any, Apply, list[Any]], Sequence[Any]] = _no_scalars
    overwrites: int | None = None
    may_fail: bool = False
    workspace: bool = False
    epilogue: bool = False


def _no_starts(op: Any) -> Mapping[int, int]:
    return {}


def _no_rows(op: Any, scalars: Sequence[Index]) -> Mapping[int, tuple[Index, bool]]:
    return {}


class Region(Lowering):
    """Statements around those of graphs.

    Attributes
    ----------
    write
        Function that generates them; its last argument writes the graphs: see
        ``codegen/region.py``.
    accepts, scalars, starts, reserves
        See :class:`Lowering`.
    """

    write: Callable[[Any, Builder, Apply, NodeArrays, Any], None]
    accepts: Callable[[Any, int, View], bool] = contiguous
    scalars: Callable[[Any, Apply, list[Any]], Sequence[Any]] = _no_scalars
    starts: Callable[[Any], Mapping[int, int]] = _no_starts
    reserves: Callable[[Any, Sequence[Index]], Mapping[int, tuple[Index, bool]]] = _no_rows


CALLS = (Statements, Region, Python)
"""The lowerings that take whole arrays."""

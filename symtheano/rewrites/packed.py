"""Loops: matrices by which all iterations multiply are packed once."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import cast

import numpy as np

from symtheano.dtypes import is_discrete
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import replace, toposort
from symtheano.loops.lengths import first_row
from symtheano.loops.parts import Other, Parts
from symtheano.rewrites.match import computed_by
from symtheano.rewrites.rule import OfStep, graph_rule
from symtheano.rewrites.scans import scans, used_of
from symtheano.tensor.basic import as_tensor_variable, constant
from symtheano.tensor.creation.filled import zeros
from symtheano.tensor.elemwise import DimShuffle
from symtheano.tensor.linalg.dot import Dot
from symtheano.tensor.linalg.packed import (
    LEAST_ELEMENTS,
    MOST_BYTES,
    MOST_ROWS,
    PACKED_DTYPES,
    pack_matrix,
    packed_dot,
)
from symtheano.tensor.shapes.shape import shape_of
from symtheano.tensor.variable import Dim, Tensor


@graph_rule("blas", numerics="reassociates")
def packed_before_loops(
    nodes: Sequence[Apply], outputs: Collection[Variable], of_step: OfStep
) -> Mapping[Variable, Variable]:
    """A right factor that is the same in all iterations is copied to panels once, before the loop.

    Product routines copy it in each iteration, or read it where it lies, which takes a quarter
    longer if the left factor has few rows.
    """
    replacements: dict[Variable, Variable] = {}
    used = used_of(nodes, outputs)
    for node in scans(nodes):
        if isinstance(node.inputs[0], Constant) and node.inputs[0].data < 2:
            continue
        parts = Parts.of(node, used)
        values = {other.variable: other.value for other in parts.others}
        new: dict[Tensor, Tensor] = {}
        for product in _products(parts, values):
            x, y = product.inputs
            (factor,) = cast("list[Tensor]", replace([y], values))
            packed = pack_matrix(factor, parts.steps, _rows_of(x, parts))
            variable = packed.type()
            parts.others.append(Other(variable, packed))
            new[product.outputs[0]] = packed_dot(x, y, variable)
        if new:
            parts.substitute(new)
            replacements.update(parts.replacements())
    return replacements


def _products(parts: Parts, values: Mapping[Tensor, Tensor]) -> list[Apply]:
    """Return products with a right factor that does not change."""
    products = []
    for node in toposort(parts.results):
        if not isinstance(node.op, Dot) or node.outputs[0].dtype not in PACKED_DTYPES:
            continue
        x, y = node.inputs
        source = y.owner.inputs[0] if computed_by(y, DimShuffle) else y
        if x.ndim == y.ndim == 2 and source in values and source.ndim == 2 and _is_large(x, y):
            products.append(node)
    return products


def _is_large(x: Tensor, y: Tensor) -> bool:
    """Return whether packing may pay, as far as lengths are known."""
    rows, (height, width) = x.type.shape[0], y.type.shape
    if height is not None and width is not None:
        size = height * width
        if size < LEAST_ELEMENTS or size * np.dtype(y.dtype).itemsize > MOST_BYTES:
            return False
    return rows is None or 1 < rows <= MOST_ROWS


def _rows_of(x: Tensor, parts: Parts) -> Tensor:
    """Return the number of rows of a left factor, which is the same in all iterations."""
    length: Dim | None = x.type.shape[0]
    if length is None:
        values: dict[Tensor, Tensor] = {parts.step: constant(0, dtype="int64")}
        values.update((item.row, _row(item.array)) for item in parts.sequences)
        for history in parts.histories:
            if history.initial is not None:
                values.update((tap, _row(history.initial)) for tap in history.taps.values())
        values.update((state.variable, state.initial) for state in parts.states)
        values.update((other.variable, other.value) for other in parts.others)
        (like,) = cast("list[Tensor]", replace([x], values))
        length = shape_of(like)[0]
    return (
        as_tensor_variable(length)
        if not isinstance(length, int)
        else constant(length, dtype="int64")
    )


def _row(array: Tensor) -> Tensor:
    """Return an array like the rows of another one; integers may be lengths."""
    if is_discrete(array.dtype):
        first: Tensor = first_row(array)
        return first
    row: Tensor = zeros(shape_of(array)[1:], array.dtype)
    return row

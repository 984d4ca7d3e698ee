"""The elements of small arrays, as terms of the elements of the operands."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod

import numpy as np

from symtheano.graph.claims import Storage
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import scalar_value
from symtheano.rewrites.unrolled_matrices import decomposed, is_decomposed
from symtheano.rewrites.unrolled_terms import Elements, Term, Terms, mapped
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.creation.diagonals import SetDiagonal, TakeDiagonal
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.creation.identity import Eye
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.linalg.dot import BatchedDot, Dot, dtype_of_sums
from symtheano.tensor.linalg.gemm import Dot22Scalar, Gemm
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.join import Join
from symtheano.tensor.shapes.reshape import Reshape
from symtheano.tensor.shapes.shape import MakeVector
from symtheano.tensor.variable import Tensor, TensorConstant

PRODUCTS = (Dot, Gemm, Dot22Scalar, BatchedDot)
_ARRANGED = {
    DimShuffle: 1, Reshape: 1, Alloc: 1, Subtensor: 1, TakeDiagonal: 1, IncSubtensor: 2,
    SetDiagonal: 2, Join: None, MakeVector: None,
}  # fmt: skip
"""Ops whose results contain elements of their first inputs, and the number of these."""


def is_arranged(node: Apply) -> bool:
    """Return whether a node's result only contains elements of its inputs."""
    return type(node.op) in _ARRANGED


def is_known(node: Apply) -> bool:
    """Return whether the elements of a node's result are terms of those of its inputs."""
    if type(node.op) not in _WRITERS:
        return is_decomposed(node)
    if isinstance(node.op, Eye):
        return all(isinstance(item, TensorConstant) for item in node.inputs)
    count = _ARRANGED.get(type(node.op))
    others = [] if count is None else node.inputs[count:]
    return all(isinstance(item, TensorConstant) for item in others)


def operands_of(node: Apply) -> list[Tensor]:
    """Return the inputs whose elements a result has."""
    return [] if isinstance(node.op, Eye) else node.inputs[: _ARRANGED.get(type(node.op))]


def multiplications(node: Apply) -> int:
    """Return the number of multiplications of a product, zeros included; 0 of other nodes."""
    if not isinstance(node.op, PRODUCTS):
        return 0
    x, y = node.inputs[2:4] if isinstance(node.op, Gemm) else node.inputs[:2]
    kept = y.type.shape[2:] if isinstance(node.op, BatchedDot) else y.type.shape[1:]
    return int(prod(x.type.shape) * prod(kept))


class Writer:
    """Finds the elements of arrays, each array once.

    Parameters
    ----------
    terms
        Makes the terms.
    """

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self._elements: dict[Tensor, Elements] = {}

    def of(self, x: Tensor) -> Elements:
        """Return the elements of an array that was written, or that is in memory."""
        elements = self._elements.get(x)
        if elements is None:
            elements = self._elements[x] = self._read(x)
        return elements

    def _read(self, x: Tensor) -> Elements:
        elements = np.empty([length or 0 for length in x.type.shape], dtype=object)
        for index in np.ndindex(elements.shape):
            if isinstance(x, TensorConstant):
                elements[index] = self.terms.number(x.data[index], x.dtype)
            else:
                elements[index] = self.terms.element(x, index)
        return elements

    def write(self, node: Apply) -> bool:
        """Find the elements of a node's result; return False if the call reports an error."""
        self.terms.origin = node.origin
        if is_decomposed(node):
            results = decomposed(self.terms, node, [self.of(item) for item in node.inputs])
            self._elements.update(zip(node.outputs, results, strict=True))
            return True
        elements = _WRITERS[type(node.op)](self, node)
        if elements is not None:
            self._elements[node.outputs[0]] = elements
        return elements is not None

    def each(self, row: ScalarOp, *operands: Elements) -> Elements:
        """Apply a row to terms, broadcast as NumPy does."""
        return mapped(partial(self.terms.apply, row), *operands)

    def sums(self, x: Elements, y: Elements, dtype: str) -> Elements:
        """Return a matrix product."""
        wide = dtype_of_sums(dtype)
        left = x if x.ndim > 1 else x[None, :]
        right = y if y.ndim > 1 else y[:, None]
        product = np.empty((len(left), right.shape[1]), dtype=object)
        # The zeros of a matrix of numbers spread NaN; those beside variables are its structure.
        sparse = not (_all_numbers(left) or _all_numbers(right))
        for i, j in np.ndindex(product.shape):
            pairs = zip(left[i], right[:, j], strict=True)
            product[i, j] = self.terms.sum_of_products(pairs, wide, dtype, sparse)
        return product.reshape([*x.shape[:-1], *y.shape[1:]])


def _all_numbers(elements: Elements) -> bool:
    return all(term.kind == "number" for row in elements.tolist() for term in row)


def _elementwise(writer: Writer, node: Apply) -> Elements:
    assert isinstance(node.op, Elemwise)
    return writer.each(node.op.scalar_op, *map(writer.of, node.inputs))


def _reduction(writer: Writer, node: Apply) -> Elements:
    op = node.op
    assert isinstance(op, CAReduce)
    kept = [axis for axis in range(node.inputs[0].ndim) if axis not in op.axis]
    elements = writer.of(node.inputs[0]).transpose([*kept, *op.axis])
    rows = elements.reshape([*elements.shape[: len(kept)], -1])
    wide = mapped(partial(writer.terms.cast, dtype=op.acc_dtype), rows)
    total = np.frompyfunc(partial(writer.terms.apply, op.row), 2, 1).reduce(wide, axis=-1)
    return mapped(partial(writer.terms.cast, dtype=op.dtype), np.asarray(total, dtype=object))


def _arrangement(writer: Writer, node: Apply) -> Elements | None:
    """Let the op arrange the numbers of the elements."""
    op = node.op
    operands = operands_of(node)
    numbers, first = [], 0
    for item in operands:
        shape = [length or 0 for length in item.type.shape]
        numbers.append(np.arange(first, first + prod(shape)).reshape(shape))
        first += prod(shape)
    adds = isinstance(op, IncSubtensor) and not op.set_instead_of_inc
    storage: Storage = [None]
    put = IncSubtensor(op.pattern, True) if isinstance(op, IncSubtensor) and adds else op
    put = MakeVector("int64") if isinstance(op, MakeVector) else put
    others = [item.data for item in node.inputs[len(operands) :]]
    try:
        put.perform(node, [*numbers, *others], [storage])
    except (ValueError, IndexError):
        return None  # the call reports it
    chosen = np.asarray(storage[0])
    into = isinstance(op, IncSubtensor | SetDiagonal)
    sources: list[Term] = []
    for number, item in enumerate(operands):
        elements = list(writer.of(item).ravel())
        if into and number == 0 and all(term.is_number(0) for term in elements):
            elements = [writer.terms.nothing(item.dtype)] * len(elements)
        sources += elements
    result = np.empty(chosen.shape, dtype=object)
    for index in np.ndindex(chosen.shape):
        term = sources[chosen[index]]
        if adds and chosen[index] >= numbers[0].size:
            term = writer.terms.apply(scalar.add, sources[numbers[0][index]], term)
        result[index] = writer.terms.cast(term, node.outputs[0].dtype)
    return result


def _identity(writer: Writer, node: Apply) -> Elements:
    storage: Storage = [None]
    node.op.perform(node, [item.data for item in node.inputs], [storage])
    (output,) = node.outputs
    numbers = np.asarray(storage[0])
    elements = np.full(numbers.shape, writer.terms.number(0, output.dtype), dtype=object)
    elements[numbers != 0] = writer.terms.number(1, output.dtype)
    return elements


def _product(writer: Writer, node: Apply) -> Elements:
    x, y = node.inputs
    return writer.sums(writer.of(x), writer.of(y), x.dtype)


def _scaled_product(writer: Writer, node: Apply) -> Elements:
    x, y, alpha = node.inputs
    product = writer.sums(writer.of(x), writer.of(y), x.dtype)
    return writer.each(scalar.mul, writer.of(alpha), product)


def _accumulated_product(writer: Writer, node: Apply) -> Elements:
    """``beta * z`` is not computed where beta is zero, like in BLAS."""
    z, alpha, x, y, beta = node.inputs
    product = writer.sums(writer.of(x), writer.of(y), x.dtype)
    product = writer.each(scalar.mul, writer.of(alpha), product)
    number = scalar_value(beta)
    if number == 0:
        return product
    total = writer.each(scalar.mul, writer.of(beta), writer.of(z))
    total = writer.each(scalar.add, total, product)
    if number is not None:
        return total
    zero = np.asarray(writer.terms.number(0, beta.dtype), dtype=object)
    is_zero = writer.each(scalar.eq, writer.of(beta), zero)
    return writer.each(scalar.switch, is_zero, product, total)


def _batched_product(writer: Writer, node: Apply) -> Elements:
    x, y = node.inputs
    pairs = zip(writer.of(x), writer.of(y), strict=True)
    return np.stack([writer.sums(left, right, x.dtype) for left, right in pairs])


_WRITERS: dict[type, Callable[[Writer, Apply], Elements | None]] = {
    Elemwise: _elementwise, CAReduce: _reduction, Dot: _product, Dot22Scalar: _scaled_product,
    Gemm: _accumulated_product, BatchedDot: _batched_product,
    Eye: _identity,
    **dict.fromkeys(_ARRANGED, _arrangement),
}  # fmt: skip

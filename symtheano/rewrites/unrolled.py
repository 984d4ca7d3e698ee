"""Small arrays of static shape are computed element by element, in straight-line code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from symtheano.graph.variable import Apply
from symtheano.rewrites.match import computed_by, is_inserting, scalar_value
from symtheano.rewrites.rule import Context, Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import cast, constant
from symtheano.tensor.creation.diagonals import SetDiagonal, TakeDiagonal
from symtheano.tensor.creation.filled import Alloc, Eye
from symtheano.tensor.elemwise import DimShuffle, Elemwise, elemwise
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.linalg.dot import BatchedDot, Dot, dtype_of_sums
from symtheano.tensor.linalg.gemm import Dot22Scalar, Gemm
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.join import Join
from symtheano.tensor.shapes.shape import MakeVector, Reshape, as_dims, reshape_op
from symtheano.tensor.variable import Tensor, TensorConstant

Elements = npt.NDArray[np.object_]
"""The 0-d variables that are the elements of an array."""

# The largest array: from about 6 x 6 on, loops of static length are as fast, and compile sooner.
_ELEMENTS = 64
# The largest number of multiplications of a product.
_MULTIPLICATIONS = 216
# How many operations the elements of an operand are followed upwards.
_DEPTH = 16

_PRODUCTS = (Dot, Gemm, Dot22Scalar, BatchedDot)
_PUTS = (Join, IncSubtensor, SetDiagonal)
_ARRANGED = {
    DimShuffle: 1, Reshape: 1, Alloc: 1, Subtensor: 1, TakeDiagonal: 1, IncSubtensor: 2,
    SetDiagonal: 2, Join: None,
}  # fmt: skip
"""Ops whose results contain elements of their first inputs, and the number of these."""


@rule("expand", tracks=_PRODUCTS, numerics="reassociates")
def unroll_product(node: Apply, context: Context) -> Replacement:
    """A product of small matrices of static shape is a sum of products for each element.

    A call of a product routine takes several times as long as the product at these sizes.
    """
    return _unrolled(node, context)


@rule("expand", tracks=[Elemwise], operands=[MakeVector, Reshape, DimShuffle])
def unroll_elementwise(node: Apply, context: Context) -> Replacement:
    """An elementwise operation on an array made of scalars is computed for each of them."""
    return _unrolled(node, context) if any(map(is_unrolled, node.inputs)) else None


@rule("expand", tracks=[CAReduce], operands=[MakeVector, Reshape, DimShuffle],
      numerics="reassociates")  # fmt: skip
def unroll_reduction(node: Apply, context: Context) -> Replacement:
    """A sum over an array made of scalars is the sum of these."""
    return _unrolled(node, context) if is_unrolled(node.inputs[0]) else None


@rule("expand", tracks=list(_ARRANGED))
def unroll_arrangement(node: Apply, context: Context) -> Replacement:
    """Parts, transposes and joins of arrays that are made of scalars only choose among these."""
    given = node.inputs[: _ARRANGED[type(node.op)]]
    if isinstance(node.op, Reshape) and computed_by(given[0], MakeVector):
        return None  # the form of an unrolled array
    if isinstance(node.op, DimShuffle) and is_inserting(node):
        return None
    if any(map(is_unrolled, given)):
        return _unrolled(node, context)
    known = isinstance(node.op, _PUTS) and all(map(_consists_of_scalars, given))
    return _unrolled(node, context) if known else None


def is_unrolled(x: Tensor) -> bool:
    """Return whether an array is made of scalars."""
    while computed_by(x, Reshape) or (computed_by(x, DimShuffle) and is_inserting(x.owner)):
        x = x.owner.inputs[0]
    return computed_by(x, MakeVector)


def _consists_of_scalars(x: Tensor) -> bool:
    """Return whether the elements of an array are scalars or constants."""
    while computed_by(x, DimShuffle, Alloc):
        x = x.owner.inputs[0]
    return x.ndim == 0 or isinstance(x, TensorConstant) or is_unrolled(x)


def _is_small(x: Tensor) -> bool:
    shape = x.type.shape
    known = [length for length in shape if length is not None]
    return len(known) == len(shape) and 1 <= prod(known) <= _ELEMENTS


def _unrolled(node: Apply, context: Context) -> Replacement:
    """Return a node's result, made of scalars, or None if it is not small."""
    found = _Elements(context).written(node, _DEPTH)
    return None if found is None else _made_of(found, node.outputs[0])


def _made_of(elements: Elements, like: Tensor) -> Tensor:
    """Return an array with these elements."""
    flat = [cast(item, like.dtype) for item in elements.ravel()]
    if len(flat) == 1:
        return flat[0].dimshuffle(*["x"] * like.ndim) if like.ndim else flat[0]
    vector = MakeVector(like.dtype)(*flat)
    return vector if like.ndim == 1 else reshape_op(vector, *as_dims(elements.shape))


class _Elements:
    """Finds the elements of small arrays, each array once.

    Parameters
    ----------
    context
        Tells whether there may be more nodes.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._known: dict[Tensor, Elements] = {}

    def of(self, x: Tensor, depth: int) -> Elements:
        """Return the elements of a small array, computed from the scalars that it is made of."""
        known = self._known.get(x)
        if known is None:
            made = self.written(x.owner, depth - 1) if x.owner is not None and depth > 0 else None
            known = self._known[x] = self._read(x) if made is None else made
        return known

    def _read(self, x: Tensor) -> Elements:
        """Return the elements of an array that is in memory, or made of scalars."""
        shape: tuple[int, ...] = x.type.shape  # type: ignore[assignment]  # all are known
        found: Elements = np.empty(shape, dtype=object)
        if computed_by(x, MakeVector):
            for position, item in enumerate(x.owner.inputs):
                found[position] = item
            return found
        for index in np.ndindex(found.shape):
            if isinstance(x, TensorConstant):
                found[index] = constant(x.data[index], dtype=x.dtype)
            else:
                found[index] = getitem(x, index) if index else x
        return found

    def written(self, node: Apply, depth: int) -> Elements | None:
        """Return the elements of a node's result, None if they are not computed one by one."""
        write = _WRITERS.get(type(node.op))
        (output,) = node.outputs[:1]
        if write is None or (output.ndim == 0 and not any(item.ndim for item in node.inputs)):
            return None
        if not all(_is_small(item) for item in (*node.inputs, output)):
            return None
        work = _multiplications(node)
        if work > _MULTIPLICATIONS or not self._context.grow(2 * work or prod(output.type.shape)):
            return None
        return write(node, lambda x: self.of(x, depth))


def _multiplications(node: Apply) -> int:
    """Return the number of multiplications of a product."""
    if not isinstance(node.op, _PRODUCTS):
        return 0
    x, y = node.inputs[2:4] if isinstance(node.op, Gemm) else node.inputs[:2]
    kept = y.type.shape[2:] if isinstance(node.op, BatchedDot) else y.type.shape[1:]
    return int(prod(x.type.shape) * prod(kept))


Reader = Callable[[Tensor], Elements]


def _elementwise(node: Apply, read: Reader) -> Elements:
    assert isinstance(node.op, Elemwise)
    return _each(node.op, *map(read, node.inputs))


def _each(op: Callable[..., Tensor], *operands: Elements) -> Elements:
    """Apply an operation to scalars, broadcast as NumPy does."""
    aligned = np.broadcast_arrays(*operands)
    found = np.empty(aligned[0].shape, dtype=object)
    for index in np.ndindex(found.shape):
        found[index] = op(*(operand[index] for operand in aligned))
    return found


def _reduction(node: Apply, read: Reader) -> Elements:
    op = node.op
    assert isinstance(op, CAReduce)
    kept = [axis for axis in range(node.inputs[0].ndim) if axis not in op.axis]
    elements = read(node.inputs[0]).transpose([*kept, *op.axis])
    rows = elements.reshape([*elements.shape[: len(kept)], -1])
    found = np.empty(rows.shape[:-1], dtype=object)
    for index in np.ndindex(found.shape):
        terms = [cast(item, op.acc_dtype) for item in rows[index]]
        found[index] = cast(_folded(elemwise(op.row), terms), op.dtype)
    return found


def _folded(op: Callable[..., Tensor], terms: Sequence[Tensor]) -> Tensor:
    total = terms[0]
    for term in terms[1:]:
        total = op(total, term)
    return total


def _arrangement(node: Apply, read: Reader) -> Elements | None:
    """Let the op arrange the numbers of the elements."""
    op = node.op
    count = _ARRANGED[type(op)]
    given = node.inputs[:count]
    others = [] if count is None else node.inputs[count:]
    if not all(isinstance(item, TensorConstant) for item in others):
        return None
    numbers, first = [], 0
    for item in given:
        size = prod(item.type.shape)
        numbers.append(np.arange(first, first + size).reshape(item.type.shape))
        first += size
    adds = isinstance(op, IncSubtensor) and not op.set_instead_of_inc
    storage: list[Any] = [None]
    put = IncSubtensor(op.pattern, True) if isinstance(op, IncSubtensor) and adds else op
    try:
        put.perform(node, [*numbers, *(item.data for item in others)], [storage])
    except (ValueError, IndexError):
        return None  # the call reports it
    chosen = np.asarray(storage[0])
    sources = np.concatenate([read(item).ravel() for item in given])
    found = np.empty(chosen.shape, dtype=object)
    for index in np.ndindex(chosen.shape):
        found[index] = sources[chosen[index]]
        if adds and chosen[index] >= numbers[0].size:
            old = sources[numbers[0][index]]
            found[index] = elemwise(scalar.add)(old, found[index])
    return found


def _identity(node: Apply, read: Reader) -> Elements | None:
    if not all(isinstance(item, TensorConstant) for item in node.inputs):
        return None
    storage: list[Any] = [None]
    node.op.perform(node, [item.data for item in node.inputs], [storage])
    return read(constant(storage[0]))


def _product(node: Apply, read: Reader) -> Elements:
    x, y = node.inputs
    return _sums(read(x), read(y), x.dtype)


def _sums(x: Elements, y: Elements, dtype: str) -> Elements:
    wide = dtype_of_sums(dtype)
    left = x if x.ndim > 1 else x[None, :]
    right = y if y.ndim > 1 else y[:, None]
    found = np.empty((len(left), right.shape[1]), dtype=object)
    for i, j in np.ndindex(found.shape):
        terms = [cast(a, wide) * cast(b, wide) for a, b in zip(left[i], right[:, j], strict=True)]
        found[i, j] = cast(_folded(elemwise(scalar.add), terms), dtype)
    return found.reshape([*x.shape[:-1], *y.shape[1:]])


def _scaled_product(node: Apply, read: Reader) -> Elements:
    x, y, alpha = node.inputs
    return _each(elemwise(scalar.mul), read(alpha), _sums(read(x), read(y), x.dtype))


def _accumulated_product(node: Apply, read: Reader) -> Elements:
    """``beta * z`` is not computed where beta is zero, like in BLAS."""
    z, alpha, x, y, beta = node.inputs
    product = _each(elemwise(scalar.mul), read(alpha), _sums(read(x), read(y), x.dtype))
    number = scalar_value(beta)
    if number == 0:
        return product

    def add(before: Tensor, term: Tensor) -> Tensor:
        total = beta * before + term
        return total if number is not None else scalar.switch(scalar.eq(beta, 0), term, total)

    return _each(add, read(z), product)


def _batched_product(node: Apply, read: Reader) -> Elements:
    x, y = node.inputs
    pairs = zip(read(x), read(y), strict=True)
    return np.stack([_sums(left, right, x.dtype) for left, right in pairs])


_WRITERS: dict[type, Callable[[Apply, Reader], Elements | None]] = {
    Elemwise: _elementwise, CAReduce: _reduction, Dot: _product, Dot22Scalar: _scaled_product,
    Gemm: _accumulated_product, BatchedDot: _batched_product,
    Eye: _identity,
    **dict.fromkeys(_ARRANGED, _arrangement),
}  # fmt: skip

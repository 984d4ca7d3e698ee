"""The products of attention: what they compute, and the ops that take their place.

In the phase ``blas``, a softmax is one op, and its gradient has a known form. The functions here
find the scores of a softmax, and the products of which its shares p and the gradients d of its
scores are factors: ``p @ v``, ``p.T @ g``, ``d @ k`` and ``d.T @ q``, where d is
``(g @ v.T - sum) * p``. If nothing else reads shares and scores, they need not be in memory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from symtheano.dataclass import dataclass, field
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import ancestors
from symtheano.rewrites.attention_matrices import (
    Matrices,
    exchanged,
    joins_batches,
    matrices_of,
)
from symtheano.rewrites.attention_scores import (
    Factors,
    Readers,
    Scores,
    product_of_matrices,
    scale_of,
    scores_of,
)
from symtheano.rewrites.match import as_scalar, computed_by, dim_of, inputs_of, same_dim
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.linalg.dot import BatchedDot, Dot
from symtheano.tensor.nnet.attention import MOST_AXES, Attention, AttentionGradient
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.reshape import reshape_op
from symtheano.tensor.shapes.shape import as_dims
from symtheano.tensor.variable import Dim, Tensor

_FEW, _FEW_WITH_GRADIENT = 32 * 32, 128 * 128
"""Scores of an item for which the plain operations are faster, without and with the gradient."""


@dataclass
class _Products:
    """The products with shares and with gradients of scores, and their other factors."""

    result: _Product | None = None
    slope_v: _Product | None = None
    slope_q: _Product | None = None
    slope_k: _Product | None = None
    upstream: Matrices | None = None

    def all(self) -> list[_Product]:
        every = (self.result, self.slope_v, self.slope_q, self.slope_k)
        return [one for one in every if one is not None]


@dataclass(frozen=True)
class _Product:
    """A product, its other factor, and whether its result is transposed."""

    output: Tensor
    other: Matrices
    transposed: bool
    factors: Factors = field(default_factory=list)


def fused(node: Apply, readers: Readers) -> Mapping[Variable, Variable]:
    """Return what replaces the products of one softmax; nothing if they are no attention."""
    shares: Tensor = node.outputs[0]
    if shares.dtype not in ("float32", "float64") or not 2 <= shares.ndim <= MOST_AXES:
        return {}
    scores = scores_of(node.inputs[0], readers)
    if scores is None:
        return {}
    products = _Products()
    if not _read_shares(shares, scores, products, readers):
        return {}
    few = _FEW if products.upstream is None else _FEW_WITH_GRADIENT
    lengths = [length for length in shares.type.shape[-2:] if length is not None]
    if len(lengths) == 2 and prod(lengths) <= few:
        return {}
    values = products.result.other if products.result is not None else None
    if values is None or (_is_of_parameters(scores.k) and _is_of_parameters(values)):
        return {}
    return _replaced(shares, scores, values, products, readers)


def _is_of_parameters(factor: Matrices) -> bool:
    """Return whether a factor depends on no input: it is one of a layer, which has few columns."""
    leaves = (v for v in ancestors([factor.array]) if v.owner is None)
    return all(isinstance(leaf, SharedVariable | Constant) for leaf in leaves)


def _read_shares(shares: Tensor, scores: Scores, products: _Products, readers: Readers) -> bool:
    """Find the products that read the shares; return whether nothing else does."""
    others = []
    for view, transposed, reader in readers.through_views(shares, scores):
        if reader is None:
            return False
        if not isinstance(reader.op, Dot | BatchedDot):
            others.append(reader)
            continue
        left, other = _other_factor(reader, view, scores.batch)
        if other is None:
            return False
        # p @ v, or v.T @ p.T; p.T @ g, or g.T @ p
        name = "result" if left != transposed else "slope_v"
        if getattr(products, name) is not None:
            return False
        setattr(products, name, _Product(reader.outputs[0], other, not left))
    if not others:
        return products.slope_v is None
    return _read_slopes(shares, others, scores, products, readers)


def _other_factor(
    node: Apply, factor: Tensor, batch: Sequence[Dim]
) -> tuple[bool, Matrices | None]:
    """Return whether a factor is the left one, and the other one, transposed if it is the left one.

    Nothing if it is both.
    """
    x, y = node.inputs
    left = x is factor
    if x is y or min(x.ndim, y.ndim) < 2:
        return left, None
    other = matrices_of(y if left else x, batch)
    return left, other if left else other.turned()


def _read_slopes(
    shares: Tensor, others: list[Apply], scores: Scores, products: _Products, readers: Readers
) -> bool:
    """Find the products with gradients of scores; return whether all else is as it must be."""
    # p @ v requires that v has as many rows as there are keys, p.T @ g the like: then g @ v.T has
    # the shape of the scores, if it has as many elements.
    is_alike = products.result is not None or products.slope_v is not None
    match = _slopes(shares, others, readers, is_alike)
    if match is None:
        return False
    slopes, product = match
    # what the gradient of the result is multiplied by: g @ v.T
    g, v = (matrices_of(item, scores.batch) for item in product.inputs)
    v = v.turned()
    products.upstream = g
    if products.result is None:
        products.result = _Product(shares, v, False)
    if not v.same(products.result.other):
        return False
    if products.slope_v is not None and not products.slope_v.other.same(g):
        return False
    chosen = scores.condition
    waiting: list[tuple[Tensor, Factors, bool]] = [(slopes, [], chosen is None)]
    while waiting:
        variable, factors, is_chosen = waiting.pop()
        for view, transposed, reader in readers.through_views(variable, scores):
            if reader is None:
                return False
            if isinstance(reader.op, Dot | BatchedDot):
                left, other = _other_factor(reader, view, scores.batch)
                # d @ k, or k.T @ d.T; d.T @ q, or q.T @ d
                name = "slope_q" if left != transposed else "slope_k"
                wanted = scores.k if name == "slope_q" else scores.q
                if other is None or not other.same(wanted) or not is_chosen:
                    return False
                if getattr(products, name) is not None:
                    return False
                product_ = _Product(reader.outputs[0], other, not left, factors)
                setattr(products, name, product_)
            elif view is not variable:
                return False
            elif chosen is not None and not is_chosen and scores.clears(reader, variable):
                waiting.append((reader.outputs[0], factors, True))
            else:
                factor = _scaled_by(reader, variable)
                if factor is None:
                    return False
                waiting.append((reader.outputs[0], [*factors, factor], is_chosen))
    return True


def _scaled_by(node: Apply, variable: Tensor) -> tuple[Tensor, bool] | None:
    """Return the scalar by which a node multiplies or divides a variable."""
    output: Tensor = node.outputs[0]
    if not isinstance(node.op, Elemwise) or output.type.shape != variable.type.shape:
        return None
    if node.op.scalar_op is scalar.true_div and node.inputs[0] is variable:
        number = as_scalar(node.inputs[1])
        return None if number is None else (number, True)
    if node.op.scalar_op is scalar.mul:
        number = as_scalar(node.inputs[1] if node.inputs[0] is variable else node.inputs[0])
        return None if number is None else (number, False)
    return None


def _slopes(
    shares: Tensor, others: list[Apply], readers: Readers, is_alike: bool
) -> tuple[Tensor, Apply] | None:
    """Return ``(d - sum(d * shares)) * shares`` and the product that is d, or None."""
    if len(others) != 2:
        return None
    for node, weighted in (others, others[::-1]):
        factors = inputs_of(node.outputs[0], scalar.mul)
        difference = None if factors is None else factors[factors[0] is shares]
        operands = None if difference is None else inputs_of(difference, scalar.sub)
        if difference is None or operands is None:
            continue
        d, inner = operands
        total = _row_sum(inner)
        if total is None or total[0] is not weighted.outputs[0]:
            continue
        if inputs_of(total[0], scalar.mul) is None or d not in weighted.inputs:
            continue
        if any(len(readers.of(item)) != 1 for item in (*total, inner, difference)):
            return None
        product = product_of_matrices(d, readers, is_alike)
        if product is None or {*readers.of(d)} != {weighted, difference.owner}:
            return None
        return node.outputs[0], product
    return None


def _row_sum(inner: Tensor) -> tuple[Tensor, Tensor] | None:
    """Return what is summed over the last axis, which is kept with length 1, and the sum."""
    if not computed_by(inner, DimShuffle):
        return None
    total = inner.owner.inputs[0]
    if not computed_by(total, CAReduce) or total.owner.op.scalar_name != "add":
        return None
    x = total.owner.inputs[0]
    if total.owner.op.axis != (x.ndim - 1,):
        return None
    return (x, total) if inner.owner.op.new_order == (*range(x.ndim - 1), "x") else None


# -- replacement -----------------------------------------------------------------------------------


def _replaced(
    shares: Tensor, scores: Scores, values: Matrices, products: _Products, readers: Readers
) -> Mapping[Variable, Variable]:
    """Return what the products become."""
    dtype = shares.dtype
    inputs = [item.split(scores.batch) for item in (scores.q, scores.k, values)]
    inputs.append(scale_of(scores.factors, dtype))
    optional, bias, choice = scores.masks()
    inputs += optional
    keeps = products.upstream is not None
    result, *of_scores = Attention(bias, choice, keeps)(*inputs)
    arrays: list[tuple[_Product | None, Tensor]] = [(products.result, result)]
    if products.upstream is not None:
        pair = (products.slope_q, products.slope_k)
        scales = [scale_of([] if one is None else one.factors, dtype) for one in pair]
        op = AttentionGradient(bias, choice)
        upstream = products.upstream.split(scores.batch)
        dq, dk, dv = op(*inputs, result, *of_scores, upstream, *scales)
        arrays += zip((*pair, products.slope_v), (dq, dk, dv), strict=True)
    replacements: dict[Variable, Variable] = {}
    for product, array in arrays:
        if product is None or product.output is shares:
            continue
        if product.transposed:
            array = exchanged(array)
        output = _with_axes(product.output, array, inputs, readers)
        if output.ndim != array.ndim:
            array = reshape_op(array, *as_dims([dim_of(output, axis) for axis in range(3)]))
        if not output.type.accepts(array.type):
            return {}
        replacements[output] = array
    return replacements


def _with_axes(output: Tensor, array: Tensor, inputs: Sequence[Tensor], readers: Readers) -> Tensor:
    """Return what a product becomes when its batch is split into the axes of an array, if it is."""
    (node, *others) = [*readers.of(output), None, None][:2]
    if output.ndim == array.ndim or node is None or others != [None]:
        return output
    split: Tensor = node.outputs[0]
    if not joins_batches(node, has_same_matrices=True) or split.ndim != array.ndim:
        return output
    # the lengths that the op requires to be equal
    for axis in range(array.ndim):
        alike = inputs[:3] if axis < array.ndim - 2 else [array]
        lengths = [dim_of(item, axis) for item in (*alike, array)]
        if not any(same_dim(length, dim_of(split, axis)) for length in lengths if length != 1):
            return output
    return split

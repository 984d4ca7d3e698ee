"""Scores of attention: the product of which they are made, its scale, bias and condition."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, TypeGuard

from symtheano.dataclass import dataclass, field
from symtheano.graph.variable import Apply, Variable
from symtheano.rewrites.attention_matrices import (
    Matrices,
    is_transposition,
    joins_batches,
    matrices_of,
)
from symtheano.rewrites.blas import product_of
from symtheano.rewrites.match import (
    as_scalar,
    computed_by,
    dim_of,
    inputs_of,
    is_repeated,
    real_value,
    same_dim,
    scalar_value,
)
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import cast
from symtheano.tensor.creation.ranges import ARange
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.linalg.dot import BatchedDot, Dot
from symtheano.tensor.nnet.attention import Choice
from symtheano.tensor.shapes.reshape import Reshape
from symtheano.tensor.variable import Dim, Tensor

if TYPE_CHECKING:
    from symtheano.rewrites.match import Computed

Factors = list[tuple[Tensor, bool]]
"""Scalars, each with whether it divides."""

_NOTHING = -1e6
"""Scores that are at most this number have no share in a softmax with others."""


class Readers:
    """The nodes that read each variable; None is an output of the graph."""

    def __init__(self, nodes: Sequence[Apply], outputs: Collection[Variable]) -> None:
        self._nodes: dict[Variable, dict[Apply | None, None]] = {}
        for node in nodes:
            for item in node.inputs:
                self._nodes.setdefault(item, {})[node] = None
        for item in outputs:
            self._nodes.setdefault(item, {})[None] = None

    def of(self, variable: Variable) -> list[Apply | None]:
        """Return the nodes that read a variable."""
        return list(self._nodes.get(variable, ()))

    def through_views(
        self, variable: Tensor, scores: Scores
    ) -> Iterator[tuple[Tensor, bool, Apply | None]]:
        """Yield what reads an array like the scores, or a view of it.

        Also yield the view, and whether it is transposed.
        """
        waiting = [(variable, False)]
        while waiting:
            view, transposed = waiting.pop()
            for node in self.of(view):
                if node is not None and is_transposition(node):
                    waiting.append((node.outputs[0], not transposed))
                elif node is not None and scores.are_joined_by(node):
                    waiting.append((node.outputs[0], transposed))
                else:
                    yield view, transposed, node


def product_of_matrices(
    variable: Tensor, readers: Readers, has_same_matrices: bool = False
) -> Apply | None:
    """Return the product that an array shows, if nothing else reads it."""
    node = variable.owner
    if node is not None and isinstance(node.op, Reshape) and joins_batches(node, has_same_matrices):
        variable = node.inputs[0]
        node = variable.owner if len(readers.of(variable)) == 1 else None
    if node is None or not isinstance(node.op, Dot | BatchedDot):
        return None
    return node if all(item.ndim >= 2 for item in node.inputs) else None


@dataclass
class Scores:
    """What a softmax is taken of.

    Attributes
    ----------
    batch, rows, keys
        The lengths of their axes in front of the last two; those that the last two must have.
    q, k
        The factors of their product, ``q @ k.T``.
    factors
        By which it is multiplied.
    biases
        What is added to it then.
    condition, fill, chosen_first
        If some are replaced by a number: the condition, the number, and whether scores are kept
        where the condition is true, or false.
    """

    batch: list[Dim]
    q: Matrices
    k: Matrices
    factors: Factors = field(default_factory=list)
    rows: list[Dim] = field(default_factory=list)
    keys: list[Dim] = field(default_factory=list)
    biases: list[Tensor] = field(default_factory=list)
    condition: Tensor | None = None
    fill: Tensor | None = None
    chosen_first: bool = True

    def note_lengths(self, arrays: Sequence[Tensor]) -> None:
        """Note lengths that are required to be those of the last two axes."""
        for lengths, axis in ((self.rows, -2), (self.keys, -1)):
            for item in arrays:
                if item.type.shape[axis] != 1:
                    lengths.append(dim_of(item, item.ndim + axis))

    def are_joined_by(self, node: Apply) -> bool:
        """Return whether a node joins the axes in front of the last two of an array like them."""
        if not joins_batches(node, has_same_matrices=True):
            return False
        y = node.outputs[0]
        return all(
            any(same_dim(dim_of(y, y.ndim + axis), length) for length in lengths)
            for lengths, axis in ((self.rows, -2), (self.keys, -1))
        )

    def clears(self, node: Apply, variable: Tensor) -> bool:
        """Return whether a node makes the gradient of scores that were replaced zero."""
        operands = inputs_of(node.outputs[0], scalar.switch)
        if operands is None or operands[0] is not self.condition:
            return False
        kept, cleared = operands[1:] if self.chosen_first else operands[:0:-1]
        return kept is variable and scalar_value(cleared) == 0

    def masks(self) -> tuple[list[Tensor], bool, Choice]:
        """Return the inputs of the op for the bias and the choice, and their kinds."""
        inputs: list[Tensor] = []
        if self.biases:
            total = self.biases[0]
            for bias in self.biases[1:]:
                total = total + bias
            inputs.append(total)
        if self.condition is None or self.fill is None:
            return inputs, bool(self.biases), "all"
        least = real_value(self.fill)
        if (
            least is not None
            and least <= _NOTHING
            and _is_causal(self.condition, self.chosen_first)
        ):
            return [*inputs, self.fill], bool(self.biases), "causal"
        chosen = scalar.neq if self.chosen_first else scalar.eq
        condition = self.condition
        if not self.chosen_first or condition.dtype != "bool":
            condition = chosen(condition, condition.constant_like(0))
        return [*inputs, condition, self.fill], bool(self.biases), "chosen"


def scores_of(variable: Tensor, readers: Readers) -> Scores | None:
    """Return the scores that a variable is, if nothing else reads what they are made of."""
    if len(readers.of(variable)) != 1:
        return None
    product = product_of_matrices(variable, readers)
    if product is not None:
        batch = [dim_of(variable, axis) for axis in range(variable.ndim - 2)]
        x, y = (matrices_of(item, batch) for item in product.inputs)
        scores = Scores(batch, x, y.turned())
        scores.note_lengths([variable])
        return scores
    return _elementwise(variable, readers) if computed_by(variable, Elemwise) else None


def _elementwise(variable: Computed[Elemwise], readers: Readers) -> Scores | None:
    """Return the scores that an elementwise operation makes."""
    row, operands = variable.owner.op.scalar_op, variable.owner.inputs
    if any(item.dtype != variable.dtype for item in operands[row is scalar.switch :]):
        return None
    if row is scalar.neg:
        scores = _of_whole(operands[0], variable, readers)
        scores = None if scores is None else _scaled(scores, variable.constant_like(-1), False)
    elif row in (scalar.mul, scalar.true_div):
        scores = _with_factor(variable, operands, row is scalar.true_div, readers)
    elif row in (scalar.add, scalar.sub):
        scores = _with_bias(variable, operands, row is scalar.sub, readers)
    else:
        scores = _with_choice(variable, operands, readers) if row is scalar.switch else None
    if scores is not None:
        scores.note_lengths(operands)
    return scores


def _of_whole(part: Tensor, whole: Tensor, readers: Readers) -> Scores | None:
    """Return the scores that an operand is, which is not repeated along an axis of the result."""
    return None if is_repeated(part, whole) else scores_of(part, readers)


def _scaled(scores: Scores, number: Tensor, divides: bool) -> Scores | None:
    """Return scores times a scalar, unless some are replaced already."""
    if scores.condition is not None:
        return None
    scores.factors.append((number, divides))
    factor = product_of([(number, divides)], number.dtype)
    scores.biases = [bias * factor for bias in scores.biases]
    return scores


def _with_factor(
    variable: Tensor, operands: Sequence[Tensor], divides: bool, readers: Readers
) -> Scores | None:
    pairs = [operands] if divides else [operands, operands[::-1]]
    for part, other in pairs:
        number = as_scalar(other)
        if number is not None:
            scores = _of_whole(part, variable, readers)
            return None if scores is None else _scaled(scores, number, divides)
    return None


def _with_bias(
    variable: Tensor, operands: Sequence[Tensor], subtracts: bool, readers: Readers
) -> Scores | None:
    for part, bias in (operands, operands[::-1]):
        scores = _of_whole(part, variable, readers)
        if scores is None or scores.condition is not None:
            continue
        if subtracts and part is operands[1]:
            if _scaled(scores, variable.constant_like(-1), False) is None:
                return None
        elif subtracts:
            bias = -bias
        scores.biases.append(bias)
        return scores
    return None


def _with_choice(variable: Tensor, operands: Sequence[Tensor], readers: Readers) -> Scores | None:
    condition = operands[0]
    for part, other in (operands[1:], operands[:0:-1]):
        fill = as_scalar(other)
        if fill is None:
            continue
        scores = _of_whole(part, variable, readers)
        if scores is None or scores.condition is not None:
            return None
        scores.condition, scores.fill = condition, fill
        scores.chosen_first = part is operands[1]
        return scores
    return None


def _is_causal(condition: Tensor, chosen_first: bool) -> bool:
    """Return whether a condition is that the number of a row is at least that of a column."""
    while True:
        cleared = inputs_of(condition, scalar.eq)
        if cleared is not None and scalar_value(cleared[1]) == 0:
            condition, chosen_first = cleared[0], not chosen_first
        elif _is_converted_condition(condition):
            condition = condition.owner.inputs[0]
        else:
            break
    rows = (
        (scalar.ge, True, 0),
        (scalar.le, True, 1),
        (scalar.lt, False, 0),
        (scalar.gt, False, 1),
    )
    for row, kept, first in rows:
        operands = inputs_of(condition, row)
        if operands is not None and kept == chosen_first:
            ndim = condition.ndim
            return _counts(operands[first], ndim - 2) and _counts(operands[1 - first], ndim - 1)
    return False


def _is_converted_condition(variable: Tensor) -> TypeGuard[Computed[Elemwise]]:
    if not computed_by(variable, Elemwise):
        return False
    name = variable.owner.op.scalar_op.name
    return name.startswith("cast{") and variable.owner.inputs[0].dtype == "bool"


def _counts(variable: Tensor, axis: int) -> bool:
    """Return whether elements are their own positions along an axis."""
    if not computed_by(variable, DimShuffle):
        return False
    node = variable.owner
    places = ["x"] * variable.ndim
    places[axis] = 0  # type: ignore[call-overload]
    if [*node.op.new_order] != places or not computed_by(node.inputs[0], ARange):
        return False
    start, _, step = node.inputs[0].owner.inputs
    return scalar_value(start) == 0 and scalar_value(step) == 1


def scale_of(factors: Factors, dtype: str) -> Tensor:
    """Return the product of scalars, converted to a dtype."""
    return cast(product_of(factors, dtype), dtype)

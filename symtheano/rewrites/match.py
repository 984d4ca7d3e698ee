"""Matching: patterns of scalar rows, and predicates for rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeGuard, TypeVar

from symtheano import dtypes
from symtheano.graph.lazy import lazy
from symtheano.graph.op import Op
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.basic import cast, constant
from symtheano.tensor.creation.filled import Alloc, alloc_op
from symtheano.tensor.creation.ranges import ARange
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.advanced import AdvancedSubtensor
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.operators import Scalar
from symtheano.tensor.shapes.inferred import output_dims
from symtheano.tensor.shapes.reshape import Reshape
from symtheano.tensor.shapes.shape import Shape_i, as_dims
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Dim, Tensor, TensorConstant

OpT = TypeVar("OpT", bound=Op)

if TYPE_CHECKING:

    class _Node(Apply, Generic[OpT]):
        """A node with an op of a known class."""

        op: OpT

    class Computed(Tensor, Generic[OpT]):
        """A variable that an op of a known class computes."""

        owner: _Node[OpT]
        index: int


class Pattern:
    """An elementwise expression over pattern variables, and its replacement.

    The pattern is itself a graph over 0-d float64 variables, which can be printed, evaluated and
    proved. It is made when an expression is first compared with it: a first compilation would
    otherwise wait for all patterns, and meets few of them.

    Parameters
    ----------
    function
        Function of the pattern variables that returns the expression and its replacement.
    """

    def __init__(self, function: Callable[..., tuple[Tensor, Tensor]]) -> None:
        self.function = function

    @lazy
    def variables(self) -> tuple[Tensor, ...]:
        """The pattern variables."""
        names = self.function.__code__.co_varnames[: self.function.__code__.co_argcount]
        with origin_scope(None):
            return tuple(TensorType("float64", ()).make_variable(name) for name in names)

    @lazy
    def _sides(self) -> tuple[Tensor, Tensor]:
        with origin_scope(None):
            return self.function(*self.variables)

    @property
    def before(self) -> Tensor:
        """The expression."""
        return self._sides[0]

    @property
    def after(self) -> Tensor:
        """Its replacement."""
        return self._sides[1]

    def match(self, variable: Tensor) -> list[Tensor] | None:
        """Return the values of the pattern variables in ``variable``, or None."""
        match: dict[Variable, Tensor] = {}
        if not _match(self.before, variable, match):
            return None
        return [match[item] for item in self.variables]

    def build(self, match: Sequence[Tensor], like: Tensor) -> Tensor | None:
        """Return the replacement, with the dtype and shape of ``like``, or None."""
        try:
            _, after = self.function(*match)
        except TypeError:  # the row is not defined for this dtype
            return None
        return conform(after, like)


def _match(pattern: Tensor, variable: Tensor, match: dict[Variable, Tensor]) -> bool:
    """Match recursively, with commutative operands in both orders."""
    if isinstance(pattern, TensorConstant):
        value = scalar_value(variable)
        return value is not None and bool(value == pattern.data.item())
    if pattern.owner is None:
        if pattern in match:
            return same_value(match[pattern], variable)
        match[pattern] = variable
        return True
    row = pattern.owner.op.scalar_op
    if variable.owner is None or not isinstance(variable.owner.op, Elemwise):
        return False
    if variable.owner.op.scalar_op is not row:
        return False
    orders = [list(variable.owner.inputs)]
    if row.commutative:
        orders.append(orders[0][::-1])
    for order in orders:
        trial = dict(match)
        if all(_match(p, v, trial) for p, v in zip(pattern.owner.inputs, order, strict=True)):
            match.clear()
            match.update(trial)
            return True
    return False


def same_value(a: Tensor, b: Tensor) -> bool:
    """Return whether two variables are known to be equal (if interned: identical)."""
    return a is b


def scalar_value(variable: Tensor) -> Scalar | None:
    """Return the number to which all elements of a constant are equal, or None.

    Inserted axes and allocs are skipped; casts of constants have been folded.
    """
    while variable.owner is not None:
        if not isinstance(variable.owner.op, DimShuffle | Alloc):
            return None
        variable = variable.owner.inputs[0]
    if not isinstance(variable, TensorConstant):
        return None
    data = variable.data
    if data.size == 1:
        number: Scalar = data.item()
        return number
    if data.size == 0 or data.size > _LARGE:
        return None
    first = data.flat[0]
    return first.item() if bool((data == first).all()) else None


_LARGE = 10_000


def real_value(variable: Tensor) -> float | None:
    """Return what :func:`scalar_value` returns, but None instead of a complex number."""
    value = scalar_value(variable)
    return None if isinstance(value, complex) else value


def is_scalar_constant(variable: Tensor, *numbers: float) -> bool:
    """Return whether all elements of ``variable`` are one of ``numbers`` (default: any)."""
    value = scalar_value(variable)
    return value is not None and (not numbers or value in numbers)


def is_constant(variable: Tensor) -> TypeGuard[TensorConstant]:
    """Return whether ``variable`` is a constant, of any shape."""
    return isinstance(variable, TensorConstant)


def as_scalar(variable: Tensor) -> Tensor | None:
    """Return the 0-d variable that ``variable`` broadcasts along inserted axes, or None."""
    while variable.owner is not None and isinstance(variable.owner.op, DimShuffle | Alloc):
        variable = variable.owner.inputs[0]
    if isinstance(variable, TensorConstant) and variable.data.size == 1:
        return variable if variable.ndim == 0 else constant(variable.data.reshape(()))
    return variable if variable.ndim == 0 else None


def is_repeated(part: Tensor, whole: Tensor) -> bool:
    """Return whether ``part`` is known to be broadcast along an axis of ``whole``."""
    lengths = zip(part.type.shape, whole.type.shape, strict=True)
    return any(a == 1 and b != 1 for a, b in lengths)


def arrays_of(node: Apply) -> list[Tensor]:
    """Return the inputs of a node, all of which are arrays."""
    return node.inputs


def inputs_of(variable: Tensor, row: ScalarOp) -> list[Tensor] | None:
    """Return the operands if ``variable`` is computed by the scalar row, else None."""
    owner = variable.owner
    if owner is not None and isinstance(owner.op, Elemwise) and owner.op.scalar_op is row:
        return owner.inputs
    return None


def row_of(variable: Tensor) -> ScalarOp | None:
    """Return the scalar row that computes a variable, None of anything else."""
    owner = variable.owner
    if owner is None or not isinstance(owner.op, Elemwise):
        return None
    return owner.op.scalar_op


def computed_by(variable: Tensor, *ops: type[OpT]) -> TypeGuard[Computed[OpT]]:
    """Return whether an op of one of these classes computes ``variable``."""
    return variable.owner is not None and isinstance(variable.owner.op, ops)


def counts(array: Tensor) -> Tensor | None:
    """Return n, if an index array is ``arange(n)``; else None."""
    if not computed_by(array, ARange):
        return None
    start, stop, step = arrays_of(array.owner)
    if not is_scalar_constant(start, 0) or not is_scalar_constant(step, 1):
        return None
    return stop


def is_inserting(node: Apply) -> bool:
    """Return whether a dimshuffle only inserts axes."""
    order = node.op.new_order  # type: ignore[attr-defined]
    return [axis for axis in order if axis != "x"] == list(range(node.inputs[0].ndim))


def bare(variable: Tensor) -> Tensor:
    """Return a variable without axes of length one that were inserted."""
    while computed_by(variable, DimShuffle) and is_inserting(variable.owner):
        variable = variable.owner.inputs[0]
    return variable


SELECTING = (Subtensor, AdvancedSubtensor, Reshape, DimShuffle)
"""The ops whose results consist of elements of their first inputs."""


def unselected(variable: Tensor) -> Tensor:
    """Return the array of which a variable has elements: a part, gathered, in another order."""
    while computed_by(variable, *SELECTING):
        variable = variable.owner.inputs[0]
    return variable


def same_part(variable: Tensor, part: Tensor, whole: Tensor) -> Tensor | None:
    """Return the array of which a variable is the part that ``part`` is of ``whole``, or None."""
    while part is not whole:
        a, b = variable.owner, part.owner
        if a is None or b is None or a.op != b.op or a.inputs[1:] != b.inputs[1:]:
            return None
        variable, part = a.inputs[0], b.inputs[0]
    return variable


# -- shapes -------------------------------------------------------------------------------------


def dim_of(variable: Tensor, axis: int) -> Dim:
    """Return the length of an axis, traced back to its origin: an int or a variable."""
    while True:
        length = variable.type.shape[axis]
        if length is not None:
            return length
        if computed_by(variable, Elemwise):
            # The result of infer_shape for this axis only, because chains of these are long.
            variable = next(v for v in variable.owner.inputs if v.type.shape[axis] != 1)
            continue
        dims = output_dims(variable.owner, variable.index) if variable.owner is not None else None
        if dims is None:
            return Shape_i(axis)(variable)
        dim = dims[axis]
        if isinstance(dim, int) or dim.owner is None or not isinstance(dim.owner.op, Shape_i):
            return dim
        if dim.owner.inputs[0] is variable and dim.owner.op.axis == axis:
            return dim
        variable, axis = dim.owner.inputs[0], dim.owner.op.axis


def same_dim(a: Dim, b: Dim) -> bool:
    """Return whether two lengths (ints or 0-d variables) are known to be equal."""
    pairs = [(_plain_dim(a), _plain_dim(b))]
    budget = 64
    while pairs and budget:
        budget -= 1
        left, right = pairs.pop()
        if left is right or (isinstance(left, int) and left == right):
            continue
        if isinstance(left, int) or isinstance(right, int):
            return False
        if left.owner is None or right.owner is None or left.owner.op != right.owner.op:
            return False
        inputs = (_ordered(left.owner), _ordered(right.owner))
        if isinstance(left.owner.op, Shape_i):
            if inputs[0][0] is not inputs[1][0]:
                return False
            continue
        if len(inputs[0]) != len(inputs[1]):
            return False
        pairs.extend((_plain_dim(x), _plain_dim(y)) for x, y in zip(*inputs, strict=True))
    return not pairs


def _ordered(node: Apply) -> Sequence[Tensor]:
    """Return the operands of a node; of a commutative operation, a constant last."""
    op, operands = node.op, node.inputs
    if len(operands) == 2 and isinstance(op, Elemwise) and op.scalar_op.commutative:
        return sorted(operands, key=lambda item: isinstance(item, TensorConstant))
    return operands


def _plain_dim(dim: Dim) -> Dim:
    if isinstance(dim, TensorConstant) and dim.ndim == 0:
        length: int = dim.data.item()
        return length
    return dim


def conform(result: Tensor, like: Tensor) -> Tensor | None:
    """Return ``result`` broadcast to the shape of ``like``; None if dtype or lengths differ.

    A rule may return an expression with fewer operands than the original. If a removed operand
    determined the length of an axis, the result is broadcast along this axis.
    """
    if result.dtype != like.dtype:
        if not dtypes.is_discrete(result.dtype) and not isinstance(result, TensorConstant):
            return None
        result = cast(result, like.dtype)
    if result.ndim > like.ndim:
        return None
    missing = like.ndim - result.ndim
    repeated = any(
        length != 1 and (axis < missing or result.type.shape[axis - missing] == 1)
        for axis, length in enumerate(like.type.shape)
    )
    if repeated:
        dims = output_dims(like.owner, like.index) if like.owner is not None else None
        if dims is None:
            return None
        result = alloc_op(result, *as_dims(dims))
    elif missing:
        result = result.dimshuffle(*["x"] * missing, *range(result.ndim))
    return result if like.type.accepts(result.type) else None

"""Identity ops that change the gradient, and representations of missing gradients."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.graph.op import Op
from symtheano.graph.type import DisconnectedType, NullType
from symtheano.graph.variable import Apply, Variable
from symtheano.lowering import SAME_AXES
from symtheano.scalar import table as scalar

disconnected_type = DisconnectedType()
null_type = NullType()


class PassThrough(Op):
    """The identity, with another gradient; a view."""

    __props__: tuple[str, ...] = ()
    takes = "**"
    lowering = SAME_AXES

    def make_node(self, *inputs: Any) -> Apply:
        """Apply the op; for sparse matrices, its sparse equivalent."""
        if any(isinstance(getattr(item, "format", None), str) for item in inputs):
            from symtheano.sparse.steered import Steered

            return Steered(self).make_node(*inputs)
        return super().make_node(*inputs)

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the operand's type."""
        return [inputs[0].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The operand's shape."""
        return [shapes[0]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Return the value."""
        output_storage[0][0] = inputs[0]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Return the direction."""
        return list(eval_points)

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Return the whole batch."""
        return [self(batch.inputs[0])]


class DisconnectedGrad(PassThrough):
    """The gradient is disconnected, as if there were no dependence."""

    differentiable_inputs = 0


class ZeroGrad(PassThrough):
    """The gradient is zero."""

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Return zero."""
        return [None]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The derivative is zero."""
        return [None]


class UndefinedGrad(PassThrough):
    """The gradient is undefined; using it is an error."""

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Return an undefined gradient."""
        return [grad_undefined(self, 0, inputs[0])]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """There is none; the caller uses the pullback, which raises the error."""
        raise NotImplementedError(f"{self} has no R_op")


class GradClip(PassThrough):
    """The gradient is limited to an interval; Rop is not changed."""

    __props__ = ("lower_bound", "upper_bound")

    def __init__(self, lower_bound: float, upper_bound: float) -> None:
        self.lower_bound, self.upper_bound = lower_bound, upper_bound

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Clip."""
        (g,) = output_grads
        low, high = g.constant_like(self.lower_bound), g.constant_like(self.upper_bound)
        return [scalar.clip(g, low, high)]


class GradScale(PassThrough):
    """The gradient is multiplied by a number."""

    __props__ = ("multiplier",)

    def __init__(self, multiplier: float) -> None:
        self.multiplier = multiplier

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Scale."""
        (g,) = output_grads
        return [g * g.constant_like(self.multiplier)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Scale; the transpose of a factor is the factor."""
        (point,) = eval_points
        return [None if point is None else point * point.constant_like(self.multiplier)]


ConsiderConstant = ZeroGrad
zero_grad_ = consider_constant_ = ZeroGrad()
disconnected_grad_ = DisconnectedGrad()
undefined_grad_ = UndefinedGrad()


def disconnected_grad(x: Any) -> Any:
    """Return ``x``, treated as a constant in derivatives.

    If the cost depends on a variable only through ``x``, its gradient is disconnected: :func:`grad`
    raises :class:`DisconnectedInputError`. With :func:`zero_grad`, the gradient is zero instead.

    Examples
    --------
    >>> from symtheano import grad
    >>> x = T.scalar("x")
    >>> float(grad(x * disconnected_grad(x), x).eval({x: 3.0}))
    3.0
    """
    return disconnected_grad_(x)


def zero_grad(x: Any) -> Any:
    """Return ``x``, with a gradient of zero.

    Examples
    --------
    >>> from symtheano import grad
    >>> x = T.scalar("x")
    >>> float(grad(x * zero_grad(x), x).eval({x: 3.0})), float(grad(zero_grad(x), x).eval())
    (3.0, 0.0)
    """
    return zero_grad_(x)


consider_constant = zero_grad


def undefined_grad(x: Any) -> Any:
    """Return ``x``, with an undefined gradient. Using the gradient is an error.

    Examples
    --------
    >>> from symtheano import grad
    >>> x = T.scalar("x")
    >>> grad(undefined_grad(x), x, null_gradients="return").type
    NullType(undefined for input 0 of UndefinedGrad.)
    """
    return undefined_grad_(x)


def grad_clip(x: Any, lower_bound: float, upper_bound: float) -> Any:
    """Return ``x``, with its gradient limited to an interval, elementwise.

    Examples
    --------
    >>> from symtheano import grad
    >>> x = T.scalar("x")
    >>> float(grad(grad_clip(x, -1, 1) * 5, x).eval())
    1.0
    """
    return GradClip(lower_bound, upper_bound)(x)


def grad_scale(x: Any, multiplier: float) -> Any:
    """Return ``x``, with its gradient multiplied by ``multiplier``.

    Examples
    --------
    >>> from symtheano import grad
    >>> x = T.scalar("x")
    >>> float(grad(grad_scale(x, -1), x).eval())
    -1.0
    """
    return GradScale(multiplier)(x)


def grad_undefined(op: Op, x_pos: int, x: Any, comment: str = "") -> Variable:
    """Return a marker for an undefined gradient of an input of an op.

    The ``grad`` method of an op returns the marker for this input. There is an error only if the
    gradient is needed.

    Parameters
    ----------
    op
        The op, for the message.
    x_pos
        Position of the input.
    x
        The input.
    comment
        The reason.

    Examples
    --------
    >>> x = T.dscalar("x")
    >>> grad_undefined(T.exp(x).owner.op, 0, x, "it is a label").type
    NullType(undefined for input 0 of ...)
    """
    return Variable(NullType(f"undefined for input {x_pos} of {op}. {comment}".strip()))


def grad_not_implemented(op: Op, x_pos: int, x: Any, comment: str = "") -> Variable:
    """Return a marker for a gradient that is not implemented; see :func:`grad_undefined`.

    Examples
    --------
    >>> x = T.dscalar("x")
    >>> grad_not_implemented(T.exp(x).owner.op, 0, x, "too hard").type
    NullType(not implemented for input 0 of ...)
    """
    return Variable(NullType(f"not implemented for input {x_pos} of {op}. {comment}".strip()))

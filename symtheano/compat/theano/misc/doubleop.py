"""``theano.misc.doubleop``: the op of the tutorial."""

from __future__ import annotations

from typing import Any

from symtheano import Apply, Op
from symtheano.tensor import as_tensor_variable


class DoubleOp(Op):
    """Twice an array."""

    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        x = as_tensor_variable(x)
        return Apply(self, [x], [x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        output_storage[0][0] = inputs[0] * 2

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[Any]:
        return shapes

    def grad(self, inputs: Any, output_grads: Any) -> Any:
        return [output_grads[0] * 2]

    def R_op(self, inputs: Any, eval_points: Any) -> Any:
        return eval_points if eval_points[0] is None else self.grad(inputs, eval_points)

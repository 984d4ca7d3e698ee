"""Conditions that are checked in each call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from operator import attrgetter
from typing import Any

import numpy as np

from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply, Constant
from symtheano.lowering import SAME_AXES
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import call_message
from symtheano.tensor.shapes.shape import Shape_i
from symtheano.tensor.type import TensorType


class Assert(Op):
    """The first input, after a check that all other inputs are true; a view.

    Parameters
    ----------
    msg
        First line of the error.

    Raises
    ------
    AssertionError
        In a call, if a condition or an element of it is false.

    Examples
    --------
    >>> x = T.vector("x")
    >>> Assert("x is not empty")(x, x.shape[0] > 0).eval({x: [1.0]})
    array([1.])
    """

    __call__: Callable[..., Tensor]
    __props__: tuple[str, ...] = ("msg",)
    takes = "** **..."
    error: type[Exception] = AssertionError
    code = "value"
    differentiable_inputs = 1
    lowering = SAME_AXES

    def __init__(self, msg: str = "a condition does not hold") -> None:
        self.msg = msg

    def make_node(self, *inputs: Any) -> Apply:
        """Convert each condition to a 0-d bool."""
        value, *conditions = (as_tensor_variable(item) for item in inputs)
        truths = [c.all() if c.ndim else c if c.dtype == "bool" else scalar.neq(c, 0)
                  for c in conditions]  # fmt: skip
        return Apply(self, [value, *truths], [TensorType(value.dtype, value.type.shape)])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Every condition is true."""
        return [
            Requirement(
                condition=bool(c.data) if isinstance(c, Constant) else c,
                values=(),
                message=partial(self.message, node),
                code=self.code,
                error=self.raised(),
            )
            for c in node.inputs[1:]
        ]

    def raised(self) -> type[Exception]:
        """Return the class of the error."""
        return self.error

    def message(self, node: Apply, values: Sequence[int]) -> str:
        """Return the error message."""
        return call_message(self.msg, node, node.inputs[0])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        if not all(np.all(condition) for condition in inputs[1:]):
            raise self.raised()(self.message(node, []))
        output_storage[0][0] = inputs[0]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The identity."""
        return [*output_grads, *[None] * (len(inputs) - 1)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The identity."""
        return [eval_points[0]]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Check the conditions of all batch items together."""
        return [self(batch.full(0), *batch.inputs[1:])]


class Require(Assert):
    """Requirements of this package's functions on their arguments; raises ``ValueError``."""

    error = ValueError
    code = "value"


class AssertOrRaise(Assert):
    """As :class:`Assert`, with an error of another class.

    The class is known by its name, so that graphs in the cache do not depend on other packages.

    Parameters
    ----------
    msg
        First line of the error.
    module, name
        Where the class of the error is found when it is needed.

    Examples
    --------
    >>> x = T.vector("x")
    >>> check = AssertOrRaise("x is empty", "builtins", "LookupError")
    >>> check(x, x.shape[0] > 0).eval({x: [1.0]})
    array([1.])
    """

    __props__ = ("msg", "module", "name")

    def __init__(self, msg: str, module: str, name: str) -> None:
        super().__init__(msg)
        self.module, self.name = module, name

    def raised(self) -> type[Exception]:
        """Return the class of the error."""
        error: type[Exception] = attrgetter(self.name)(import_module(self.module))
        return error


def assert_op(value: Any, *conditions: Any) -> Tensor:
    """Return ``value``; a call raises ``AssertionError`` if one of the conditions is false.

    Examples
    --------
    >>> x = T.vector("x")
    >>> assert_op(x, T.all(x > 0)).type
    TensorType(float64, vector)
    """
    return Assert()(value, *conditions)


class RequireMemory(Assert):
    """As :class:`Require`, for sizes that no array can have; raises ``MemoryError``."""

    error = MemoryError
    code = "value"


def required(value: Any, condition: Any, message: str, error: type[Exception] = ValueError) -> Any:
    """Return ``value``; a call raises ``ValueError`` or ``MemoryError`` if the condition is false.

    Examples
    --------
    >>> n = T.lscalar("n")
    >>> int(required(n, n > 0, "choose: n is positive").eval({n: 2}))
    2
    """
    return (Require if error is ValueError else RequireMemory)(message)(value, condition)


def keep_required(value: Any, others: Sequence[Any]) -> Tensor:
    """Return ``value``; a call also checks what the nodes of ``others`` require of lengths.

    The conditions are always true. Rewriting removes the nodes that compute them, but keeps their
    requirements on lengths, so nothing is computed for them.

    Examples
    --------
    >>> x, y = T.vectors("x", "y")
    >>> keep_required(x, [x + y]).eval({x: [1.0], y: [2.0]})
    array([1.])
    """
    truths = [Shape_i(0)(item) >= 0 if item.ndim else scalar.or_(scalar.eq(item, item), True)
              for item in others]  # fmt: skip
    return Assert("the lengths of the operands differ")(value, *truths)

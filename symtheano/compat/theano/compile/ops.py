"""Ops on any values, and those that are made from functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano.graph.variable import Apply, Variable
from symtheano.tensor.as_op import FromFunctionOp as FromFunctionOp, as_op as as_op
from symtheano.tensor.shapes.shape import Shape_i as Shape_i
from symtheano.tensor.shapes.static_shape import (
    SpecifyShape as SpecifyShape,
    addbroadcast,
    specify_shape as specify_shape,
)

from ..gof import Op, hashtype

expandable_types: tuple[type, ...] = ()


class ViewOp(Op):
    """Returns its input; subclasses have a gradient of their own.

    It is replaced by its input before a function is made.
    """

    view_map: dict[int, list[int]] = {0: [0]}  # noqa: RUF012
    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        """Apply to a variable of any type."""
        return Apply(self, [x], [x.type()])

    def inlined(self, inputs: Sequence[Variable]) -> list[Variable]:
        """Return the input."""
        return list(inputs)

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        """Return the input."""
        output_storage[0][0] = inputs[0]

    def infer_shape(self, node: Apply, shapes: Any) -> Any:
        """Return the shape of the input."""
        return shapes

    def grad(self, inputs: Any, output_grads: Any) -> Any:
        """Return the gradient by the output."""
        return list(output_grads)

    def R_op(self, inputs: Any, eval_points: Any) -> Any:
        """Return the direction."""
        return list(eval_points)


class OutputGuard(ViewOp):
    """Returns its input."""


class DeepCopyOp(ViewOp):
    """Returns its input; outputs of functions never share memory with other arrays."""


view_op, _output_guard, deep_copy_op = ViewOp(), OutputGuard(), DeepCopyOp()


class Shape(Op):
    """The shape of an array, as a vector; it is replaced by its lengths."""

    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        """Apply to an array."""
        from symtheano.tensor import as_tensor_variable, lvector

        return Apply(self, [as_tensor_variable(x)], [lvector()])

    def inlined(self, inputs: Sequence[Variable]) -> list[Variable]:
        """Return symtheano's shape."""
        from symtheano.tensor import shape

        return [shape(inputs[0])]

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        """Return the shape."""
        import numpy as np

        output_storage[0][0] = np.asarray(inputs[0].shape, dtype="int64")

    def grad(self, inputs: Any, output_grads: Any) -> Any:
        """Return no gradient."""
        from symtheano.graph.op import disconnected

        return [disconnected()]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Lengths do not depend on elements."""
        return [[False]]


shape = _shape = Shape()


def shape_i(var: Any, i: int, fgraph: Any = None) -> Any:
    """Return the length of an axis."""
    return Shape_i(i)(var)


def shape_i_op(i: int) -> Shape_i:
    """Return the op that returns the length of an axis."""
    return Shape_i(i)


class Rebroadcast(Op):
    """Declares which axes have length one.

    Parameters
    ----------
    *axes
        Pairs (axis, whether its length is one).
    """

    def __init__(self, *axes: tuple[int, bool]) -> None:
        for axis, _ in axes:
            if not isinstance(axis, int):
                raise TypeError(f"Rebroadcast needs integer axes. Got {axis!r}")
        self.axis = dict(axes)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Rebroadcast) and type(self) is type(other) and self.axis == other.axis
        )

    def __hash__(self) -> int:
        return hash((hashtype(self), frozenset(self.axis.items())))

    def __str__(self) -> str:
        if not self.axis:
            return "Rebroadcast"
        inner = ",".join(f"{axis},{int(one)}" for axis, one in sorted(self.axis.items()))
        return f"Rebroadcast{{{inner}}}"

    def make_node(self, x: Any) -> Apply:
        """Apply to an array.

        Raises
        ------
        ValueError
            If the array does not have an axis.
        """
        if self.axis and max(self.axis) >= x.ndim:
            raise ValueError("Trying to rebroadcast non-existent dimension")
        return Apply(self, [x], [self._declared(x).type()])

    def _declared(self, x: Any) -> Any:
        return addbroadcast(x, *(axis for axis, one in self.axis.items() if one))

    def inlined(self, inputs: Sequence[Variable]) -> list[Variable]:
        """Return the array whose type tells these lengths."""
        return [self._declared(inputs[0])]

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        """Return the array, whose lengths are checked."""
        (x,) = inputs
        for axis, one in self.axis.items():
            if one and x.shape[axis] != 1:
                raise ValueError(f"Dimension {axis} in Rebroadcast's input was supposed to be 1")
        output_storage[0][0] = x

    def grad(self, inputs: Any, output_grads: Any) -> Any:
        """Return the gradient by the output."""
        return list(output_grads)

    def infer_shape(self, node: Apply, shapes: Any) -> Any:
        """Return the shape of the input."""
        return shapes

    def R_op(self, inputs: Any, eval_points: Any) -> Any:
        """Return the direction."""
        if eval_points[0] is None:
            return [None]
        return self(*eval_points, return_list=True)


def _register(type: Any, code: str, *more: Any, version: Any = ()) -> None:
    """Do nothing: values of other types are copied, viewed and measured in Python."""


register_view_op_c_code = register_deep_copy_op_c_code = _register
register_shape_c_code = register_shape_i_c_code = _register
register_rebroadcast_c_code = register_specify_shape_c_code = _register


def load_back(mod: str, name: str) -> Any:
    """Return an op from a pickle, by the module and the name of its function."""
    from importlib import import_module

    return getattr(import_module(mod), name)

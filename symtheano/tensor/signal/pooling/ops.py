"""Pooling, its gradient, and its derivative along a direction: one op.

The last axes of an image have windows. For sums and averages, which are linear, there are two maps
that are adjoint: of an image to its result, and of a result to an image. The largest elements have
three: the result; the gradient, of which each element that is equal to the largest one of a window
gets that of the window; and the derivative along a direction, the sum of its elements that belong
to elements equal to the largest one. The last two are linear in the gradient and the direction, and
adjoint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement, disconnected
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.creation.filled import zeros_like
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.convolution.fit import Condition
from symtheano.tensor.routine import count_rows
from symtheano.tensor.shapes.shape import as_dims, dim_value, shape_of, static_dims
from symtheano.tensor.signal.pooling import reference
from symtheano.tensor.signal.pooling.fit import conditions
from symtheano.tensor.signal.pooling.windows import Windows, check, numbers_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays

Wanted: TypeAlias = Literal["result", "image", "tangent"]
Mode: TypeAlias = Literal["max", "sum", "average_inc_pad", "average_exc_pad"]

_MODES = get_args(Mode)
_COUNTED = {"max": 0, "sum": 0, "average_inc_pad": 1, "average_exc_pad": 2}

# The arrays that each map takes; those that are as large as results are in _OF_RESULTS.
_TAKEN: dict[tuple[bool, str], tuple[str, ...]] = {
    (True, "result"): ("image",),
    (True, "image"): ("image", "result", "gradient"),
    (True, "tangent"): ("image", "result", "direction"),
    (False, "result"): ("image",),
    (False, "image"): ("gradient",),
}
_OF_RESULTS = ("result", "gradient")


class Pooling(Op):
    """Largest elements, sums or averages of windows; their gradients and tangents.

    The gradient of sums and averages takes that of the result, and the lengths of the image's last
    axes as 0-d integers or as one vector.

    Attributes
    ----------
    wanted
        ``"result"``; ``"image"``, for a gradient; ``"tangent"``, for a derivative along a
        direction, of largest elements only.
    ws, ignore_border, stride, pad
        See :class:`~symtheano.tensor.signal.pooling.windows.Windows`.
    mode
        ``"max"``, ``"sum"``, ``"average_inc_pad"`` or ``"average_exc_pad"``.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("wanted", "ws", "ignore_border", "stride", "pad", "mode")
    takes = "** **..."

    def __init__(
        self,
        wanted: Wanted = "result",
        ws: Any = (2, 2),
        ignore_border: bool = True,
        stride: Any = None,
        pad: Any = None,
        mode: Mode = "max",
    ) -> None:
        if mode not in _MODES:
            hint = f"give one of {', '.join(map(repr, _MODES))}"
            raise ValueError(build_message(f"pooling: mode={mode!r} is not known", hint=hint))
        if (mode == "max", wanted) not in _TAKEN:
            raise ValueError(build_message(f"pooling: no wanted={wanted!r} for mode={mode!r}"))
        self.wanted: Wanted = wanted
        self.mode: Mode = mode
        self.ws = numbers_of("ws", ws)
        self.ignore_border = bool(ignore_border)
        self.stride = self.ws if stride is None else numbers_of("stride", stride)
        self.pad = (0,) * len(self.ws) if pad is None else numbers_of("pad", pad, 0)
        check(self.at)

    @property
    def at(self) -> Windows:
        """The windows."""
        return Windows(self.ws, self.ignore_border, self.stride, self.pad)

    @property
    def arrays(self) -> tuple[str, ...]:
        """The names of the arrays that it takes."""
        return _TAKEN[self.mode == "max", self.wanted]

    @property
    def differentiable_inputs(self) -> int:  # type: ignore[override]
        """The arrays; lengths have no gradient."""
        return len(self.arrays)

    def for_the(self, wanted: Wanted) -> Pooling:
        """Return another map with the same windows."""
        return Pooling(wanted, *self.at, mode=self.mode)

    def make_node(self, *inputs: Any) -> Apply:
        """Bring all arrays to one dtype; lengths may be one vector."""
        count = len(self.arrays)
        arrays = [as_tensor_variable(item) for item in inputs[:count]]
        dtype = dtypes.upcast(*(item.dtype for item in arrays)) if arrays else "float64"
        lengths = as_dims(inputs[count:], self.at.dims) if len(inputs) > count else []
        operands = [*(cast(item, dtype) for item in arrays), *lengths]
        return Apply(self, operands, self.infer(*operands))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Check dtypes and the shapes that are known."""
        names, dims = self.arrays, self.at.dims
        arrays, lengths = inputs[: len(names)], inputs[len(names) :]
        count = dims if len(names) == 1 and self.wanted == "image" else 0
        if len(arrays) < len(names) or len(lengths) != count:
            also = f", and {count} lengths" if count else ""
            raise TypeError(build_message(f"{self} takes {', '.join(names)}{also}", *inputs))
        dtype, ndim = arrays[0].dtype, arrays[0].ndim
        refused = dtypes.DISCRETE if self.mode.startswith("average") else dtypes.BOOL
        if dtype in (*refused, "float16", *dtypes.COMPLEX):
            hint = "cast them to float32 or float64"
            raise TypeError(build_message(f"{self}: arrays of {dtype}", *arrays, hint=hint))
        if ndim < dims or any((item.dtype, item.ndim) != (dtype, ndim) for item in arrays):
            what = f"{self}: arrays of one dtype with at least {dims} axes, and as many, are needed"
            raise TypeError(build_message(what, *arrays))
        if any(item.dtype != "int64" or item.ndim for item in lengths):
            raise TypeError(build_message(f"{self}: lengths must be 0-d int64", *lengths))
        shapes = [item.type.shape for item in arrays]
        image = self._image(shapes, static_dims(lengths))
        for condition in conditions(self.at, image, self._named_shapes(shapes)):
            if condition.holds is False:
                raise ShapeError(condition.message(None, arrays, str(self)))
        return [TensorType(dtype, self._wanted_shape(image))]

    def _image(self, shapes: Sequence[Any], lengths: Sequence[Any]) -> tuple[Any, ...]:
        """Return the shape of the image."""
        if self.arrays[0] == "image":
            return tuple(shapes[0])
        return (*shapes[0][: len(shapes[0]) - self.at.dims], *lengths)

    def _named_shapes(self, shapes: Sequence[Any]) -> list[tuple[str, Any, bool]]:
        """Return name and shape of each array, and whether it is as large as the result."""
        named = zip(self.arrays, shapes, strict=True)
        return [(name, tuple(shape), name in _OF_RESULTS) for name, shape in named]

    def _wanted_shape(self, image: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(image) if self.wanted == "image" else self.at.lengths(image)

    def _image_of(self, node: Apply, shapes: Sequence[Any]) -> tuple[Any, ...]:
        return self._image(shapes, [dim_value(item) for item in node.inputs[len(self.arrays) :]])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The number of windows, or the lengths of the image."""
        return [self._wanted_shape(self._image_of(node, shapes))]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The shapes of images, results and gradients agree."""
        named_shapes = self._named_shapes(shapes[: len(self.arrays)])
        return [
            Requirement(item.holds, item.values, partial(_misfit, node, item), equal=item.equal)
            for item in conditions(self.at, self._image_of(node, shapes), named_shapes)
        ]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        at, count = self.at, len(self.arrays)
        arrays, lengths = inputs[:count], [int(n) for n in inputs[count:]]
        shapes = [array.shape for array in arrays]
        image = self._image(shapes, lengths)
        for condition in conditions(at, image, self._named_shapes(shapes)):
            raise ShapeError(condition.message(node, node.inputs[:count], str(self)))
        windowed = image[len(image) - at.dims :]
        with np.errstate(all="ignore"):
            if self.mode != "max":
                sizes = reference.average_sizes(at, windowed, self.mode, arrays[0].dtype)
                if self.wanted == "result":
                    result = reference.combined(arrays[0], at, largest=False)
                    result = result if self.mode == "sum" else result / sizes
                else:
                    g = arrays[0] if self.mode == "sum" else arrays[0] / sizes
                    result = reference.spread(g, at, windowed)
            elif self.wanted == "result":
                result = reference.combined(arrays[0], at, largest=True)
            else:
                is_image = self.wanted == "image"
                compute = reference.largest_image if is_image else reference.largest_tangent
                x, y, last = arrays
                result = compute(x, y, last, at)
        output_storage[0][0] = result

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The adjoint map; what is compared has a gradient of zero."""
        (grad,) = output_grads
        if self.mode == "max":
            if self.wanted == "result":
                return [self.for_the("image")(inputs[0], outputs[0], grad)]
            other = self.for_the("tangent" if self.wanted == "image" else "image")
            return [*map(zeros_like, inputs[:2]), other(*inputs[:2], grad)]
        if self.wanted == "image":
            return [self.for_the("result")(grad), *(disconnected() for _ in inputs[1:])]
        lengths = shape_of(inputs[0])[inputs[0].ndim - self.at.dims :]
        return [self.for_the("image")(grad, *as_dims(lengths))]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The same map of the direction, or the derivative along it."""
        if self.arrays != ("image",) or self.mode != "max":
            last = len(self.arrays) - 1
            point = eval_points[last]
            operands = (*inputs[:last], point, *inputs[last + 1 :])
            return [None if point is None else self(*operands)]
        (point,) = eval_points
        (x,) = inputs
        return [None if point is None else self.for_the("tangent")(x, self(x), point)]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Axes in front have no windows."""
        count = len(self.arrays)
        batch.needs_plain(node, count)
        return [self(*(batch.full(k) for k in range(count)), *batch.inputs[count:])]

    @partial(Statements, accepts=contiguous, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call the routine, for three axes: those that are missing come first."""
        dims, views = self.at.dims, [*arrays.inputs[: len(self.arrays)], *arrays.outputs]
        of_results = [name in _OF_RESULTS for name in self.arrays]
        of_results.append(self.wanted != "image")
        image = views[of_results.index(False)].shape
        result = views[of_results.index(True)].shape
        items = count_rows(arrays.inputs[0], dims)

        def three(values: Sequence[Any], missing: int = 1) -> list[Any]:
            return [*[missing] * (3 - dims), *values[len(values) - dims :]]

        kind = "max" if self.mode == "max" else "sum"
        name = f"pool_{kind}" if self.wanted == "result" else f"pool_{kind}_{self.wanted}"
        b.call(
            name, items, *three(image), *three(result), *three(self.ws), *three(self.stride),
            *three(self.pad, 0), _COUNTED[self.mode], *(view.address for view in views),
        )  # fmt: skip

    def __str__(self) -> str:
        what = {"result": "", "image": "_grad", "tangent": "_tangent"}[self.wanted]
        return f"pool_{self.at.dims}d{what}{{{self.mode}}}"


def _misfit(node: Apply, condition: Condition, values: Sequence[int]) -> str:
    arrays = node.inputs[: len(condition.operands)]
    return condition.message(node, arrays, str(node.op), values)

"""Convolution and its two gradients: three forms of one bilinear map.

An image is (items, channels, *lengths), a filter (filters, channels of a group, *lengths), and the
result (items, filters, *positions). ``result[n, f, t]`` is the sum, over the channels c of the
group of f and over k, of ``image[n, c, t * stride + k * dilation - before] * filter[f, c, k]``;
outside of the image are zeros. Flipped filters are read backwards, as in the mathematical
convolution. Unshared filters have one filter per position: (filters, *positions, channels,
*lengths).

See V. Dumoulin and F. Visin, "A guide to convolution arithmetic for deep learning" (2016).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from symtheano import dtypes
from symtheano.config import config
from symtheano.graph.lazy import lazy
from symtheano.graph.lifted import Lifted
from symtheano.graph.op import Op, Requirement, disconnected
from symtheano.graph.variable import Apply, Constant
from symtheano.lowering import Statements, contiguous
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.convolution import reference
from symtheano.tensor.nnet.convolution.batching import in_batch
from symtheano.tensor.nnet.convolution.fit import (
    FACTORS,
    Condition,
    Role,
    Shapes,
    Slide,
    conditions,
)
from symtheano.tensor.nnet.convolution.windows import border_of, counts_of
from symtheano.tensor.shapes.shape import as_dims, dim_value, shape_of, static_dims
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays

_ROUTINES: Mapping[Role, str] = {
    "result": "convolution",
    "image": "convolution_inputs",
    "filter": "convolution_weights",
}
_NAMES: Mapping[Role, str] = {
    "result": "",
    "image": "_grad_wrt_inputs",
    "filter": "_grad_wrt_weights",
}
_REFUSED = ("bool", "float16")


class Convolution(Op):
    """The image, the filter or the result of a convolution, computed from the two others.

    From image and filter follows the result. The other two are gradients, which also take the
    lengths of their axes, without items and channels, as 0-d integers or as one vector: with a
    stride, images of different lengths have the same result. Inputs are in the order image, filter,
    result.

    Attributes
    ----------
    wanted
        What is computed: ``"result"``, ``"image"`` (a transposed convolution) or ``"filter"``.
    border, subsample, dilation
        Zeros around the image, distance of positions, distance of the filter's elements. See
        :func:`~symtheano.tensor.nnet.convolution.windows.border_of`.
    groups
        Number of groups of channels.
    flip
        Whether filters are read backwards.
    unshared
        Whether filters differ from position to position.
    """

    __call__: Callable[..., Tensor]
    __props__ = ("wanted", "border", "subsample", "dilation", "groups", "flip", "unshared")
    takes = "** ** l0..."
    differentiable_inputs = 2

    def __init__(
        self,
        wanted: Role = "result",
        border: Any = "valid",
        subsample: Any = (1, 1),
        dilation: Any = (1, 1),
        groups: int = 1,
        flip: bool = True,
        unshared: bool = False,
    ) -> None:
        axes = len(subsample) if isinstance(subsample, tuple | list) else 0
        if wanted not in get_args(Role) or axes not in (1, 2, 3):
            raise ValueError(
                build_message(f"no convolution has wanted={wanted!r}, subsample={subsample!r}")
            )
        self.wanted: Role = wanted
        self.border = border_of(border, axes)
        self.subsample = counts_of("subsample", subsample, axes)
        self.dilation = counts_of("filter_dilation", dilation, axes)
        (self.groups,) = counts_of("num_groups", groups, 1)
        self.flip, self.unshared = bool(flip), bool(unshared)

    @property
    def at(self) -> Slide:
        """How filters slide."""
        return Slide(self.border, self.subsample, self.dilation, self.groups, self.unshared)

    @lazy
    def lowering(self) -> Statements:
        """Calls of the routine. Images and results are completed item by item."""
        write, scalars = Convolution.write, Convolution.scalars
        completed = self.wanted != "filter"
        return Statements(write, contiguous, scalars, workspace=True, epilogue=completed)

    def for_the(self, wanted: Role, groups: int | None = None) -> Convolution:
        """Return the map to another one of the three, with the same windows."""
        return Convolution(
            wanted, self.border, self.subsample, self.dilation,
            self.groups if groups is None else groups, self.flip, self.unshared,
        )  # fmt: skip

    def make_node(self, *inputs: Any) -> Apply:
        """Bring both arrays to one dtype; lengths may be one vector, as in Theano."""
        arrays = [as_tensor_variable(item) for item in inputs[:2]]
        dtype = dtypes.upcast(*(item.dtype for item in arrays))
        if dtype in _REFUSED:
            hint = "cast them to float32 or to an integer dtype"
            raise TypeError(build_message(f"{self}: arrays of {dtype}", *arrays, hint=hint))
        lengths = as_dims(inputs[2:], self.at.dims) if len(inputs) > 2 else []
        operands = [*(cast(item, dtype) for item in arrays), *lengths]
        return Apply(self, operands, self.infer(*operands))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Check the shapes that are known.

        With ``config.theano_semantics``, windows that do not fit are an error of the call only.
        """
        arrays, lengths = inputs[:2], inputs[2:]
        dims = self.at.dims
        if len(arrays) < 2 or len(lengths) != (0 if self.wanted == "result" else dims):
            takes = "two arrays" if self.wanted == "result" else f"two arrays and {dims} lengths"
            raise TypeError(build_message(f"{self} takes {takes}", *inputs))
        for role, array in zip(FACTORS[self.wanted], arrays, strict=True):
            ndim = 2 + dims * (1 + (role == "filter" and self.unshared))
            if array.ndim != ndim:
                what = f"{self}: the {role} has {array.ndim} axes, not {ndim}"
                hint = f"the axes are {self.at.axes(role)}"
                raise TypeError(build_message(what, *arrays, hint=hint))
        shapes = self._shapes([item.type.shape for item in arrays], static_dims(lengths))
        for condition in conditions(self.at, shapes, self.wanted):
            if condition.holds is False and not config.theano_semantics:
                raise condition.error(condition.message(None, arrays, str(self)))
        wanted = [None if n is not None and n < 0 else n for n in self._wanted_shape(shapes)]
        return [TensorType(arrays[0].dtype, wanted)]

    def _shapes(self, factor_shapes: Sequence[Any], lengths: Iterable[Any]) -> Shapes:
        """Return all three shapes, from those of the two arrays."""
        by_role = dict(zip(FACTORS[self.wanted], factor_shapes, strict=True))
        image, kernel, result = (by_role.get(role, ()) for role in get_args(Role))
        match self.wanted:
            case "result":
                result = (image[0], kernel[0], *self.at.positions(image, kernel))
            case "image":
                channels = kernel[-self.at.dims - 1]
                channels = None if channels is None else channels * self.groups
                image = (result[0], channels, *lengths)
            case "filter":
                channels = None if image[1] is None else image[1] // self.groups
                positions = result[2:] if self.unshared else ()
                kernel = (result[1], *positions, channels, *lengths)
        return Shapes(image, kernel, result)

    def _shapes_of(self, node: Apply, shapes: Sequence[Any]) -> Shapes:
        return self._shapes(shapes[:2], [dim_value(item) for item in node.inputs[2:]])

    def _wanted_shape(self, shapes: Shapes) -> tuple[Any, ...]:
        return tuple(shapes[get_args(Role).index(self.wanted)])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The positions of the windows, or the given lengths."""
        return [self._wanted_shape(self._shapes_of(node, shapes))]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Channels and positions fit."""
        return [
            Requirement(
                item.holds, item.values, partial(_misfit, node, item), equal=item.equal,
                error=item.error,
            )
            for item in conditions(self.at, self._shapes_of(node, shapes), self.wanted)
        ]  # fmt: skip

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        arrays, lengths = inputs[:2], [int(n) for n in inputs[2:]]
        shapes = self._shapes([array.shape for array in arrays], lengths)
        for condition in conditions(self.at, shapes, self.wanted):
            raise condition.error(condition.message(node, node.inputs[:2], str(self)))
        dims = self.at.dims
        windows = reference.Windows(
            tuple(shapes.image[2:]), tuple(shapes.filter[-dims:]), tuple(shapes.result[2:]),
            tuple(self.at.before(shapes.filter)), self.subsample, self.dilation, self.groups,
        )  # fmt: skip
        factors = dict(zip(FACTORS[self.wanted], arrays, strict=True))
        turned = tuple(range(-dims, 0)) if self.flip else ()
        if "filter" in factors:
            factors["filter"] = np.flip(factors["filter"], turned)
        with np.errstate(all="ignore"):
            match self.wanted:
                case "result":
                    result = reference.convolve(factors["image"], factors["filter"], windows)
                case "image":
                    result = reference.convolve_inputs(
                        factors["filter"], factors["result"], windows
                    )
                case "filter":
                    arguments = factors["image"], factors["result"], windows, self.unshared
                    result = np.ascontiguousarray(
                        np.flip(reference.convolve_weights(*arguments), turned)
                    )
        output_storage[0][0] = result

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The map to each factor, from the other one and the gradient."""
        factors = dict(zip(FACTORS[self.wanted], inputs[:2], strict=True))
        grads = []
        for role, factor in factors.items():
            arrays = {r: scalar.conj(f) for r, f in factors.items() if r != role}
            arrays[self.wanted] = output_grads[0]
            lengths = () if role == "result" else shape_of(factor)[-self.at.dims :]
            operands = (arrays[r] for r in FACTORS[role])
            grads.append(self.for_the(role)(*operands, *as_dims(lengths)))
        return [*grads, *(disconnected() for _ in inputs[2:])]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The product rule."""
        (x, y, *lengths), (dx, dy) = inputs, eval_points[:2]
        terms = [self(dx, y, *lengths)] if dx is not None else []
        terms += [self(x, dy, *lengths)] if dy is not None else []
        return [None if not terms else terms[0] if len(terms) == 1 else terms[0] + terms[1]]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Merge the batch with items, channels, filters or groups."""
        return [in_batch(self, node, batch)]

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return the number of filters of a group, and of zeros before each axis."""
        kernel = self._shapes_of(node, shapes).filter
        return [kernel[0] // self.groups, *self.at.before(kernel)]

    def write(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Call the routine, for three axes: those that are missing come first."""
        dims = self.at.dims
        roles = (*FACTORS[self.wanted], self.wanted)
        views = dict(zip(roles, [*arrays.inputs[:2], *arrays.outputs], strict=True))
        image, kernel, result = (views[role].shape for role in get_args(Role))

        def three(values: Sequence[Any], missing: int = 1) -> list[Any]:
            return [*[missing] * (3 - dims), *values]

        filters, *before = arrays.scalars
        packed = [] if self.wanted == "filter" else [self._number_of_call(b, node)]
        b.call(
            _ROUTINES[self.wanted], image[0], self.groups, kernel[-dims - 1], filters,
            *three(image[2:]), *three(kernel[-dims:]), *three(result[2:]), *three(before, 0),
            *three(self.subsample), *three(self.dilation), int(self.flip), int(self.unshared),
            *packed, *(view.address for view in views.values()),
        )  # fmt: skip

    def _number_of_call(self, b: Builder, node: Apply) -> int:
        """Return the number under which a call keeps its packed filter; 0 if it may change."""
        if not isinstance(node.inputs[FACTORS[self.wanted].index("filter")], Constant | Lifted):
            return 0
        b.constant_calls += 1
        return b.constant_calls

    def __str__(self) -> str:
        return f"conv{self.at.dims}d{_NAMES[self.wanted]}"


def _misfit(node: Apply, condition: Condition, values: Sequence[int]) -> str:
    return condition.message(node, node.inputs[:2], str(node.op), values)

"""Convolutions as Theano's classes: constructed with parameters, then called with arrays.

``imshp`` and ``kshp`` are the shapes of the image and the filter of the convolution itself, even if
one of them is the result of a gradient. Given lengths are declared: a call with other lengths
fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from symtheano import dtypes
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message, called
from symtheano.tensor.nnet.convolution.fit import Role, Slide
from symtheano.tensor.nnet.convolution.lengths import (
    get_conv_gradinputs_shape_1axis,
    get_conv_gradweights_shape_1axis,
    length_of,
)
from symtheano.tensor.nnet.convolution.ops import Convolution
from symtheano.tensor.nnet.convolution.windows import counts_of
from symtheano.tensor.shapes.shape import as_dims, shape_of
from symtheano.tensor.shapes.static_shape import declared


class BaseAbstractConv:
    """How filters slide over images with one, two or three axes.

    Parameters
    ----------
    convdim
        The number of axes of an image, without items and channels.
    imshp, kshp
        The shapes of the image and of the filter, with None for unknown lengths; or None.
    border_mode
        ``"valid"``, ``"half"``, ``"full"``, a number of zeros on all sides of the image, or a tuple
        with a number or a pair of numbers for each axis.
    subsample, filter_dilation
        Stride and dilation: the distances of filter positions and of filter elements, one number
        for each axis.
    filter_flip
        Whether filters are flipped, as in the mathematical convolution.
    num_groups
        Number of groups of channels that are convolved separately.
    unshared
        Whether filters differ from position to position.

    Raises
    ------
    ValueError
        If an argument is malformed.
    """

    wanted: ClassVar[Role]

    def __init__(
        self,
        convdim: int,
        imshp: Any = None,
        kshp: Any = None,
        border_mode: Any = "valid",
        subsample: Any = None,
        filter_flip: bool = True,
        filter_dilation: Any = None,
        num_groups: int = 1,
        unshared: bool = False,
    ) -> None:
        steps = counts_of("subsample", 1 if subsample is None else subsample, convdim)
        apart = 1 if filter_dilation is None else filter_dilation
        apart = counts_of("filter_dilation", apart, convdim)
        self.op = Convolution(
            self.wanted, border_mode, steps, apart, num_groups, filter_flip, unshared
        )
        self.convdim = convdim
        self.imshp = self._declared_shape("image", imshp)
        self.kshp = self._declared_shape("filter", kshp)
        self.border_mode = self.op.border
        self.subsample, self.filter_dilation = self.op.subsample, self.op.dilation
        self.filter_flip, self.num_groups = self.op.flip, self.op.groups
        self.unshared = self.op.unshared

    def _declared_shape(self, role: Role, shape: Any) -> tuple[Any, ...] | None:
        """Return lengths as ints, where they are known, and variables."""
        if shape is None:
            return None
        lengths = tuple(map(length_of, shape))
        axes = self.op.at.axes(role)
        if len(lengths) != axes.count(",") + 1:
            what = f"{called()}: {len(lengths)} lengths are given for the {role}"
            raise ValueError(build_message(what, hint=f"the axes are {axes}"))
        return lengths

    def _image(self, x: Any) -> Any:
        return declared(x, self.imshp, f"{called()}, image")

    def _filter(self, x: Any) -> Any:
        return declared(x, self.kshp, f"{called()}, filter")

    def _sharing(self, x: Any, role: str, lengths: dict[int, Any]) -> Any:
        """Declare lengths that an operand shares with what a gradient computes, where known.

        So the gradient's own lengths are known without a check of it, which later work may join.
        """
        static_shape = [lengths.get(axis) for axis in range(x.ndim)]
        static_shape = [item if isinstance(item, int) else None for item in static_shape]
        return declared(x, static_shape, f"{called()}, {role}") if any(static_shape) else x

    def _apply(self, first: Any, second: Any, lengths: list[Any] | None = None) -> Any:
        """Apply the op; arrays of float16 are convolved in float32."""
        arrays = [as_tensor_variable(first), as_tensor_variable(second)]
        half = dtypes.upcast(*(item.dtype for item in arrays)) == "float16"
        if half:
            arrays = [cast(item, "float32") for item in arrays]
        result = self.op(*arrays, *(lengths or ()))
        return cast(result, "float16") if half else result

    def _lengths(self, shape: Any, own_shape: Any, inferred: Callable[[int], Any]) -> list[Any]:
        """Return the lengths of what a gradient computes, which may be given in several ways."""
        if shape is not None and not isinstance(shape, tuple | list):
            return as_dims(shape, self.convdim)
        own_shape = (None,) * self.convdim if own_shape is None else own_shape[-self.convdim :]
        items = list(own_shape if shape is None else shape)
        for axis, item in enumerate(items):
            if item is None:
                items[axis] = inferred(axis) if own_shape[axis] is None else own_shape[axis]
        if None in items:
            raise ValueError(
                build_message(
                    f"{called()}: the length along axis {2 + items.index(None)} does not follow "
                    "from the arrays",
                    hint="give it: with a stride, arrays of several lengths have the same result",
                )
            )
        return as_dims(items)

    def __str__(self) -> str:
        return type(self).__name__


def _with_axes(convdim: int) -> Callable[..., None]:
    """Return the constructor of a class for a number of axes."""

    def __init__(
        self: Any,
        imshp: Any = None,
        kshp: Any = None,
        border_mode: Any = "valid",
        subsample: Any = None,
        filter_flip: bool = True,
        filter_dilation: Any = None,
        num_groups: int = 1,
        unshared: bool = False,
    ) -> None:
        BaseAbstractConv.__init__(
            self, convdim, imshp, kshp, border_mode, subsample, filter_flip, filter_dilation,
            num_groups, unshared,
        )  # fmt: skip

    return __init__


class AbstractConv(BaseAbstractConv):
    """A convolution; call it with an image and a filter.

    See :class:`BaseAbstractConv` for the arguments.

    Examples
    --------
    >>> AbstractConv(2, border_mode="half")(T.dtensor4("x"), T.dtensor4("w")).ndim
    4
    """

    wanted = "result"

    def __call__(self, img: Any, kern: Any) -> Tensor:
        """Return the convolution of ``img`` with ``kern``."""
        result: Tensor = self._apply(self._image(img), self._filter(kern))
        return result


class AbstractConv_gradInputs(BaseAbstractConv):
    """The gradient of a convolution with respect to its image: a transposed convolution.

    See :class:`BaseAbstractConv` for the arguments. It is called with the filter, the gradient of
    the result, and the lengths of the image without items and channels. The lengths are an integer
    vector, or a sequence of integers and 0-d variables. A length may be None if it is in ``imshp``,
    or if the stride is 1.

    Examples
    --------
    >>> up = AbstractConv_gradInputs(2, imshp=(None, 3, 9, 9), subsample=(2, 2))
    >>> up(T.dtensor4("w"), T.dtensor4("y"), (9, 9)).type
    TensorType(float64, (?, 3, 9, 9))
    """

    wanted = "image"

    def __call__(
        self, kern: Any, topgrad: Any, shape: Any = None, add_assert_shape: bool = True
    ) -> Tensor:
        """Return the gradient; lengths are not compared if ``add_assert_shape`` is false."""
        kern, topgrad = as_tensor_variable(kern), as_tensor_variable(topgrad)
        if add_assert_shape:
            items, channels = self.imshp[: -self.convdim] if self.imshp else (None, None)
            if isinstance(channels, int):
                channels = None if channels % self.num_groups else channels // self.num_groups
            kern = self._sharing(
                self._filter(kern), "filter", {kern.ndim - 1 - self.convdim: channels}
            )
            topgrad = self._sharing(topgrad, "result", {0: items})

        def inferred(axis: int) -> Any:
            at = axis - self.convdim
            return get_conv_gradinputs_shape_1axis(
                shape_of(kern)[at], shape_of(topgrad)[at], _border(self.op.at, axis),
                self.subsample[axis], self.filter_dilation[axis],
            )  # fmt: skip

        gradient: Tensor = self._apply(kern, topgrad, self._lengths(shape, self.imshp, inferred))
        return self._image(gradient) if add_assert_shape else gradient


class AbstractConv_gradWeights(BaseAbstractConv):
    """The gradient of a convolution with respect to its filter.

    See :class:`BaseAbstractConv` for the arguments. It is called with the image, the gradient of
    the result, and the lengths of the filter without filters and channels. They are given as for
    :class:`AbstractConv_gradInputs`.

    Examples
    --------
    >>> AbstractConv_gradWeights(2)(T.dtensor4("x"), T.dtensor4("y"), (3, 3)).type
    TensorType(float64, (?, ?, 3, 3))
    """

    wanted = "filter"

    def __call__(
        self, img: Any, topgrad: Any, shape: Any = None, add_assert_shape: bool = True
    ) -> Tensor:
        """Return the gradient; lengths are not compared if ``add_assert_shape`` is false."""
        img, topgrad = as_tensor_variable(img), as_tensor_variable(topgrad)
        if add_assert_shape:
            filters, *_, channels = self.kshp[: -self.convdim] if self.kshp else (None, None)
            channels = channels * self.num_groups if isinstance(channels, int) else None
            img = self._sharing(self._image(img), "image", {1: channels})
            topgrad = self._sharing(topgrad, "result", {1: filters})

        def inferred(axis: int) -> Any:
            return get_conv_gradweights_shape_1axis(
                shape_of(img)[2 + axis], shape_of(topgrad)[2 + axis], _border(self.op.at, axis),
                self.subsample[axis], self.filter_dilation[axis],
            )  # fmt: skip

        gradient: Tensor = self._apply(img, topgrad, self._lengths(shape, self.kshp, inferred))
        return self._filter(gradient) if add_assert_shape else gradient


def _border(at: Slide, axis: int) -> Any:
    return at.border if isinstance(at.border, str) else at.border[axis]


class AbstractConv2d(AbstractConv):
    """An :class:`AbstractConv` over rows and columns."""

    __init__ = _with_axes(2)


class AbstractConv2d_gradInputs(AbstractConv_gradInputs):
    """An :class:`AbstractConv_gradInputs` over rows and columns.

    Examples
    --------
    >>> x, w = T.tensor4("x"), T.tensor4("w")
    >>> AbstractConv2d_gradInputs(subsample=(2, 2))(w, x, x.shape[2:] * 2).ndim
    4
    """

    __init__ = _with_axes(2)


class AbstractConv2d_gradWeights(AbstractConv_gradWeights):
    """An :class:`AbstractConv_gradWeights` over rows and columns."""

    __init__ = _with_axes(2)


class AbstractConv3d(AbstractConv):
    """An :class:`AbstractConv` over depth, rows and columns."""

    __init__ = _with_axes(3)


class AbstractConv3d_gradInputs(AbstractConv_gradInputs):
    """An :class:`AbstractConv_gradInputs` over depth, rows and columns."""

    __init__ = _with_axes(3)


class AbstractConv3d_gradWeights(AbstractConv_gradWeights):
    """An :class:`AbstractConv_gradWeights` over depth, rows and columns."""

    __init__ = _with_axes(3)

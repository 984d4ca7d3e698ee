"""The lengths of a convolution's arrays, each computed from those of the two others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtheano.errors import NotScalarConstantError
from symtheano.scalar import table as scalar
from symtheano.tensor.assertion import Assert
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.constant_values import get_scalar_constant_value
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.convolution.windows import (
    border_of,
    counts_of,
    output_length,
    padding,
    spread,
)
from symtheano.tensor.shapes.shape import as_dim

Lengths = tuple[Any, ...]


def get_conv_shape_1axis(
    image_shape: Any, kernel_shape: Any, border_mode: Any, subsample: Any, dilation: Any = 1
) -> Any:
    """Return the length of the result of a convolution along one axis.

    Parameters
    ----------
    image_shape, kernel_shape
        Lengths of the image and of the filter: ints, 0-d variables, or None if unknown.
    border_mode
        ``"valid"``, ``"half"``, ``"full"``, the number of zeros on both sides, or a pair of numbers
        for the two sides.
    subsample, dilation
        The distance of positions, and of elements of the filter.

    Returns
    -------
    ``(image_shape + zeros - (kernel_shape - 1) * dilation - 1) // subsample + 1``, or None if one
    of the arguments is.

    Raises
    ------
    ValueError
        If the border mode is unknown, or a number is negative.

    Examples
    --------
    >>> get_conv_shape_1axis(28, 5, "valid", 1), get_conv_shape_1axis(28, 3, (1, 0), 2, 2)
    (24, 13)
    """
    if any(item is None for item in (image_shape, kernel_shape, border_mode, subsample, dilation)):
        return None
    border, stride, apart = _axis(border_mode, subsample, dilation)
    return output_length(border, 0, image_shape, kernel_shape, stride, apart)


def get_conv_gradinputs_shape_1axis(
    kernel_shape: Any, top_shape: Any, border_mode: Any, subsample: Any, dilation: Any
) -> Any:
    """Return the length of the image along one axis, from the lengths of the filter and the result.

    The arguments are those of :func:`get_conv_shape_1axis`; ``top_shape`` is the length of the
    result. The returned length is None if an argument is unknown. It is also None if the stride is
    not 1, since images of several lengths are then possible.

    Examples
    --------
    >>> get_conv_gradinputs_shape_1axis(5, 24, "valid", 1, 1)
    28
    """
    if any(item is None for item in (kernel_shape, top_shape, border_mode, subsample, dilation)):
        return None
    border, stride, apart = _axis(border_mode, subsample, dilation)
    reach = spread(kernel_shape, apart)
    low, high = padding(border, 0, reach)
    return top_shape - low - high + reach - 1 if stride == 1 else None


def get_conv_gradweights_shape_1axis(
    image_shape: Any, top_shape: Any, border_mode: Any, subsample: Any, dilation: Any
) -> Any:
    """Return the length of the filter along one axis, from the lengths of the image and the result.

    The arguments are those of :func:`get_conv_shape_1axis`; ``top_shape`` is the length of the
    result. The returned length is None if an argument is unknown. It is also None if the stride is
    not 1, or if the border is ``"half"`` or ``"causal"``, since filters of several lengths are then
    possible.

    Examples
    --------
    >>> get_conv_gradweights_shape_1axis(28, 24, "valid", 1, 1)
    5
    """
    if any(item is None for item in (image_shape, top_shape, border_mode, subsample, dilation)):
        return None
    border, stride, apart = _axis(border_mode, subsample, dilation)
    if stride != 1 or border in ("half", "causal"):
        return None
    if border == "full":
        reach = top_shape - image_shape
    else:
        low, high = padding(border, 0, 1)
        reach = image_shape + low + high - top_shape
    return reach // apart + 1


def _axis(border_mode: Any, subsample: Any, dilation: Any) -> tuple[Any, int, int]:
    """Return border, stride and dilation of one axis in their normal form."""
    (stride,) = counts_of("subsample", subsample, 1)
    (apart,) = counts_of("filter_dilation", dilation, 1)
    return border_of((border_mode,), 1), stride, apart


def _along(
    length: Callable[..., Any], first: Any, second: Any, border: Any, subsample: Any, dilation: Any
) -> Lengths:
    """Return a length for each axis."""
    dims = len(subsample)
    borders = border if isinstance(border, tuple | list) else (border,) * dims
    apart = (1,) * dims if dilation is None else dilation
    return tuple(
        length(*items) for items in zip(first, second, borders, subsample, apart, strict=True)
    )


def get_conv_output_shape(
    image_shape: Sequence[Any],
    kernel_shape: Sequence[Any],
    border_mode: Any,
    subsample: Sequence[int],
    filter_dilation: Sequence[int] | None = None,
) -> Lengths:
    """Return the shape of a convolution's result.

    Parameters
    ----------
    image_shape
        (items, channels, *lengths): ints, 0-d variables, or None for unknown lengths.
    kernel_shape
        (filters, channels, *lengths), with positions before the channels if they are unshared.
    border_mode
        As in :func:`get_conv_shape_1axis`; a tuple has an item for each axis.
    subsample, filter_dilation
        The distance of positions, and of elements of the filter, for each axis.

    Examples
    --------
    >>> get_conv_output_shape((32, 3, 28, None), (16, 3, 5, 5), "half", (2, 2))
    (32, 16, 14, None)
    """
    kernel = kernel_shape[-len(subsample) :]
    lengths = _along(
        get_conv_shape_1axis, image_shape[2:], kernel, border_mode, subsample, filter_dilation
    )
    return (image_shape[0], kernel_shape[0], *lengths)


def get_conv_gradinputs_shape(
    kernel_shape: Sequence[Any],
    top_shape: Sequence[Any],
    border_mode: Any,
    subsample: Sequence[int],
    filter_dilation: Sequence[int] | None = None,
    num_groups: int = 1,
) -> Lengths:
    """Return the shape of a convolution's image, with None where it is not determined.

    The arguments are those of :func:`get_conv_output_shape`; ``top_shape`` is the shape of the
    result.

    Examples
    --------
    >>> get_conv_gradinputs_shape((16, 3, 5, 5), (32, 16, 24, 24), "valid", (1, 2))
    (32, 3, 28, None)
    """
    dims = len(subsample)
    channels = kernel_shape[-dims - 1]
    lengths = _along(
        get_conv_gradinputs_shape_1axis, kernel_shape[-dims:], top_shape[2:], border_mode,
        subsample, filter_dilation,
    )  # fmt: skip
    return (top_shape[0], None if channels is None else channels * num_groups, *lengths)


def get_conv_gradweights_shape(
    image_shape: Sequence[Any],
    top_shape: Sequence[Any],
    border_mode: Any,
    subsample: Sequence[int],
    filter_dilation: Sequence[int] | None = None,
    num_groups: int = 1,
    unshared: bool = False,
) -> Lengths:
    """Return the shape of a convolution's filter, with None where it is not determined.

    The arguments are those of :func:`get_conv_output_shape`; ``top_shape`` is the shape of the
    result.

    Examples
    --------
    >>> get_conv_gradweights_shape((32, 4, 28, 28), (32, 16, 24, 24), "valid", (1, 1), None, 2)
    (16, 2, 5, 5)
    """
    channels = None if image_shape[1] is None else image_shape[1] // num_groups
    positions = tuple(top_shape[2:]) if unshared else ()
    lengths = _along(
        get_conv_gradweights_shape_1axis, image_shape[2:], top_shape[2:], border_mode, subsample,
        filter_dilation,
    )  # fmt: skip
    return (top_shape[1], *positions, channels, *lengths)


def check_conv_gradinputs_shape(
    image_shape: Sequence[Any],
    kernel_shape: Sequence[Any],
    output_shape: Sequence[Any],
    border_mode: Any,
    subsample: Sequence[int],
    filter_dilation: Sequence[int] | None = None,
) -> bool:
    """Return whether a convolution of these shapes can have a result of the given shape.

    The arguments are those of :func:`get_conv_output_shape`. Lengths that are not known may be
    anything.

    Examples
    --------
    >>> image, kernel = (1, 1, 9, 9), (1, 1, 3, 3)
    >>> check_conv_gradinputs_shape(image, kernel, (1, 1, 4, None), "valid", (2, 2))
    True
    >>> check_conv_gradinputs_shape(image, kernel, (1, 1, 5, 4), "valid", (2, 2))
    False
    """
    dims, ndim = len(subsample), len(image_shape)
    if {ndim, len(output_shape)} != {dims + 2} or len(kernel_shape) not in (ndim, ndim + dims):
        return False
    if filter_dilation is not None and len(filter_dilation) != dims:
        return False
    computed = get_conv_output_shape(
        image_shape, kernel_shape, border_mode, subsample, filter_dilation
    )
    for one, other in zip(output_shape, computed, strict=True):
        lengths = [length_of(one), length_of(other)]
        if all(isinstance(item, int) for item in lengths) and lengths[0] != lengths[1]:
            return False
    return True


def length_of(value: Any) -> Any:
    """Return a length: an int if it is known, otherwise a 0-d variable; None for None.

    Raises
    ------
    TypeError
        If it is not an integer.

    Examples
    --------
    >>> length_of(np.int64(3)), length_of(T.constant(2) * 3), length_of(None)
    (3, 6, None)
    """
    if value is None:
        return None
    length = as_dim(value)
    try:
        return int(get_scalar_constant_value(length))
    except NotScalarConstantError:
        return length


def assert_conv_shape(shape: Sequence[Any]) -> Lengths:
    """Return a shape, and check that an array of a convolution can have it.

    Items, channels and filters are not negative, and all other lengths are positive. Lengths that
    are not known are checked in a call, which raises AssertionError.

    Parameters
    ----------
    shape
        Ints and 0-d integer variables.

    Raises
    ------
    ValueError
        If a length that is known is not possible.

    Examples
    --------
    >>> assert_conv_shape((0, 3, 5, 5))
    (0, 3, 5, 5)
    """
    lengths = []
    for axis, length in enumerate(shape):
        least = int(axis >= 2)
        said = f"a convolution has no array whose length along axis {axis} is less than {least}"
        value = length_of(length)
        is_static = isinstance(value, int)
        if is_static and value < least:
            raise ValueError(build_message(f"{said}: it is {value}"))
        lengths.append(value if is_static else Assert(said)(value, scalar.ge(value, least)))
    return tuple(lengths)


def assert_shape(x: Any, expected_shape: Any, msg: str = "Unexpected shape.") -> Any:
    """Return ``x``; a call raises ``AssertionError`` if it does not have the expected shape.

    Parameters
    ----------
    x
        Array.
    expected_shape
        The lengths, with None for those that may have any value; or None.
    msg
        First line of the error.

    Examples
    --------
    >>> x = T.dmatrix("x")
    >>> assert_shape(x, (2, None)).eval({x: [[1.0], [2.0]]}).shape
    (2, 1)
    """
    x = as_tensor_variable(x)
    tests = [
        scalar.eq(x.shape[axis], length)
        for axis, length in enumerate(expected_shape or ())
        if length is not None
    ]
    return Assert(msg)(x, *tests) if tests else x


def border_mode_to_pad(mode: Any, convdim: int, kshp: Sequence[Any]) -> tuple[tuple[Any, Any], ...]:
    """Return the zeros before and behind each axis for a border mode.

    Parameters
    ----------
    mode
        ``"valid"``, ``"half"``, ``"full"``, a number, or a tuple with an item for each axis.
    convdim
        The number of axes.
    kshp
        The lengths of the filter, with the spaces of a dilation, one for each axis.

    Raises
    ------
    ValueError
        If the mode is unknown.

    Examples
    --------
    >>> border_mode_to_pad("half", 2, (3, 5)), border_mode_to_pad((1, (2, 0)), 2, (3, 5))
    (((1, 1), (2, 2)), ((1, 1), (2, 0)))
    """
    border = border_of(mode, convdim)
    return tuple(padding(border, axis, kshp[axis]) for axis in range(convdim))

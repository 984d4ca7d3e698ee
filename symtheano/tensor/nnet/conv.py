"""Theano's module of the same name: the first interface to convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symtheano.names import public
from symtheano.scalar.operand import Tensor
from symtheano.tensor.messages import build_message, called
from symtheano.tensor.nnet.convolution.abstract import AbstractConv2d
from symtheano.tensor.nnet.convolution.functions import warn_of_ignored
from symtheano.tensor.nnet.convolution.lengths import get_conv_output_shape, get_conv_shape_1axis
from symtheano.tensor.nnet.formats import DataFormat, first, first_lengths, stored

__all__ = ["ConvOp", "conv2d", "get_conv_output_shape", "get_conv_shape_1axis"]


def conv2d(
    input: Any,
    filters: Any,
    image_shape: Any = None,
    filter_shape: Any = None,
    border_mode: str = "valid",
    subsample: Any = (1, 1),
    data_format: DataFormat = "channels_first",
    **kargs: Any,
) -> Tensor:
    """Return the convolution of images with filters, by the arguments of Theano before 0.8.

    Parameters
    ----------
    input
        Images, shape (items, channels, rows, columns), or with ``"channels_last"`` (items, rows,
        columns, channels).
    filters
        Shape (filters, channels, rows, columns).
    image_shape, filter_shape
        Lengths that are known, with None for each that is not. They are declared.
    border_mode
        ``"valid"`` or ``"full"``.
    subsample
        The distance of the filter's positions, rows and columns.
    data_format
        That of images, of ``image_shape`` and of the result: ``"channels_first"`` or
        ``"channels_last"``. The axes of filters stay the same.
    kargs
        Arguments that chose an implementation; they are ignored.

    Returns
    -------
    As :func:`symtheano.tensor.nnet.conv2d`.

    Raises
    ------
    ValueError
        If the border mode or the data format is another one.
    NotImplementedError
        If logical shapes are given.

    Examples
    --------
    >>> conv2d(np.ones((1, 1, 3, 3)), np.ones((1, 1, 2, 2)), border_mode="full").eval().shape
    (1, 1, 4, 4)
    """
    warn_of_ignored(kargs)
    image_shape = first_lengths(image_shape, data_format)
    convolution = _convolution(image_shape, filter_shape, border_mode, subsample)
    return stored(convolution(first(input, data_format), filters), data_format)


class ConvOp:
    """A convolution by the arguments of Theano's op of this name, to be called with the arrays.

    Parameters
    ----------
    imshp
        (channels, rows, columns) or (rows, columns) of the images, if they are known.
    kshp
        (rows, columns) of the filters.
    nkern, bsize
        Numbers of filters and of images.
    dx, dy
        The distances of positions along rows and columns.
    output_mode
        ``"valid"`` or ``"full"``.
    kargs
        Arguments that chose an implementation; they are ignored.

    Raises
    ------
    ValueError
        If the border mode is another one, or a shape has another number of lengths.
    NotImplementedError
        If logical shapes are given.

    Examples
    --------
    >>> ConvOp((1, 3, 3), (2, 2))(np.ones((4, 1, 3, 3)), np.ones((5, 1, 2, 2))).eval().shape
    (4, 5, 2, 2)
    """

    def __init__(
        self,
        imshp: Any = None,
        kshp: Any = None,
        nkern: Any = None,
        bsize: Any = None,
        dx: int = 1,
        dy: int = 1,
        output_mode: str = "valid",
        **kargs: Any,
    ) -> None:
        warn_of_ignored(kargs)
        image = self._lengths("imshp", imshp, 2, 3)
        kernel = self._lengths("kshp", kshp, 2)
        self.imshp, self.kshp, self.nkern, self.bsize = image[-3:], kernel[-2:], nkern, bsize
        self.dx, self.dy, self.out_mode = dx, dy, output_mode
        channels = image[0] if len(image) == 3 else None
        self._convolution = _convolution(
            (bsize, channels, *image[-2:]), (nkern, channels, *kernel), output_mode, (dx, dy)
        )

    def __call__(self, inputs: Any, kerns: Any) -> Tensor:
        """Return the convolution."""
        return self._convolution(inputs, kerns)

    @staticmethod
    def getOutputShape(
        inshp: Sequence[int],
        kshp: Sequence[int],
        stride: Sequence[int] = (1, 1),
        mode: str = "valid",
    ) -> list[int]:
        """Return rows and columns of the result."""
        pairs = zip(inshp, kshp, stride, strict=True)
        return [get_conv_shape_1axis(i, k, mode, s) for i, k, s in pairs]

    @staticmethod
    def _lengths(name: str, shape: Any, *counts: int) -> tuple[Any, ...]:
        lengths = (None,) * counts[0] if shape is None else tuple(shape)
        if len(lengths) not in counts:
            expected = " or ".join(map(str, counts))
            raise ValueError(build_message(f"ConvOp: {name}={shape!r} has not {expected} lengths"))
        return lengths

    def __str__(self) -> str:
        return "ConvOp"


def _convolution(image: Any, kernel: Any, border_mode: str, subsample: Any) -> AbstractConv2d:
    """Return the convolution, whose border mode must be one of two."""
    if border_mode not in ("valid", "full"):
        raise ValueError(
            build_message(
                f"{called()}: border_mode={border_mode!r} is neither 'valid' nor 'full'",
                hint="symtheano.tensor.nnet.conv2d takes others",
            )
        )
    convolution: AbstractConv2d = AbstractConv2d(image, kernel, border_mode, subsample)
    return convolution


if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

"""Theano's module of the same name: convolution of videos, with channels last and a bias."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from symtheano.names import public
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.constant_values import get_scalar_constant_value
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.convolution.functions import conv3d

__all__ = ["Conv3D", "conv3D"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

_AXES = (0, 4, 1, 2, 3)


class Conv3D:
    """A convolution of videos with filters that are not flipped; call it with the arrays.

    Examples
    --------
    >>> film, filters = np.ones((2, 5, 5, 4, 3)), np.ones((6, 2, 2, 2, 3))
    >>> Conv3D()(film, filters, np.zeros(6), (1, 1, 1)).eval().shape
    (2, 4, 4, 3, 6)
    """

    def __call__(self, V: Any, W: Any, b: Any, d: Any) -> Tensor:
        """Return the convolution plus the bias.

        Parameters
        ----------
        V
            Films: (items, rows, columns, times, channels).
        W
            Filters: (filters, rows, columns, times, channels).
        b
            One number for each filter.
        d
            The three distances of positions along rows, columns and times: known integers.

        Returns
        -------
        Array of shape (items, rows, columns, times, filters).

        Raises
        ------
        TypeError
            If an array has another number of axes.
        ShapeError
            If shapes do not fit.
        NotScalarConstantError
            If a distance is not known while the graph is built.
        """
        film, filters, bias = (as_tensor_variable(item) for item in (V, W, b))
        if film.ndim != 5 or filters.ndim != 5 or bias.ndim != 1:
            what = "Conv3D: videos and filters must have 5 axes, the bias one"
            hint = "videos are (items, rows, columns, times, channels)"
            raise TypeError(build_message(what, film, filters, bias, hint=hint))
        distances = as_tensor_variable(d)
        steps = tuple(int(get_scalar_constant_value(distances[k])) for k in range(3))
        convolved = conv3d(
            film.dimshuffle(*_AXES), filters.dimshuffle(*_AXES), subsample=steps, filter_flip=False
        )
        result: Tensor = convolved.dimshuffle(0, 2, 3, 4, 1) + bias
        return result


conv3D = Conv3D()

"""The base class of initializers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symtheano.nn.configuration import Described

Array = npt.NDArray[Any]


class Initializer(Described):
    """Base class of initializers, which return the initial values of parameters.

    An initializer is called with a shape, a dtype and a random generator. Subclasses define the
    method ``values(shape, rng)``, which returns floats. Random numbers are drawn in float64 and
    then rounded, so the same seed gives the same values in every dtype.

    Examples
    --------
    >>> class Alternating(Initializer):
    ...     def values(self, shape, rng):
    ...         return np.resize([1.0, -1.0], shape)
    >>> Alternating()((2, 3), "float32")
    array([[ 1., -1.,  1.], [-1.,  1., -1.]], dtype=float32)
    """

    def __call__(
        self,
        shape: Sequence[int],
        dtype: Any = "float32",
        rng: np.random.Generator | int | None = None,
    ) -> Array:
        """Return an array of initial values.

        Parameters
        ----------
        shape
            The shape of the array. It may have any number of axes, unless the class says otherwise.
        dtype
            The dtype of the array, a float dtype.
        rng
            A random generator of NumPy, or a seed. None: a new generator with a random seed.

        Raises
        ------
        TypeError
            If the dtype is not a float dtype.
        ValueError
            If the initializer cannot fill arrays of this shape.
        """
        shape = tuple(int(length) for length in shape)
        if np.dtype(dtype).kind not in "fc":
            raise TypeError(f"{self!r}: the dtype of parameters must be a float dtype, not {dtype}")
        if any(length < 0 for length in shape):
            raise ValueError(f"{self!r}: the shape {shape} has a negative length")
        values = self.values(shape, np.random.default_rng(rng))
        return np.array(np.broadcast_to(values, shape), dtype, order="C")

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return the values, which the caller broadcasts to the shape and rounds to the dtype.

        Parameters
        ----------
        shape
            The shape of the parameter.
        rng
            A random generator of NumPy.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method 'values'")

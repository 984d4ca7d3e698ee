"""What all initializers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from symtheano.nn.configuration import describe
from symtheano.nn.documentation import document_inherited_parameters

Array = npt.NDArray[Any]


class Initializer:
    """Initial values of an array: an object that is called with a shape, a dtype and a generator.

    A subclass has the method ``values(shape, rng)``, which returns floats. Numbers are drawn in
    float64 and then rounded, so one seed gives the same values in every dtype.

    Examples
    --------
    >>> class Alternating(Initializer):
    ...     def values(self, shape, rng):
    ...         return np.resize([1.0, -1.0], shape)
    >>> Alternating()((2, 3), "float32")
    array([[ 1., -1.,  1.], [-1.,  1., -1.]], dtype=float32)
    """

    def __init_subclass__(cls) -> None:
        """Describe inherited arguments."""
        super().__init_subclass__()
        document_inherited_parameters(cls)

    def __call__(
        self,
        shape: Sequence[int],
        dtype: Any = "float32",
        rng: np.random.Generator | int | None = None,
    ) -> Array:
        """Return an array.

        Parameters
        ----------
        shape
            Lengths; any number of them, unless the class says otherwise.
        dtype
            Dtype of the result, a float dtype.
        rng
            NumPy's generator, or a seed.

        Raises
        ------
        TypeError
            If the dtype holds integers.
        ValueError
            If the shape is none that the initializer can fill.
        """
        shape = tuple(int(length) for length in shape)
        if np.dtype(dtype).kind not in "fc":
            raise TypeError(f"{self!r}: the dtype of parameters is a float, not {dtype}")
        if any(length < 0 for length in shape):
            raise ValueError(f"{self!r}: the shape {shape} has a negative length")
        made = self.values(shape, np.random.default_rng(rng))
        return np.array(np.broadcast_to(made, shape), dtype, order="C")

    def values(self, shape: tuple[int, ...], rng: np.random.Generator) -> Any:
        """Return the values, which are broadcast to the shape and rounded to the dtype."""
        raise NotImplementedError(f"{type(self).__name__} has no method 'values'")

    def config(self) -> dict[str, Any]:
        """Return the class and its fields as data for JSON; :func:`from_config` reads it."""
        return describe(self)

"""The exponential of matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano.graph.variable import Apply
from symtheano.scalar.operand import Tensor
from symtheano.tensor.linalg.matrices import LinalgOp, adjoint, hide_nonfinite
from symtheano.tensor.shapes.join import join
from symtheano.tensor.shapes.shape import shape_of


class Expm(LinalgOp):
    """The exponential of square matrices."""

    __call__: Callable[..., Tensor]
    __props__ = ()
    called = "expm"

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        from scipy.linalg import expm as scipy_expm

        (a,) = inputs
        self.check(node, inputs)
        result = a.copy()
        for index in np.ndindex(*a.shape[:-2]) if a.size else ():
            if np.isfinite(a[index]).all():
                with np.errstate(all="ignore"):
                    result[index] = scipy_expm(a[index])
        hide_nonfinite(a, result)
        output_storage[0][0] = result

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The Fréchet derivative at the adjoint matrix."""
        return [_derivative(adjoint(inputs[0]), output_grads[0])]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """The Fréchet derivative."""
        if eval_points[0] is None:
            return [None]
        return [_derivative(inputs[0], eval_points[0])]


def _derivative(a: Any, change: Any) -> Any:
    """Najfeld and Havel 1995: it is the upper right block of exp([[a, change], [0, a]])."""
    n = shape_of(a)[-1]
    upper = join(a.ndim - 1, a, change)
    lower = join(a.ndim - 1, a.zeros_like(), a)
    return Expm()(join(a.ndim - 2, upper, lower))[..., :n, n:]


def expm(a: Any) -> Tensor:
    """Return the exponential of square matrices (not of their elements).

    Parameters
    ----------
    a
        Square matrices.

    Examples
    --------
    >>> expm(T.matrix("a", dtype="float64")).eval({"a": [[0.0, 2.0], [0.0, 0.0]]})
    array([[1., 2.],
           [0., 1.]])
    """
    return Expm()(a)

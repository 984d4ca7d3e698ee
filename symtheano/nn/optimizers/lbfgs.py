"""L-BFGS: a method of second order for full batches, SciPy's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

import symtheano
import symtheano.tensor as T
from symtheano.nn.configuration import describe

Vector = npt.NDArray[np.float64]


class LBFGS:
    """The limited-memory method of Broyden, Fletcher, Goldfarb and Shanno, with a line search.

    It minimizes a cost that is the same in each evaluation: the data are one batch, and there is no
    dropout. See Liu and Nocedal, 1989, On the limited memory BFGS method for large scale
    optimization. The work is done by ``scipy.optimize.minimize`` with ``method="L-BFGS-B"``.

    Parameters
    ----------
    max_iter
        The largest number of iterations.
    history_size
        How many earlier changes approximate the second derivatives.
    tolerance_grad
        It stops when no element of the gradient is larger.
    tolerance_change
        It stops when an iteration lowers the cost by a smaller share.

    Examples
    --------
    >>> w, x = symtheano.shared(np.zeros(2), "w"), T.dvector("x")
    >>> found = LBFGS().minimize(((w - x) ** 2).sum(), [w], {x: np.array([1.0, 2.0])})
    >>> found.success, w.get_value().round(4)
    (True, array([1., 2.]))
    """

    def __init__(
        self,
        max_iter: int = 1000,
        history_size: int = 10,
        tolerance_grad: float = 1e-5,
        tolerance_change: float = 1e-9,
    ) -> None:
        self.max_iter, self.history_size = max_iter, history_size
        self.tolerance_grad, self.tolerance_change = tolerance_grad, tolerance_change

    def minimize(
        self,
        cost: Any,
        parameters: Sequence[Any],
        inputs: Mapping[Any, Any] | None = None,
        callback: Callable[[int, float], Any] | None = None,
        **options: Any,
    ) -> Any:
        """Change parameters until the cost is minimal.

        Parameters
        ----------
        cost
            A 0-d expression.
        parameters
            Shared variables of floats.
        inputs
            The values of the other variables on which the cost depends.
        callback
            Called after each iteration with its number, from 1, and the cost. It may raise
            ``StopIteration`` to stop.
        options
            Arguments of ``function``, such as ``mode``.

        Returns
        -------
        SciPy's result: ``fun``, ``nit``, ``nfev``, ``success``, ``message`` and others. The
        parameters have the best values found, rounded to their dtypes.

        Raises
        ------
        ImportError
            If SciPy is not installed.
        TypeError
            If a parameter is not a shared variable of floats.
        """
        minimize = _scipy_minimize()
        for item in parameters:
            if not isinstance(item, T.TensorSharedVariable) or item.dtype not in T.float_dtypes:
                raise TypeError(f"LBFGS: parameters are shared variables of floats, not {item}")
        given = dict(inputs or {})
        gradients = symtheano.grad(cost, list(parameters))
        evaluate = symtheano.function(list(given), [cost, *gradients], **options)
        values = list(given.values())

        def run(point: Vector) -> tuple[float, Vector]:
            _scatter(point, parameters)
            found, *slopes = evaluate(*values)
            return float(found), _joined(slopes)

        count = 0

        def iteration(intermediate_result: Any) -> None:
            nonlocal count
            count += 1
            if callback is not None:
                callback(count, float(intermediate_result.fun))

        found = minimize(
            run,
            _joined([item.get_value(borrow=True) for item in parameters]),
            method="L-BFGS-B",
            jac=True,
            callback=iteration,
            options={
                "maxiter": self.max_iter,
                "maxcor": self.history_size,
                "gtol": self.tolerance_grad,
                "ftol": self.tolerance_change,
            },
        )
        _scatter(found.x, parameters)
        return found

    def config(self) -> dict[str, Any]:
        """Return the class and its arguments as data for JSON."""
        return describe(self)


def _joined(arrays: Sequence[Any]) -> Vector:
    parts = [np.asarray(array, "float64").ravel() for array in arrays]
    return np.concatenate(parts) if parts else np.zeros(0)


def _scatter(point: Vector, parameters: Sequence[Any]) -> None:
    start = 0
    for item in parameters:
        shape = item.get_value(borrow=True).shape
        part = point[start : start + int(np.prod(shape))]
        item.set_value(part.reshape(shape).astype(item.dtype))
        start += part.size


def _scipy_minimize() -> Any:
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise ImportError(
            "LBFGS: scipy.optimize.minimize does the work, and SciPy can't be imported\n"
            "  hint: install it (pip install scipy), or take another optimizer"
        ) from None
    return minimize

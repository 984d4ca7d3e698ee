"""Optimizers that need a cost which is the same in each evaluation: SciPy's, with a line search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import symtheano
import symtheano.tensor as T
from symtheano.nn.configuration import describe

Vector = npt.NDArray[np.float64]
Callback = Callable[[int, float], Any]


class FullBatch(ABC):
    """A method of ``scipy.optimize.minimize`` that evaluates a cost and its gradient.

    The data are one batch, and there is no dropout. ``Model.fit`` takes these optimizers, too: an
    epoch is one minimization over all samples, of at most ``max_iter`` iterations.
    """

    method: ClassVar[str]
    max_iter: int
    tolerance_grad: float

    @abstractmethod
    def options(self) -> dict[str, Any]:
        """Return SciPy's options of the method."""

    def minimize(
        self,
        cost: Any,
        parameters: Sequence[Any],
        inputs: Mapping[Any, Any] | None = None,
        callback: Callback | None = None,
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
        given = dict(inputs or {})
        run = self.minimizer(cost, parameters, list(given), **options)
        return run(list(given.values()), callback)

    def minimizer(
        self, cost: Any, parameters: Sequence[Any], inputs: Sequence[Any], **options: Any
    ) -> Callable[[Sequence[Any], Callback | None], Any]:
        """Return a function of values and a callback that does what :meth:`minimize` does.

        The cost and its gradient are compiled once.

        Parameters
        ----------
        cost, parameters, options
            As for :meth:`minimize`.
        inputs
            The variables whose values the function takes.
        """
        minimize = _scipy_minimize(type(self).__name__)
        for item in parameters:
            if not isinstance(item, T.TensorSharedVariable) or item.dtype not in T.float_dtypes:
                raise TypeError(
                    f"{type(self).__name__}: parameters are shared variables of floats, not {item}"
                )
        gradients = symtheano.grad(cost, list(parameters))
        evaluate = symtheano.function(list(inputs), [cost, *gradients], **options)

        def run(values: Sequence[Any], callback: Callback | None = None) -> Any:
            def at(point: Vector) -> tuple[float, Vector]:
                _scatter(point, parameters)
                value, *slopes = evaluate(*values)
                return float(value), _joined(slopes)

            count = 0

            def iteration(intermediate_result: Any) -> None:
                nonlocal count
                count += 1
                if callback is not None:
                    callback(count, float(intermediate_result.fun))

            found = minimize(
                at,
                _joined([item.get_value(borrow=True) for item in parameters]),
                method=self.method,
                jac=True,
                callback=iteration,
                options={"maxiter": self.max_iter, "gtol": self.tolerance_grad, **self.options()},
            )
            _scatter(found.x, parameters)
            return found

        return run

    def updates(self, cost: Any, parameters: Any, gradients: Any = None) -> Any:
        """Refuse: one step needs several evaluations of the cost.

        Raises
        ------
        NotImplementedError
            Always.
        """
        name = type(self).__name__
        raise NotImplementedError(
            f"{name}: a step needs several evaluations of the cost, so it is no update of a "
            f"function; use {name}().minimize(cost, parameters, inputs), or model.fit"
        )

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


def _scipy_minimize(name: str) -> Any:
    try:
        from scipy.optimize import minimize
    except ImportError:
        raise ImportError(
            f"{name}: scipy.optimize.minimize does the work, and SciPy can't be imported\n"
            "  hint: install it (pip install scipy), or take another optimizer"
        ) from None
    return minimize

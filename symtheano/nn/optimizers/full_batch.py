"""Optimizers of SciPy, which need a cost that is the same in each evaluation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

import symtheano
import symtheano.tensor as T
from symtheano.nn.configuration import Described
from symtheano.nn.foreign import Explained

Vector = npt.NDArray[np.float64]
Callback = Callable[[int, float], Any]


class FullBatch(Explained, Described, ABC):
    """Base class of methods of ``scipy.optimize.minimize`` that use gradients.

    These methods evaluate the cost several times for each step, so all data must be one batch, and
    there must be no dropout. ``Model.fit`` takes these optimizers, too. One epoch is then one
    minimization over all samples, with at most ``max_iter`` iterations.

    Parameters
    ----------
    max_iter
        The largest number of iterations. The default is 1000.
    tolerance_grad
        The minimization ends when no element of the gradient is larger. The default is 1e-5.
    """

    method: ClassVar[str]
    max_iter: int
    tolerance_grad: float

    @abstractmethod
    def options(self) -> dict[str, Any]:
        """Return the options of SciPy for this method."""

    def minimize(
        self,
        cost: Any,
        parameters: Sequence[Any] | None = None,
        inputs: Mapping[Any, Any] | None = None,
        callback: Callback | None = None,
        **options: Any,
    ) -> Any:
        """Change the parameters to a minimum of the cost.

        Parameters
        ----------
        cost
            The cost to minimize, a 0-d expression.
        parameters
            The parameters to change: shared variables of floats, of any shapes; they must be given.
        inputs
            A mapping from the other variables on which the cost depends to their values.
        callback
            A function that is called after each iteration with the number of the iteration, from 1,
            and the cost. It may raise ``StopIteration`` to end the minimization.
        options
            Arguments of ``function``, such as ``mode``.

        Returns
        -------
        The result of SciPy with the attributes ``fun``, ``nit``, ``nfev``, ``success``, ``message``
        and others. The parameters are set to the best values, rounded to their dtypes.

        Raises
        ------
        ImportError
            If SciPy is not installed.
        TypeError
            If a parameter is not a shared variable of floats.
        """
        if parameters is None:
            name = type(self).__name__
            raise TypeError(
                f"{name}: minimize takes the cost and the parameters, minimize(cost, parameters, "
                "inputs), and runs at once; operations of sessions are made by nn.Adam and others"
            )
        values_by_input = dict(inputs or {})
        run = self.minimizer(cost, parameters, list(values_by_input), **options)
        return run(list(values_by_input.values()), callback)

    def minimizer(
        self, cost: Any, parameters: Sequence[Any], inputs: Sequence[Any], **options: Any
    ) -> Callable[[Sequence[Any], Callback | None], Any]:
        """Return a function that minimizes the cost. The cost and its gradient are compiled once.

        Parameters
        ----------
        cost, parameters, options
            See :meth:`minimize`.
        inputs
            The other variables on which the cost depends.

        Returns
        -------
        A function of a list of values of the inputs and a callback, or None. It returns the result
        of SciPy, as :meth:`minimize` does.
        """
        minimize = _scipy_minimize(type(self).__name__)
        for item in parameters:
            if not isinstance(item, T.TensorSharedVariable) or item.dtype not in T.float_dtypes:
                raise TypeError(
                    f"{type(self).__name__}: parameters must be shared variables of floats, not "
                    f"{item}"
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

            result = minimize(
                at,
                _joined([item.get_value(borrow=True) for item in parameters]),
                method=self.method,
                jac=True,
                callback=iteration,
                options={"maxiter": self.max_iter, "gtol": self.tolerance_grad, **self.options()},
            )
            _scatter(result.x, parameters)
            return result

        return run

    def updates(self, cost: Any, parameters: Any, gradients: Any = None) -> Any:
        """Raise an error, because one step needs several evaluations of the cost.

        Raises
        ------
        NotImplementedError
            Always.
        """
        name = type(self).__name__
        raise NotImplementedError(
            f"{name}: a step needs several evaluations of the cost, so it cannot be an update of "
            f"a function; use {name}().minimize(cost, parameters, inputs), or model.fit"
        )

    def __repr__(self) -> str:
        shown = [f"{name}={value!r}" for name, value in self.config().items() if name != "class"]
        return f"{type(self).__name__}({', '.join(shown)})"


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
            f"{name} uses scipy.optimize.minimize, but SciPy cannot be imported\n"
            "  hint: install it (pip install scipy), or use another optimizer"
        ) from None
    return minimize

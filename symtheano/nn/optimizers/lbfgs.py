"""L-BFGS, BFGS and conjugate gradients: methods for full batches, SciPy's."""

from __future__ import annotations

from typing import Any

from symtheano.nn.optimizers.full_batch import FullBatch


class LBFGS(FullBatch):
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
    >>> import numpy as np
    >>> import symtheano
    >>> import symtheano.tensor as T
    >>> w, x = symtheano.shared(np.zeros(2), "w"), T.dvector("x")
    >>> found = LBFGS().minimize(((w - x) ** 2).sum(), [w], {x: np.array([1.0, 2.0])})
    >>> found.success, w.get_value().round(4)
    (True, array([1., 2.]))
    """

    method = "L-BFGS-B"

    def __init__(
        self,
        max_iter: int = 1000,
        history_size: int = 10,
        tolerance_grad: float = 1e-5,
        tolerance_change: float = 1e-9,
    ) -> None:
        self.max_iter, self.history_size = max_iter, history_size
        self.tolerance_grad, self.tolerance_change = tolerance_grad, tolerance_change

    def options(self) -> dict[str, Any]:
        return {"maxcor": self.history_size, "ftol": self.tolerance_change}


class BFGS(FullBatch):
    """The method of Broyden, Fletcher, Goldfarb and Shanno, which stores n * n numbers.

    It takes fewer iterations than :class:`LBFGS`, for up to a few thousand numbers n in parameters.

    Parameters
    ----------
    max_iter
        The largest number of iterations.
    tolerance_grad
        It stops when no element of the gradient is larger.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.ones(2), "w")
    >>> BFGS().minimize((w**2).sum(), [w]).success
    True
    """

    method = "BFGS"

    def __init__(self, max_iter: int = 1000, tolerance_grad: float = 1e-5) -> None:
        self.max_iter, self.tolerance_grad = max_iter, tolerance_grad

    def options(self) -> dict[str, Any]:
        return {}


class ConjugateGradient(BFGS):
    """Nonlinear conjugate gradients, the variant of Polak and Ribiere; it stores a few gradients.

    Parameters
    ----------
    max_iter, tolerance_grad
        As for :class:`BFGS`.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.ones(2), "w")
    >>> ConjugateGradient().minimize((w**2).sum(), [w]).success
    True
    """

    method = "CG"

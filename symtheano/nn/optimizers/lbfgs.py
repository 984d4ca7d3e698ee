"""L-BFGS, BFGS and conjugate gradients: methods of SciPy for full batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from symtheano.nn.optimizers.full_batch import FullBatch


@dataclass(eq=False, repr=False)
class LBFGS(FullBatch):
    """L-BFGS: the limited-memory method of Broyden, Fletcher, Goldfarb and Shanno.

    The cost must be the same in each evaluation: all data are one batch, and there is no dropout.
    The optimizer calls ``scipy.optimize.minimize`` with ``method="L-BFGS-B"``. See Liu and Nocedal,
    1989, On the limited memory BFGS method for large scale optimization.

    Parameters
    ----------
    history_size
        The number of earlier changes from which the second derivatives are approximated. The
        default is 10.
    tolerance_change
        The minimization ends when an iteration lowers the cost by a smaller share. The default is
        1e-9.

    Examples
    --------
    >>> w, x = symtheano.shared(np.zeros(2), "w"), T.dvector("x")
    >>> found = LBFGS().minimize(((w - x) ** 2).sum(), [w], {x: np.array([1.0, 2.0])})
    >>> found.success, w.get_value().round(4)
    (True, array([1., 2.]))
    """

    method = "L-BFGS-B"

    max_iter: int = 1000
    history_size: int = 10
    tolerance_grad: float = 1e-5
    tolerance_change: float = 1e-9

    def options(self) -> dict[str, Any]:
        return {"maxcor": self.history_size, "ftol": self.tolerance_change}


@dataclass(eq=False, repr=False)
class BFGS(FullBatch):
    """BFGS: the method of Broyden, Fletcher, Goldfarb and Shanno.

    It needs fewer iterations than :class:`LBFGS`, but stores n * n numbers, where n is the number
    of all elements of parameters. Use it for up to a few thousand elements. The cost must be the
    same in each evaluation. The optimizer calls ``scipy.optimize.minimize``.

    Examples
    --------
    >>> w = symtheano.shared(np.ones(2), "w")
    >>> BFGS().minimize((w**2).sum(), [w]).success
    True
    """

    method = "BFGS"

    max_iter: int = 1000
    tolerance_grad: float = 1e-5

    def options(self) -> dict[str, Any]:
        return {}


class ConjugateGradient(BFGS):
    """Nonlinear conjugate gradients, in the variant of Polak and Ribiere.

    The method stores only a few gradients. The cost must be the same in each evaluation. The
    optimizer calls ``scipy.optimize.minimize``.

    Examples
    --------
    >>> w = symtheano.shared(np.ones(2), "w")
    >>> ConjugateGradient().minimize((w**2).sum(), [w]).success
    True
    """

    method = "CG"

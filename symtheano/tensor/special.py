"""Special functions that are expressions of others, under PyTensor's and SciPy's names."""

from __future__ import annotations

import math
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable

__all__ = ["factorial", "log_expit", "logdiffexp", "multigammaln", "poch"]


def _floating(x: Any) -> Any:
    """Return ``x`` as a variable of the dtype in which functions of it are computed."""
    x = as_tensor_variable(x)
    return x.astype(scalar.exp.signature((x.dtype,)).result)


def factorial(n: Any) -> Any:
    """Return ``gamma(n + 1)``, the factorial also between integers.

    Examples
    --------
    >>> import numpy as np
    >>> factorial(np.array([0.0, 3.0, 5.0])).eval().tolist()
    [1.0, 6.0, 120.0]
    """
    return scalar.gamma(_floating(n) + 1)


def poch(z: Any, m: Any) -> Any:
    """Return Pochhammer's symbol ``gamma(z + m) / gamma(z)``.

    Examples
    --------
    >>> import numpy as np
    >>> poch(np.array([2.0]), 3).eval().round(9).tolist()
    [24.0]
    """
    z = _floating(z)
    return scalar.gamma(z + m) / scalar.gamma(z)


def log_expit(x: Any) -> Any:
    """Return the logarithm of ``expit(x)``, the sigmoid.

    Examples
    --------
    >>> import numpy as np
    >>> log_expit(np.array([-1000.0])).eval().tolist()
    [-1000.0]
    """
    return -scalar.softplus(-_floating(x))


def logdiffexp(a: Any, b: Any) -> Any:
    """Return ``log(exp(a) - exp(b))`` for ``a`` not below ``b``, without overflow.

    Examples
    --------
    >>> import numpy as np
    >>> logdiffexp(np.array([1000.0]), 999).eval().round(4).tolist()
    [999.5413]
    """
    a = _floating(a)
    return a + scalar.log1mexp(b - a)


def multigammaln(a: Any, d: int) -> Any:
    """Return the logarithm of the multivariate gamma function of dimension ``d``.

    Parameters
    ----------
    a
        Array of numbers above ``(d - 1) / 2``.
    d
        Dimension, a positive integer.

    Examples
    --------
    >>> import numpy as np
    >>> multigammaln(np.array([3.0]), 1).eval().round(4).tolist()
    [0.6931]
    """
    if isinstance(d, bool) or not hasattr(d, "__index__") or d < 1:
        raise ValueError(f"multigammaln: the dimension d must be a positive integer, got {d!r}")
    a = _floating(a)
    total = scalar.gammaln(a)
    for step in range(1, int(d)):
        total = total + scalar.gammaln(a - a.constant_like(step / 2))
    return total + a.constant_like(d * (d - 1) / 4 * math.log(math.pi))

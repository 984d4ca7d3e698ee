"""Special functions that are expressions of others, compared with SciPy's."""

from __future__ import annotations

import numpy as np
import scipy.special

from tests.conformance.draws import positive
from tests.conformance.families.nnet import exact
from tests.conformance.row import Arg, Row

X = Arg("n", draw=positive, edges=False)
Y = Arg("n m", edges=False)

ROWS: list[Row] = [
    Row("T.factorial(x)", {"x": X}, "iF", plain=exact(scipy.special.factorial), slack=20),
    Row("T.poch(x, y)", {"x": X, "y": X}, "F", plain=scipy.special.poch, slack=100),
    Row("T.log_expit(x)", {"x": Arg("n")}, "iF", plain=exact(scipy.special.log_expit), slack=10),
    Row("T.logdiffexp(x + 1, x)", {"x": Arg("n", edges=False)}, "F",
        plain=lambda x: (x + np.log(np.expm1(1))).astype(x.dtype), slack=20),
    Row("T.multigammaln(x + 2, 3)", {"x": X}, "F",
        plain=exact(lambda x: np.vectorize(scipy.special.multigammaln, "d")(x + 2, 3)), slack=100),
    Row("T.special.softmax(x)", {"x": Y}, "F", plain=exact(scipy.special.softmax), slack=10,
        least={"n": 1, "m": 1}),
    Row("T.special.log_softmax(x)", {"x": Y}, "F", plain=exact(scipy.special.log_softmax),
        slack=10, least={"n": 1, "m": 1}),
    Row("T.special.logsumexp(x, b=2.0)", {"x": Y}, "F",
        plain=exact(lambda x: scipy.special.logsumexp(x, b=2.0)), slack=10, least={"n": 1, "m": 1}),
    Row("T.special.zeta(x + 2)", {"x": X}, "F", plain=exact(lambda x: scipy.special.zeta(x + 2)),
        slope=False, slack=10),
]  # fmt: skip

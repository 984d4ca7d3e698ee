"""Special functions that are expressions of others, compared with SciPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.special

from tests.conformance.draws import one_of, positive, within
from tests.conformance.families.nnet import exact
from tests.conformance.families.numerical import in_ours
from tests.conformance.row import Arg, Row

X = Arg("n", draw=positive, edges=False)
Y = Arg("n m", edges=False)
FRACTION = Arg("n", draw=within(0.1, 0.9), edges=False)
COUNT = Arg("n", draw=within(0.2, 4.8), edges=False)


def scipys(call: str, args: dict[str, Arg], letters: str, **options: Any) -> Row:
    """Return a row of functions whose values are SciPy's in double precision."""
    function: Any = eval(
        f"lambda {', '.join(args)}: {call.replace('T.', 'scipy.')}", {"scipy": scipy, "np": np}
    )
    plain = in_ours(lambda *values: function(*(v.astype("float64") for v in values)))
    return Row(call, args, letters, plain=plain, **options)


SHORT = [
    scipys("T.special.exp10(x)", {"x": Arg("n")}, "iF", slack=100),
    scipys("[T.special.exprel(x), T.special.cosm1(x)]", {"x": Arg("n")}, "F", slack=10),
    scipys("[T.special.sindg(x), T.special.cosdg(x)]",
           {"x": Arg("n", draw=within(-400, 400), edges=False)}, "lF", slack=30),
    scipys("T.special.tandg(x)", {"x": Arg("n", draw=within(-70, 70), edges=False)}, "lF",
           slack=30),
    scipys("T.special.powm1(abs(x), y)",
           {"x": Arg("n", draw=positive), "y": Arg("n", edges=False)}, "F", slack=100),
    scipys("[T.special.boxcox(x, y), T.special.boxcox1p(x, y)]",
           {"x": Arg("n", draw=positive), "y": Arg("n", edges=False)}, "F", slack=100),
    scipys("[T.special.inv_boxcox(x, y), T.special.inv_boxcox1p(x, y)]", {"x": X, "y": FRACTION},
           "F", slack=100),
    *(scipys(f"[T.special.{name}(1.5, x), T.special.{name}(y, x)]",
             {"x": Arg("n"), "y": X}, "F", slack=10)
      for name in ("huber", "pseudo_huber")),
]  # fmt: skip

GAMMA = [
    scipys("T.special.loggamma(x)", {"x": Arg("n", draw=positive)}, "iF", slack=30),
    scipys("T.special.gammasgn(x)", {"x": Arg("n")}, "iF", slope=False),
    scipys("T.special.rgamma(x)", {"x": Arg("n")}, "iF", slack=30),
    scipys("[T.special.comb(x + 6, y), T.special.perm(x + 6, y), T.special.comb(x + 1, y, "
           "repetition=True)]", {"x": COUNT, "y": COUNT}, "iF", slack=300),
    scipys("[T.special.jn(2, x), T.special.kn(2, x), T.special.k0(x), T.special.k0e(x), "
           "T.special.k1(x), T.special.k1e(x)]", {"x": Arg("n", draw=positive)}, "iF", slack=100),
]  # fmt: skip

DISTRIBUTIONS = [
    scipys("[T.special.chdtr(x, y), T.special.chdtrc(x, y)]",
           {"x": Arg("n", draw=positive), "y": Arg("n", draw=positive)}, "iF", slack=100),
    scipys("T.special.stdtr(x, y - 2)", {"x": Arg("n", draw=positive), "y": X}, "iF", slack=100),
    scipys("[T.special.pdtr(a, x), T.special.pdtrc(a, x)]",
           {"x": Arg("n", draw=positive), "a": Arg("n", "int64", one_of(0, 1, 4))}, "F", slack=100),
    scipys("[T.special.bdtr(a, 4, x), T.special.bdtrc(a, 4, x)]",
           {"x": Arg("n", draw=within(0.1, 0.9)),
            "a": Arg("n", "int64", one_of(0, 1, 3, 4))}, "F", slack=100),
    scipys("[T.special.fdtr(x, y, z), T.special.fdtrc(x, y, z)]",
           {"x": X, "y": X, "z": Arg("n", draw=positive)}, "F", slack=100),
]  # fmt: skip

POLYNOMIALS = [
    scipys(
        f"[T.special.eval_{name}(n, x) for n in (1, 2, 5)]",
        {"x": Arg("n", edges=False)},
        "F",
        slack=30,
    )
    for name in ("legendre", "chebyt", "chebyu", "hermite", "hermitenorm", "laguerre")
]  # fmt: skip

ROWS: list[Row] = [
    Row("T.factorial(x)", {"x": X}, "iF", plain=exact(scipy.special.factorial), slack=20),
    scipys("T.special.poch(x, y)", {"x": X, "y": Arg("n", edges=False)}, "F", slack=100),
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
    *SHORT, *GAMMA, *DISTRIBUTIONS, *POLYNOMIALS,
]  # fmt: skip

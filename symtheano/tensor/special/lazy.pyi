"""Names of symtheano.tensor.special that are imported or made on first access, for type checkers.

Written from the package's tables by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from symtheano.tensor import (
    beta as beta, betainc as betainc, betaincc as betaincc, betaincinv as betaincinv,
    betaln as betaln, binom as binom, cbrt as cbrt, digamma as digamma, entr as entr, erf as erf,
    erfc as erfc, erfcinv as erfcinv, erfcx as erfcx, erfinv as erfinv, exp2 as exp2,
    expit as expit, expm1 as expm1, gamma as gamma, gammainc as gammainc, gammaincc as gammaincc,
    gammainccinv as gammainccinv, gammaincinv as gammaincinv, gammaln as gammaln, hyp2f1 as hyp2f1,
    i0 as i0, i0e as i0e, i1 as i1, i1e as i1e, iv as iv, ive as ive, j0 as j0, j1 as j1, jv as jn,
    jv as jv, kl_div as kl_div, kv as kn, kv as kv, kve as kve, log1p as log1p,
    log_ndtr as log_ndtr, logit as logit, ndtr as ndtr, ndtri as ndtri, owens_t as owens_t,
    polygamma as polygamma, psi as psi, rel_entr as rel_entr, round_half_to_even as round,
    sinc as sinc, softplus as softplus, xlog1py as xlog1py, xlogy as xlogy,
)
from symtheano.tensor.special.bessel import k0 as k0, k0e as k0e, k1 as k1, k1e as k1e
from symtheano.tensor.special.distributions import (
    bdtr as bdtr, bdtrc as bdtrc, chdtr as chdtr, chdtrc as chdtrc, fdtr as fdtr, fdtrc as fdtrc,
    pdtr as pdtr, pdtrc as pdtrc, stdtr as stdtr,
)
from symtheano.tensor.special.elementary import (
    cosdg as cosdg, cosm1 as cosm1, huber as huber, pseudo_huber as pseudo_huber, sindg as sindg,
    tandg as tandg,
)
from symtheano.tensor.special.exponentials import (
    boxcox as boxcox, boxcox1p as boxcox1p, exp10 as exp10, exprel as exprel,
    inv_boxcox as inv_boxcox, inv_boxcox1p as inv_boxcox1p, log_expit as log_expit,
    log_softmax as log_softmax, logdiffexp as logdiffexp, logsumexp as logsumexp, powm1 as powm1,
    softmax as softmax,
)
from symtheano.tensor.special.gamma_functions import (
    comb as comb, factorial as factorial, gammasgn as gammasgn, loggamma as loggamma,
    multigammaln as multigammaln, perm as perm, poch as poch, rgamma as rgamma, zeta as zeta,
)
from symtheano.tensor.special.polynomials import (
    eval_chebyt as eval_chebyt, eval_chebyu as eval_chebyu, eval_hermite as eval_hermite,
    eval_hermitenorm as eval_hermitenorm, eval_laguerre as eval_laguerre,
    eval_legendre as eval_legendre,
)

__all__: list[str] = [
    "bdtr", "bdtrc", "beta", "betainc", "betaincc", "betaincinv", "betaln", "binom", "boxcox",
    "boxcox1p", "cbrt", "chdtr", "chdtrc", "comb", "cosdg", "cosm1", "digamma", "entr", "erf",
    "erfc", "erfcinv", "erfcx", "erfinv", "eval_chebyt", "eval_chebyu", "eval_hermite",
    "eval_hermitenorm", "eval_laguerre", "eval_legendre", "exp10", "exp2", "expit", "expm1",
    "exprel", "factorial", "fdtr", "fdtrc", "gamma", "gammainc", "gammaincc", "gammainccinv",
    "gammaincinv", "gammaln", "gammasgn", "huber", "hyp2f1", "i0", "i0e", "i1", "i1e", "inv_boxcox",
    "inv_boxcox1p", "iv", "ive", "j0", "j1", "jn", "jv", "k0", "k0e", "k1", "k1e", "kl_div", "kn",
    "kv", "kve", "log1p", "log_expit", "log_ndtr", "log_softmax", "logdiffexp", "loggamma", "logit",
    "logsumexp", "multigammaln", "ndtr", "ndtri", "owens_t", "pdtr", "pdtrc", "perm", "poch",
    "polygamma", "powm1", "pseudo_huber", "psi", "rel_entr", "rgamma", "round", "sinc", "sindg",
    "softmax", "softplus", "stdtr", "tandg", "xlog1py", "xlogy", "zeta",
]

"""Names of symtheano.tensor.special that are imported or made on first access, for type checkers.

Written from the package's tables by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from symtheano.tensor import (
    beta as beta, betainc as betainc, betaincc as betaincc, betaincinv as betaincinv,
    betaln as betaln, binom as binom, cbrt as cbrt, digamma as digamma, entr as entr, erf as erf,
    erfc as erfc, erfcinv as erfcinv, erfcx as erfcx, erfinv as erfinv, exp2 as exp2,
    expit as expit, expm1 as expm1, gamma as gamma, gammainc as gammainc, gammaincc as gammaincc,
    gammainccinv as gammainccinv, gammaincinv as gammaincinv, gammaln as gammaln, hyp2f1 as hyp2f1,
    i0 as i0, i0e as i0e, i1 as i1, i1e as i1e, iv as iv, ive as ive, j0 as j0, j1 as j1, jv as jv,
    kl_div as kl_div, kv as kv, kve as kve, log1p as log1p, log_ndtr as log_ndtr, logit as logit,
    ndtr as ndtr, ndtri as ndtri, owens_t as owens_t, polygamma as polygamma, psi as psi,
    rel_entr as rel_entr, round_half_to_even as round, softplus as softplus, xlog1py as xlog1py,
    xlogy as xlogy,
)

__all__: list[str] = [
    "beta", "betainc", "betaincc", "betaincinv", "betaln", "binom", "cbrt", "digamma", "entr",
    "erf", "erfc", "erfcinv", "erfcx", "erfinv", "exp2", "expit", "expm1", "gamma", "gammainc",
    "gammaincc", "gammainccinv", "gammaincinv", "gammaln", "hyp2f1", "i0", "i0e", "i1", "i1e", "iv",
    "ive", "j0", "j1", "jv", "kl_div", "kv", "kve", "log1p", "log_ndtr", "logit", "ndtr", "ndtri",
    "owens_t", "polygamma", "psi", "rel_entr", "round", "softplus", "xlog1py", "xlogy",
]

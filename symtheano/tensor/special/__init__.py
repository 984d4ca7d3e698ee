"""Special functions: those of ``scipy.special`` that exist here, with SciPy's arguments.

Most of them are rows of the scalar table; the others are expressions of those.
``symtheano.tensor.nnet.softmax`` works along the last axis, and ``softmax`` here over all elements
by default, as SciPy's does.
"""

# mypy: implicit-reexport

from typing import TYPE_CHECKING

from symtheano.names import late

if TYPE_CHECKING:
    from symtheano.tensor.special.lazy import *  # noqa: F403 (written from the table below)
else:
    __getattr__, __dir__, __all__ = late(
        __name__,
        {
            "tensor": "beta betainc betaincc betaincinv betaln binom cbrt digamma entr erf erfc "
            "erfcinv erfcx erfinv exp2 expit expm1 gamma gammainc gammaincc gammainccinv "
            "gammaincinv gammaln hyp2f1 i0 i0e i1 i1e iv ive j0 j1 jn=jv jv kl_div kn=kv kv kve "
            "log1p log_ndtr logit ndtr ndtri owens_t polygamma psi rel_entr "
            "round=round_half_to_even sinc softplus xlog1py xlogy",
            "tensor.special.bessel": "k0 k0e k1 k1e",
            "tensor.special.distributions": "bdtr bdtrc chdtr chdtrc fdtr fdtrc pdtr pdtrc stdtr",
            "tensor.special.elementary": "cosdg cosm1 huber pseudo_huber sindg tandg",
            "tensor.special.exponentials": "boxcox boxcox1p exp10 exprel inv_boxcox inv_boxcox1p "
            "log_expit log_softmax logdiffexp logsumexp powm1 softmax",
            "tensor.special.gamma_functions": "comb factorial gammasgn loggamma multigammaln perm "
            "poch rgamma zeta",
            "tensor.special.polynomials": "eval_chebyt eval_chebyu eval_hermite eval_hermitenorm "
            "eval_laguerre eval_legendre",
        },
    )

"""``theano.tensor.inplace``: functions whose results are written into their first operand."""

from __future__ import annotations

import symtheano.tensor as _T
from symtheano.compat.writing import Writing as _Writing

_NAMES = """
    lt gt le ge eq neq and_ or_ xor invert abs_ exp exp2 expm1 neg inv log log1p log2 log10 sgn ceil
    floor trunc round_half_to_even round_half_away_from_zero sqr sqrt deg2rad rad2deg cos arccos sin
    arcsin tan arctan arctan2 cosh arccosh sinh arcsinh tanh arctanh erf erfc erfcx gamma gammaln
    psi tri_gamma chi2sf j0 j1 jv i0 i1 iv second fill maximum minimum add sub mul true_div int_div
    mod pow conj
""".split()
globals().update(
    {f"{name}_inplace": _Writing(getattr(_T, name), f"{name}_inplace") for name in _NAMES}
)
transpose_inplace = _T.transpose  # a view

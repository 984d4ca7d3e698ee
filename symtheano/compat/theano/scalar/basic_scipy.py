"""``theano.scalar.basic_scipy``: special functions."""

from __future__ import annotations

from symtheano.scalar import table as _table

from .basic import row_class

_CLASSES = """
    Erf=erf Erfc=erfc Erfcx=erfcx Erfinv=erfinv Erfcinv=erfcinv Gamma=gamma GammaLn=gammaln Psi=psi
    TriGamma=tri_gamma Chi2SF=chi2sf GammaInc=gammainc GammaIncC=gammaincc GammaU=gammau
    GammaL=gammal Jv=jv J1=j1 J0=j0 Iv=iv I1=i1 I0=i0
"""
_PAIRS = [pair.split("=") for pair in _CLASSES.split()]
globals().update({name: row_class(name, row) for name, row in _PAIRS})
globals().update({row: _table.TABLE[row] for _, row in _PAIRS})
imported_scipy_special = True

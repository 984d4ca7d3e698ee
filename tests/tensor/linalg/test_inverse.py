"""Pseudoinverses with a symbolic cut-off."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", ["FAST_RUN", "INTERPRET"])
def test_the_cut_off_of_singular_values_may_be_symbolic(mode: str) -> None:
    m, b, r, f = T.dmatrix("m"), T.dvector("b"), T.dscalar("r"), T.fscalar("f")
    inverse = T.nlinalg.pinv(m, r)
    solved = T.nlinalg.lstsq(m, b, f)
    slopes = [grad(T.sum(item**2), m) for item in (inverse, T.nlinalg.pinv(m))]
    slopes += [grad(T.sum(item[0] ** 2), m) for item in (solved, T.nlinalg.lstsq(m, b))]
    g = function([m, b, r, f], [inverse, *solved, *slopes], mode=mode)
    a, right = np.random.default_rng(0).normal(size=(4, 3)), np.arange(4.0)
    for cut in (0.0, 0.5, 0.875):
        found = g(a, right, cut, cut)
        np.testing.assert_allclose(found[0], np.linalg.pinv(a, rcond=cut), atol=1e-12)
        for mine, wanted in zip(found[1:5], np.linalg.lstsq(a, right, rcond=cut), strict=True):
            np.testing.assert_allclose(mine, wanted, atol=1e-12)
        if not cut:
            np.testing.assert_allclose(found[5], found[6])
            np.testing.assert_allclose(found[7], found[8])
    with pytest.raises(TypeError, match="rcond is a real number"):
        T.nlinalg.pinv(m, b)

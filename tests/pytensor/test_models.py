"""Models of PyMC: densities and their gradients are those of PyTensor's own functions."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from pymc.blocking import DictToArrayBijection

from symtheano_pytensor import FallbackWarning
from tests.pytensor.comparison import PYTHON
from tests.pytensor.models import MODELS

# PyTensor's gradients of Cholesky factors of almost singular matrices differ in more digits.
LOOSE = {"latent_gaussian_process": 1e-9}


@pytest.mark.one_in(4, 2)
@pytest.mark.parametrize("name", MODELS)
def test_density_and_gradient(name: str) -> None:
    model = MODELS[name]()
    start = model.initial_point()
    point = DictToArrayBijection.map({v.name: start[v.name] for v in model.continuous_value_vars})
    q = point.data + 0.1 * np.random.default_rng(3).normal(size=point.data.shape)
    with warnings.catch_warnings():
        warnings.simplefilter("error", FallbackWarning)
        ours = model.logp_dlogp_function(ravel_inputs=True, mode="SYMTHEANO")
    assert not ours._pytensor_function.compiled._linked.python
    theirs = model.logp_dlogp_function(ravel_inputs=True, mode=PYTHON)
    for function in (ours, theirs):
        function.set_extra_values({})
    (density, gradient), (want, want_gradient) = ours(q), theirs(q)
    tolerance = LOOSE.get(name, 1e-12)
    np.testing.assert_allclose(density, want, rtol=tolerance)
    scale = np.max(np.abs(want_gradient))
    np.testing.assert_allclose(gradient, want_gradient, rtol=tolerance, atol=tolerance * scale)

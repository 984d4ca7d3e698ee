"""Sampling of PyMC's models by nutpie and by PyMC."""

from __future__ import annotations

import warnings

import numpy as np
import nutpie
import pymc as pm
import pytest

from symtheano_pytensor.nutpie import compile_pymc_model

Y = np.random.default_rng(0).normal(3.0, 2.0, 40)


def normal_model() -> pm.Model:
    """The mean of a normal distribution of known spread, whose posterior is known."""
    with pm.Model() as model:
        y = pm.Data("y", Y)
        mu = pm.Normal("mu", 0, 10)
        pm.Deterministic("twice", 2 * mu)
        pm.Normal("likelihood", mu, 2.0, observed=y)
    return model


def posterior(y: np.ndarray) -> tuple[float, float]:
    precision = 1 / 100 + len(y) / 4
    return y.sum() / 4 / precision, precision**-0.5


def sampled(compiled: object) -> tuple[float, float, float]:
    trace = nutpie.sample(compiled, draws=2000, tune=500, chains=2, seed=3, progress_bar=False)
    mu = np.asarray(trace.posterior["mu"])
    return mu.mean(), mu.std(), float(np.asarray(trace.posterior["twice"]).mean())


def test_nutpie_samples_the_posterior_and_takes_new_data() -> None:
    compiled = compile_pymc_model(normal_model())
    for y, model in ((Y, compiled), (Y[:10] + 5, compiled.with_data(y=Y[:10] + 5))):
        mean, spread, twice = sampled(model)
        wanted, width = posterior(y)
        assert abs(mean - wanted) < 0.15 * width
        assert abs(spread / width - 1) < 0.1
        assert twice == pytest.approx(2 * mean)
    with pytest.raises(KeyError, match="Unknown shared variable: z"):
        compiled.with_data(z=1.0)


def test_pymc_samples_in_the_mode() -> None:
    with normal_model(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        trace = pm.sample(
            draws=500, tune=500, chains=2, cores=1, random_seed=4, progressbar=False,
            compile_kwargs={"mode": "SYMTHEANO"}, nuts_sampler="pymc",
        )  # fmt: skip
    mu = np.asarray(trace.posterior["mu"])
    mean, width = posterior(Y)
    assert abs(mu.mean() - mean) < 0.3 * width
    assert abs(mu.std() / width - 1) < 0.2

"""Models of PyMC, of the kinds that its users write, with data of fixed seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pymc as pm
import pytensor
import pytensor.tensor as pt

MODELS: dict[str, Callable[[], Any]] = {}


def model(function: Callable[[np.random.Generator], None]) -> Callable[[], Any]:
    """Register a model: a function that is called inside of ``pm.Model`` with a generator."""

    def make() -> Any:
        with pm.Model() as made:
            function(np.random.default_rng(7))
        return made

    MODELS[function.__name__] = make
    return make


@model
def eight_schools(rng: np.random.Generator) -> None:
    y = np.array([28.0, 8.0, -3.0, 7.0, -1.0, 1.0, 18.0, 12.0])
    sigma = np.array([15.0, 10.0, 16.0, 11.0, 9.0, 11.0, 10.0, 18.0])
    mu, tau = pm.Normal("mu", 0, 5), pm.HalfCauchy("tau", 5)
    raw = pm.Normal("raw", 0, 1, shape=8)
    pm.Normal("y", mu + tau * raw, sigma, observed=y)


@model
def radon(rng: np.random.Generator) -> None:
    county, floor = rng.integers(0, 85, 919), rng.integers(0, 2, 919)
    y = rng.normal(1.5 - 0.7 * floor, 0.8)
    mu_a, sigma_a = pm.Normal("mu_a", 0, 10), pm.Exponential("sigma_a", 1)
    mu_b, sigma_b = pm.Normal("mu_b", 0, 10), pm.Exponential("sigma_b", 1)
    a = mu_a + sigma_a * pm.Normal("a", 0, 1, shape=85)
    b = mu_b + sigma_b * pm.Normal("b", 0, 1, shape=85)
    eps = pm.Exponential("eps", 1)
    pm.Normal("y", a[county] + b[county] * floor, eps, observed=y)


@model
def logistic_regression(rng: np.random.Generator) -> None:
    x = rng.normal(size=(300, 8))
    beta, alpha = pm.Normal("beta", 0, 2, shape=8), pm.Normal("alpha", 0, 2)
    pm.Bernoulli("y", logit_p=alpha + x @ beta, observed=rng.integers(0, 2, 300))


@model
def item_response(rng: np.random.Generator) -> None:
    person, item = np.repeat(np.arange(40), 15), np.tile(np.arange(15), 40)
    ability = pm.Normal("ability", 0, 1, shape=40)
    difficulty = pm.Normal("difficulty", 0, pm.HalfNormal("spread", 1), shape=15)
    slope = pm.LogNormal("slope", 0, 0.5, shape=15)
    logit = slope[item] * (ability[person] - difficulty[item])
    pm.Bernoulli("y", logit_p=logit, observed=rng.integers(0, 2, 600))


@model
def poisson_regression(rng: np.random.Generator) -> None:
    x = rng.normal(size=(120, 3))
    beta = pm.Laplace("beta", 0, 1, shape=3)
    pm.Poisson("y", pt.exp(0.2 + x @ beta), observed=rng.poisson(2.0, 120))


@model
def negative_binomial(rng: np.random.Generator) -> None:
    x = rng.normal(size=150)
    mu = pt.exp(pm.Normal("a", 0, 1) + pm.Normal("b", 0, 1) * x)
    pm.NegativeBinomial("y", mu=mu, alpha=pm.Gamma("alpha", 2, 1), observed=rng.poisson(3, 150))


@model
def robust_regression(rng: np.random.Generator) -> None:
    x = rng.normal(size=100)
    mu = pm.Normal("a", 0, 1) + pm.Normal("b", 0, 1) * x
    pm.StudentT("y", nu=pm.Gamma("nu", 2, 0.1), mu=mu, sigma=pm.HalfNormal("s", 1),
                observed=x + rng.standard_t(4, 100))  # fmt: skip


@model
def weibull_with_censoring(rng: np.random.Generator) -> None:
    time = rng.weibull(1.5, 80) * 3
    upper = np.where(rng.random(80) < 0.3, 2.0, np.inf)
    shape = pm.Gamma("shape", 2, 1)
    scale = pt.exp(pm.Normal("a", 0, 1) + pm.Normal("b", 0, 1) * rng.normal(size=80))
    latent = pm.Weibull.dist(shape, scale)
    pm.Censored("y", latent, lower=None, upper=upper, observed=np.minimum(time, upper))


@model
def mixture_of_normals(rng: np.random.Generator) -> None:
    y = np.concatenate([rng.normal(-2, 0.5, 60), rng.normal(1, 1, 90)])
    w = pm.Dirichlet("w", np.ones(3))
    mu = pm.Normal("mu", 0, 3, shape=3)
    pm.NormalMixture("y", w, mu, sigma=pm.HalfNormal("s", 2, shape=3), observed=y)


@model
def zero_inflated_poisson(rng: np.random.Generator) -> None:
    y = rng.poisson(3, 100) * rng.integers(0, 2, 100)
    pm.ZeroInflatedPoisson("y", psi=pm.Beta("psi", 1, 1), mu=pm.Gamma("mu", 2, 1), observed=y)


@model
def gaussian_process_of_marginals(rng: np.random.Generator) -> None:
    x = np.linspace(0, 5, 40)[:, None]
    covariance = pm.HalfNormal("eta", 2) ** 2 * pm.gp.cov.Matern52(1, pm.Gamma("ell", 2, 1))
    process = pm.gp.Marginal(cov_func=covariance)
    process.marginal_likelihood("y", x, np.sin(x[:, 0]), sigma=pm.HalfNormal("sigma", 1))


@model
def latent_gaussian_process(rng: np.random.Generator) -> None:
    x = np.linspace(0, 5, 30)[:, None]
    process = pm.gp.Latent(cov_func=pm.gp.cov.ExpQuad(1, pm.InverseGamma("ell", 5, 5)))
    f = process.prior("f", x, jitter=1e-6)
    pm.Bernoulli("y", logit_p=f, observed=rng.integers(0, 2, 30))


@model
def hilbert_space_gaussian_process(rng: np.random.Generator) -> None:
    x = np.linspace(-2, 2, 60)[:, None]
    covariance = pm.HalfNormal("eta", 1) ** 2 * pm.gp.cov.ExpQuad(1, pm.Gamma("ell", 3, 2))
    f = pm.gp.HSGP(m=[12], c=2.0, cov_func=covariance).prior("f", x)
    pm.Normal("y", f, pm.HalfNormal("s", 1), observed=np.cos(2 * x[:, 0]))


@model
def correlated_effects(rng: np.random.Generator) -> None:
    group, x = rng.integers(0, 12, 200), rng.normal(size=200)
    chol, _, _ = pm.LKJCholeskyCov("chol", n=2, eta=2.0, sd_dist=pm.Exponential.dist(1.0))
    z = pm.Normal("z", 0, 1, shape=(12, 2))
    effects = pt.dot(z, chol.T)
    pm.Normal("y", effects[group, 0] + effects[group, 1] * x, pm.HalfNormal("s", 1),
              observed=rng.normal(size=200))  # fmt: skip


@model
def multivariate_normal(rng: np.random.Generator) -> None:
    chol, _, _ = pm.LKJCholeskyCov("chol", n=3, eta=1.0, sd_dist=pm.HalfNormal.dist(1.0))
    pm.MvNormal("y", pm.Normal("mu", 0, 1, shape=3), chol=chol, observed=rng.normal(size=(50, 3)))


@model
def spatial_effects(rng: np.random.Generator) -> None:
    adjacency = np.zeros((16, 16))
    for k in range(16):
        for other in ((k + 1) if k % 4 < 3 else None, (k + 4) if k < 12 else None):
            if other is not None:
                adjacency[k, other] = adjacency[other, k] = 1
    rho, sigma = pm.Beta("rho", 0.5, 0.5), pm.HalfNormal("sigma", 1)
    theta, phi = pm.Normal("theta", 0, 1, shape=16), pm.ICAR("phi", W=adjacency)
    mixed = pt.sqrt(1 - rho) * theta + pt.sqrt(rho) * phi
    pm.Poisson("y", pt.exp(sigma * mixed), observed=rng.poisson(2, 16))


@model
def garch(rng: np.random.Generator) -> None:
    y = rng.normal(size=200)
    omega, alpha = pm.HalfNormal("omega", 0.5), pm.Uniform("alpha", 0, 1)
    beta = pm.Uniform("beta", 0, 1) * (1 - alpha)

    def step(last: Any, variance: Any, omega: Any, alpha: Any, beta: Any) -> Any:
        return omega + alpha * last**2 + beta * variance

    variances = pytensor.scan(
        step, sequences=[y[:-1]], outputs_info=[pt.as_tensor(1.0, dtype="float64")],
        non_sequences=[omega, alpha, beta], strict=True, return_updates=False,
    )  # fmt: skip
    sigma = pt.sqrt(pt.concatenate([[1.0], variances]))
    pm.Potential("y", pm.logp(pm.Normal.dist(0, sigma), y).sum())


@model
def hidden_markov(rng: np.random.Generator) -> None:
    y = rng.normal(size=80)
    transitions = pm.Dirichlet("transitions", np.ones((3, 3)))
    mu = pm.Normal("mu", np.array([-1.0, 0.0, 1.0]), 1, shape=3)
    emission = pm.logp(pm.Normal.dist(mu, 1.0), y[:, None])

    def step(emitted: Any, before: Any, transitions: Any) -> Any:
        return emitted + pm.math.logsumexp(before[:, None] + pt.log(transitions), axis=0)[0]

    forward = pytensor.scan(
        step, sequences=[emission[1:]], outputs_info=[emission[0] - np.log(3)],
        non_sequences=[transitions], strict=True, return_updates=False,
    )  # fmt: skip
    pm.Potential("y", pm.math.logsumexp(forward[-1]))


@model
def kalman_filter(rng: np.random.Generator) -> None:
    y = np.cumsum(rng.normal(size=60))
    q, r = pm.HalfNormal("q", 1), pm.HalfNormal("r", 1)
    transition = np.array([[1.0, 1.0], [0.0, 1.0]])
    seen = np.array([[1.0, 0.0]])

    def step(y_t: Any, mean: Any, cov: Any, total: Any, q: Any, r: Any) -> Any:
        mean = pt.dot(transition, mean)
        cov = pt.dot(pt.dot(transition, cov), transition.T) + q**2 * np.eye(2)
        spread = pt.dot(pt.dot(seen, cov), seen.T)[0, 0] + r**2
        gain = pt.dot(cov, seen.T)[:, 0] / spread
        error = y_t - mean[0]
        total = total - 0.5 * (pt.log(2 * np.pi * spread) + error**2 / spread)
        return mean + gain * error, cov - pt.outer(gain, gain) * spread, total

    results = pytensor.scan(
        step, sequences=[y],
        outputs_info=[pt.zeros(2), pt.eye(2) * 10.0, pt.as_tensor(0.0, dtype="float64")],
        non_sequences=[q, r], strict=True, return_updates=False,
    )  # fmt: skip
    pm.Potential("y", results[2][-1])


@model
def dirichlet_multinomial(rng: np.random.Generator) -> None:
    counts = rng.multinomial(50, [0.2, 0.3, 0.5], size=20)
    fractions = pm.Dirichlet("fractions", np.ones(3))
    concentration = pm.LogNormal("concentration", 1, 1)
    pm.DirichletMultinomial("y", n=50, a=fractions * concentration, observed=counts)


@model
def predator_and_prey(rng: np.random.Generator) -> None:
    """The equations of Lotka and Volterra, by the method of Runge and Kutta."""
    theta = pm.LogNormal("theta", np.log([0.5, 0.03, 0.8, 0.02]), 0.3, shape=4)

    def slope(z: Any, p: Any) -> Any:
        return pt.stack([(p[0] - p[1] * z[1]) * z[0], (p[3] * z[0] - p[2]) * z[1]])

    def step(z: Any, p: Any) -> Any:
        h = 0.2
        k1 = slope(z, p)
        k2 = slope(z + h / 2 * k1, p)
        k3 = slope(z + h / 2 * k2, p)
        k4 = slope(z + h * k3, p)
        return z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)

    path = pytensor.scan(
        step, outputs_info=[pt.as_tensor([30.0, 4.0], dtype="float64")], non_sequences=[theta],
        n_steps=60, strict=True, return_updates=False,
    )  # fmt: skip
    y = np.exp(rng.normal(3, 0.3, size=(12, 2)))
    pm.LogNormal("y", pt.log(path[4::5]), pm.HalfNormal("s", 1), observed=y)


@model
def ordered_categories(rng: np.random.Generator) -> None:
    x = rng.normal(size=120)
    cuts = pm.Normal("cuts", np.array([-1.0, 0.0, 1.0]), 1, shape=3,
                     transform=pm.distributions.transforms.ordered)  # fmt: skip
    pm.OrderedLogistic("y", eta=pm.Normal("b", 0, 1) * x, cutpoints=cuts,
                       observed=rng.integers(0, 4, 120))  # fmt: skip


@model
def softmax_regression(rng: np.random.Generator) -> None:
    x = rng.normal(size=(90, 4))
    beta = pm.Normal("beta", 0, 1, shape=(4, 3))
    pm.Categorical("y", p=pm.math.softmax(x @ beta, axis=1), observed=rng.integers(0, 3, 90))


@model
def random_walk(rng: np.random.Generator) -> None:
    sigma = pm.Exponential("sigma", 1)
    walk = pm.GaussianRandomWalk("walk", sigma=sigma, init_dist=pm.Normal.dist(0, 1), shape=50)
    pm.Normal("y", walk, 0.5, observed=np.cumsum(rng.normal(size=50)))


@model
def autoregression(rng: np.random.Generator) -> None:
    rho = pm.Normal("rho", 0, 0.5, shape=2)
    pm.AR("y", rho, sigma=pm.HalfNormal("s", 1), init_dist=pm.Normal.dist(0, 1),
          observed=rng.normal(size=60))  # fmt: skip


@model
def beta_binomial(rng: np.random.Generator) -> None:
    mean, size = pm.Beta("mean", 2, 2), pm.HalfNormal("size", 10)
    pm.BetaBinomial("y", alpha=mean * size, beta=(1 - mean) * size, n=20,
                    observed=rng.binomial(20, 0.4, 30))  # fmt: skip


@model
def truncated_normal(rng: np.random.Generator) -> None:
    pm.TruncatedNormal("y", mu=pm.Normal("mu", 0, 1), sigma=pm.HalfNormal("s", 1), lower=-1,
                       upper=2, observed=rng.uniform(-1, 2, 60))  # fmt: skip


@model
def missing_values(rng: np.random.Generator) -> None:
    y = rng.normal(size=30)
    y[::7] = np.nan
    pm.Normal("y", pm.Normal("mu", 0, 1), pm.HalfNormal("s", 1), observed=y)


@model
def stochastic_volatility(rng: np.random.Generator) -> None:
    y = 0.02 * rng.standard_t(5, 300)
    walk = pm.GaussianRandomWalk("walk", sigma=pm.Exponential("step", 10),
                                 init_dist=pm.Normal.dist(0, 1), shape=300)  # fmt: skip
    pm.StudentT("y", nu=pm.Exponential("nu", 0.1), lam=pt.exp(-2 * walk), observed=y)


@model
def spline_regression(rng: np.random.Generator) -> None:
    """Cubic pieces with an axis for each knot, and coefficients that follow a random walk."""
    x = np.sort(rng.uniform(0, 1, 200))
    knots = np.linspace(0, 1, 17)[1:-1]
    basis = np.column_stack([x, x**2, x**3, np.maximum(x[:, None] - knots, 0) ** 3])
    start, scale = pm.Normal("start", 0, 2), pm.HalfNormal("scale", 1)
    weights = start + scale * pt.cumsum(pm.Normal("steps", 0, 1, shape=basis.shape[1]))
    mean = pm.Normal("level", 0, 1) + pt.dot(basis, weights)
    y = np.sin(6 * x) + rng.normal(0, 0.2, 200)
    pm.Normal("y", mean, pm.Exponential("sigma", 1), observed=y)


@model
def piecewise_exponential_survival(rng: np.random.Generator) -> None:
    """The number of events of a person in a part of the time is one of Poisson."""
    ends = rng.exponential(8.0, 60)
    died, treated = rng.random(60) < 0.7, rng.integers(0, 2, 60)
    bounds = np.arange(0, 25, 2.0)
    exposure = np.clip(ends[:, None] - bounds[:-1], 0, 2.0)
    events = (died & (ends < 24))[:, None] & (exposure > 0) & (exposure < 2.0)
    base = pm.Gamma("base", 0.5, 0.5, shape=12)
    hazard = pt.exp(pm.Normal("beta", 0, 1) * treated)[:, None] * base
    pm.Poisson("y", exposure * hazard + 1e-9, observed=events.astype(int))


@model
def vector_state_space(rng: np.random.Generator) -> None:
    """A filter of two series with a state of three numbers, by Cholesky factors."""
    y = np.cumsum(rng.normal(size=(40, 2)), axis=0)
    transition = np.array([[1.0, 1.0, 0.0], [0.0, 0.9, 0.0], [0.0, 0.0, 0.7]])
    observed = np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 1.0]])
    q, r = pm.HalfNormal("q", 1, shape=3), pm.HalfNormal("r", 1, shape=2)

    def step(y_t: Any, mean: Any, cov: Any, total: Any, q: Any, r: Any) -> Any:
        mean = pt.dot(transition, mean)
        cov = pt.dot(pt.dot(transition, cov), transition.T) + pt.diag(q**2)
        spread = pt.dot(pt.dot(observed, cov), observed.T) + pt.diag(r**2)
        factor = pt.linalg.cholesky(spread)
        cross = pt.linalg.solve_triangular(factor, pt.dot(observed, cov), lower=True)
        error = pt.linalg.solve_triangular(factor, y_t - pt.dot(observed, mean), lower=True)
        total = total - pt.sum(pt.log(pt.diag(factor))) - 0.5 * pt.sum(error**2)
        return mean + pt.dot(cross.T, error), cov - pt.dot(cross.T, cross), total

    results = pytensor.scan(
        step, sequences=[y],
        outputs_info=[pt.zeros(3), pt.eye(3) * 5.0, pt.as_tensor(0.0, dtype="float64")],
        non_sequences=[q, r], strict=True, return_updates=False,
    )  # fmt: skip
    pm.Potential("y", results[2][-1])


@model
def hurdle(rng: np.random.Generator) -> None:
    x = rng.normal(size=150)
    y = rng.poisson(2.0, 150) * (rng.random(150) < 0.6)
    psi = pm.math.invlogit(pm.Normal("a", 0, 1) + pm.Normal("b", 0, 1) * x)
    mu = pt.exp(pm.Normal("c", 0, 1) + pm.Normal("d", 0, 1) * x)
    pm.HurdlePoisson("y", psi=psi, mu=mu, observed=y)


@model
def discrete_choice(rng: np.random.Generator) -> None:
    """Choices among alternatives with properties, with tastes that differ among persons."""
    properties = rng.normal(size=(250, 4, 3))
    person = np.repeat(np.arange(25), 10)
    mean, spread = pm.Normal("mean", 0, 1, shape=3), pm.HalfNormal("spread", 1, shape=3)
    taste = mean + spread * pm.Normal("taste", 0, 1, shape=(25, 3))
    utility = pt.sum(properties * taste[person][:, None, :], axis=-1)
    pm.Categorical("y", logit_p=utility, observed=rng.integers(0, 4, 250))


@model
def zero_inflated_negative_binomial(rng: np.random.Generator) -> None:
    group = rng.integers(0, 6, 180)
    y = rng.negative_binomial(2, 0.4, 180) * (rng.random(180) < 0.7)
    level = pm.Normal("level", pm.Normal("mean", 0, 1), pm.HalfNormal("spread", 1), shape=6)
    pm.ZeroInflatedNegativeBinomial("y", psi=pm.Beta("psi", 2, 2), mu=pt.exp(level[group]),
                                    alpha=pm.Exponential("alpha", 0.5), observed=y)  # fmt: skip


@model
def horseshoe(rng: np.random.Generator) -> None:
    x = rng.normal(size=(100, 30))
    y = x[:, :3] @ np.array([2.0, -1.0, 0.5]) + rng.normal(size=100)
    sigma = pm.HalfNormal("sigma", 1)
    tau = pm.HalfStudentT("tau", 2, 0.1)
    lam = pm.HalfStudentT("lam", 5, 1, shape=30)
    c2 = pm.InverseGamma("c2", 1, 1)
    shrunk = lam * pt.sqrt(c2 / (c2 + tau**2 * lam**2))
    beta = pm.Normal("z", 0, 1, shape=30) * tau * shrunk
    pm.Normal("y", x @ beta, sigma, observed=y)


@model
def broken_stick_mixture(rng: np.random.Generator) -> None:
    """A mixture with weights as of a Dirichlet process."""
    y = np.concatenate([rng.normal(-3, 1, 70), rng.normal(2, 0.5, 80)])
    beta = pm.Beta("beta", 1, pm.Gamma("alpha", 1, 1), shape=9)
    rest = pt.concatenate([[1.0], pt.cumprod(1 - beta)])
    w = pt.concatenate([beta, [1.0]]) * rest
    tau = pm.Gamma("tau", 1, 1, shape=10)
    mu = pm.Normal("mu", 0, tau=0.1, shape=10)
    pm.Mixture("y", w, pm.Normal.dist(mu, tau=tau), observed=y)


@model
def epidemic(rng: np.random.Generator) -> None:
    """Counts of infections, whose means follow the equations of Kermack and McKendrick."""
    y = rng.poisson(np.exp(3 - 0.02 * (np.arange(50) - 20) ** 2))
    rate, recovery = pm.LogNormal("rate", np.log(0.6), 0.5), pm.LogNormal("recovery", -1.2, 0.5)

    def step(s: Any, i: Any, rate: Any, recovery: Any) -> Any:
        new = rate * s * i / 500.0
        return s - new, i + new - recovery * i

    susceptible, infected = pytensor.scan(
        step,
        outputs_info=[pt.as_tensor(498.0, dtype="float64"), pt.as_tensor(2.0, dtype="float64")],
        non_sequences=[rate, recovery], n_steps=50, strict=True, return_updates=False,
    )  # fmt: skip
    mean = rate * susceptible * infected / 500.0
    pm.NegativeBinomial("y", mu=mean, alpha=pm.Exponential("alpha", 0.1), observed=y)


@model
def paired_comparisons(rng: np.random.Generator) -> None:
    """The model of Bradley and Terry, with strengths that add up to zero."""
    first = rng.integers(0, 20, 400)
    second = (first + rng.integers(1, 20, 400)) % 20
    strength = pm.ZeroSumNormal("strength", pm.HalfNormal("spread", 1), shape=20)
    home = pm.Normal("home", 0, 0.5)
    pm.Bernoulli("y", logit_p=home + strength[first] - strength[second],
                 observed=rng.integers(0, 2, 400))  # fmt: skip


@model
def change_of_rate(rng: np.random.Generator) -> None:
    """Counts whose rate changes once, with a sum over all times at which it may."""
    y = np.concatenate([rng.poisson(3.0, 40), rng.poisson(1.0, 71)])
    early, late = pm.Exponential("early", 1), pm.Exponential("late", 1)
    before = pt.cumsum(pm.logp(pm.Poisson.dist(early), y))
    after = pt.cumsum(pm.logp(pm.Poisson.dist(late), y))
    pm.Potential("y", pm.math.logsumexp(before + after[-1] - after))

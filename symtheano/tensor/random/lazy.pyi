"""Names of symtheano.tensor.random that are imported or made on first access, for type checkers.

Written from the package's tables by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from symtheano.tensor.random.generator import (
    Generator as Generator, beta as beta, binomial as binomial, choice as choice,
    default_rng as default_rng, exponential as exponential, gamma as gamma, integers as integers,
    laplace as laplace, multinomial as multinomial, normal as normal, permutation as permutation,
    poisson as poisson, random as random, random_normal as random_normal,
    random_uniform as random_uniform, seed as seed, standard_normal as standard_normal,
    uniform as uniform,
)

__all__: list[str] = [
    "Generator", "beta", "binomial", "choice", "default_rng", "exponential", "gamma", "integers",
    "laplace", "multinomial", "normal", "permutation", "poisson", "random", "random_normal",
    "random_uniform", "seed", "standard_normal", "uniform",
]

"""Random variables with the names and the order of arguments of ``numpy.random``.

A function in ``numpy.random`` returns numbers. Here it returns a random variable, which is an
expression. A compiled function that uses it draws new numbers in each call. In one call, all uses
of the variable have the same numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.random import discrete, distributions
from symtheano.tensor.random.state import random_state
from symtheano.tensor.random.streams import RandomStreams
from symtheano.tensor.shapes.shape import shape_of

__all__ = [
    "Generator", "beta", "binomial", "choice", "default_rng", "exponential", "gamma", "integers",
    "laplace", "multinomial", "normal", "permutation", "poisson", "random",
    "random_normal", "random_uniform", "seed", "standard_normal", "uniform",
]  # fmt: skip


class _Unrecorded(RandomStreams):
    """A stream that does not hold its random variables, so that they can be freed."""

    def __init__(self, seed: int | None) -> None:
        super().__init__(seed)
        self._numbers = count()

    def gen(self, op: Callable[..., tuple[Any, Any]], *args: Any, **kwargs: Any) -> Any:
        state = random_state(self._generator(next(self._numbers)))
        new, drawn = op(state, *args, **kwargs)
        drawn.rng, drawn.update = state, (state, new)
        state.default_update = new
        return drawn


class Generator:
    """Random variables, with the arguments of ``numpy.random.Generator``.

    The numbers of the first variable are those of ``numpy.random.default_rng(seed)``. Each further
    variable has a generator spawned from it. :class:`RandomStreams` has Theano's order of
    arguments; it also keeps its variables and can restart them.

    In all methods, ``size`` is a length, a list of lengths or a vector of lengths. Without a size,
    the variable has the broadcast shape of the parameters. Parameters may be symbolic. ``dtype`` is
    floatX by default, or the dtype of a parameter if that is wider.

    Parameters
    ----------
    seed
        An integer; None for one that the operating system provides.

    Examples
    --------
    >>> from symtheano import function
    >>> f = function([], Generator(5).normal(10.0, 2.0, size=3, dtype="float64"))
    >>> rng = np.random.default_rng(5)
    >>> [bool((f() == rng.normal(10.0, 2.0, size=3)).all()) for _ in range(2)]
    [True, True]
    """

    def __init__(self, seed: int | None = None) -> None:
        self.seed(seed)

    def __repr__(self) -> str:
        return f"Generator({'' if self._seed is None else self._seed})"

    def seed(self, seed: int | None = None) -> None:
        """Seed the generator for all variables that are made from now on.

        Existing variables are not changed.

        Examples
        --------
        >>> rng = Generator(1)
        >>> first = rng.random(2).eval()
        >>> rng.seed(1)
        >>> (rng.random(2).eval() == first).all()
        np.True_
        """
        self._stream, self._seed = _Unrecorded(seed), seed

    def _draw(self, distribution: Callable[..., Any], *args: Any) -> Tensor:
        drawn: Tensor = self._stream.draw(distribution, *args)
        return drawn

    def random(self, size: Any = None, dtype: Any = None) -> Tensor:
        """Return numbers from [0, 1)."""
        return self.uniform(0.0, 1.0, size, dtype)

    def uniform(
        self, low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = None
    ) -> Tensor:
        """Return numbers from [low, high)."""
        return self._draw(distributions.uniform, size, low, high, None, dtype)

    def normal(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = None
    ) -> Tensor:
        """Return normal numbers with mean ``loc`` and standard deviation ``scale``."""
        return self._draw(distributions.normal, size, loc, scale, None, dtype)

    def standard_normal(self, size: Any = None, dtype: Any = None) -> Tensor:
        """Return normal numbers with mean 0 and standard deviation 1."""
        return self.normal(0.0, 1.0, size, dtype)

    def exponential(self, scale: Any = 1.0, size: Any = None, dtype: Any = None) -> Tensor:
        """Return exponential numbers with mean ``scale``."""
        return self._draw(distributions.exponential, size, scale, None, dtype)

    def gamma(self, shape: Any, scale: Any = 1.0, size: Any = None, dtype: Any = None) -> Tensor:
        """Return numbers of gamma distributions, with mean ``shape * scale``."""
        return self._draw(distributions.gamma, size, shape, scale, None, dtype)

    def beta(self, a: Any, b: Any, size: Any = None, dtype: Any = None) -> Tensor:
        """Return numbers of beta distributions, with mean ``a / (a + b)``."""
        return self._draw(distributions.beta, size, a, b, None, dtype)

    def laplace(
        self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = None
    ) -> Tensor:
        """Return numbers of Laplace distributions, with mean ``loc``."""
        return self._draw(distributions.laplace, size, loc, scale, None, dtype)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = "int64",
        endpoint: bool = False,
    ) -> Tensor:  # fmt: skip
        """Return integers from ``low`` (included) to ``high`` (excluded).

        Without ``high``, they are from 0 to ``low`` (excluded). With ``endpoint``, the upper limit
        is included.
        """
        if high is None:
            low, high = 0, low
        last = high if endpoint else as_tensor_variable(high) - 1
        return self._draw(discrete.integers, size, low, last, None, dtype)

    def binomial(self, n: Any, p: Any, size: Any = None, dtype: Any = "int64") -> Tensor:
        """Return numbers of successes in ``n`` trials; ``p`` is the probability of success."""
        return self._draw(discrete.binomial, size, n, p, None, dtype)

    def poisson(self, lam: Any = 1.0, size: Any = None, dtype: Any = "int64") -> Tensor:
        """Return Poisson numbers with mean ``lam``."""
        return self._draw(discrete.poisson, size, lam, None, dtype)

    def multinomial(self, n: Any, pvals: Any, size: Any = None, dtype: Any = "int64") -> Tensor:
        """Return counts of the outcomes of ``n`` trials, along an additional axis.

        ``pvals`` are the probabilities of the outcomes, along the last axis.
        """
        return self._draw(discrete.multinomial, size, n, pvals, None, dtype)

    def choice(self, a: Any, size: Any = None, replace: bool = True, p: Any = None) -> Tensor:
        """Return random items of the vector ``a``, or of the integers below ``a``.

        ``p`` are the probabilities of the items. ``replace``: whether an item may occur more than
        once.
        """
        items = as_tensor_variable(a)
        dtype = items.dtype if items.ndim else "int64"
        return self._draw(discrete.choice, size, items, replace, p, None, dtype)

    def permutation(self, x: Any) -> Tensor:
        """Return the integers below ``x``, or the rows of an array, in random order."""
        x = as_tensor_variable(x)
        number = shape_of(x)[0] if x.ndim else x
        order = self._draw(discrete.permutation, None, number)
        return x[order] if x.ndim else order


def default_rng(seed: int | None = None) -> Generator:
    """Return a generator of random variables.

    Parameters
    ----------
    seed
        An integer; None for one that the operating system provides.

    Examples
    --------
    >>> float(default_rng(0).uniform(dtype="float64").eval())
    0.6369616873214543
    """
    return Generator(seed)


def random_normal(
    shape: Any = (), mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = None, seed: int | None = None
) -> Tensor:
    """Return normal numbers, with the arguments of TensorFlow 1.

    Parameters
    ----------
    shape
        A length, a list of lengths or a vector of lengths.
    mean, stddev
        Mean and standard deviation, which may be symbolic.
    dtype
        floatX by default.
    seed
        An integer for the numbers of ``numpy.random.default_rng(seed)``. None for the generator of
        the process, which ``symtheano.tensor.random.seed`` sets.

    Examples
    --------
    >>> random_normal((2, 3), seed=0).type
    TensorType(float64, (2, 3))
    """
    return (_default if seed is None else Generator(seed)).normal(mean, stddev, shape, dtype)


def random_uniform(
    shape: Any = (), minval: Any = 0.0, maxval: Any = 1.0, dtype: Any = None,
    seed: int | None = None,
) -> Tensor:  # fmt: skip
    """Return numbers from [minval, maxval); other arguments as for :func:`random_normal`.

    Examples
    --------
    >>> random_uniform((3,), 1.0, 2.0, seed=0).eval().round(3)
    array([1.637, 1.27 , 1.041])
    """
    return (_default if seed is None else Generator(seed)).uniform(minval, maxval, shape, dtype)


_default = Generator()
beta = _default.beta
binomial = _default.binomial
choice = _default.choice
exponential = _default.exponential
gamma = _default.gamma
integers = _default.integers
laplace = _default.laplace
multinomial = _default.multinomial
normal = _default.normal
permutation = _default.permutation
poisson = _default.poisson
random = _default.random
seed = _default.seed
standard_normal = _default.standard_normal
uniform = _default.uniform

"""Random numbers, compared with those of NumPy's generators with the same state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano.tensor.random.seeded import INCREMENT
from symtheano.tensor.random.state import generator_of, state_words
from tests.conformance.draws import Array, Sizes, positive
from tests.conformance.row import Arg, Row


def state(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return the state of a generator."""
    return state_words(int(random.integers(1 << 40)))


RNG = Arg("6", "uint64", state, edges=False)


def drawn(text: str, plain: Callable[..., Any], letters: str = "F", **args: Arg) -> Row:
    """Return a row of numbers drawn from a state, and of the state after them."""

    def numbers(*values: Any) -> list[Any]:
        rng = generator_of(values[0])
        made = plain(rng, *values[1:])
        return [state_words(rng), made]

    return Row(f"T.raw_random.{text}", {"rng": RNG, **args}, letters, numbers, slope=False)


X = Arg("n m", draw=positive, edges=False)


def streams(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return states of MRG31k3p."""
    return random.integers(1, 2**31 - 30000, shape).astype(dtype)


def uniform_of_streams(states: Array, x: Array) -> list[Array]:
    """Return new states and numbers, as the recurrences define them."""
    states, numbers = states.astype("int64").tolist(), []
    for i in range(x.size):
        a, b, c, d, e, f = states[i % len(states)]
        u = ((b << 22) + 129 * c) % (2**31 - 1)
        v = ((d << 15) + 32769 * f) % (2**31 - 21069)
        states[i % len(states)] = [u, a, b, v, d, e]
        numbers.append((u - v) % (2**31 - 1) or 2**31 - 1)
    return [np.array(states, "int32"), np.array(numbers).reshape(x.shape) * 2.0**-31]


def word(random: np.random.Generator, dtype: str, shape: Sequence[int], sizes: Sizes) -> Array:
    """Return a key or the number of a stream."""
    return np.asarray(random.integers(0, 2**64, shape, "uint64"))


WORD = Arg("", "uint64", word, edges=False)


def uniform_of_blocks(key: Array, stream: Array, x: Array) -> Array:
    """Return numbers made of the words of 64 bits of Philox 4x32-10."""
    words: list[int] = []
    while len(words) < x.size:
        a, b, c, d = len(words) // 2, 0, int(stream) % 2**32, int(stream) >> 32
        for k in range(10):
            low = int(key) % 2**32 + k * 0x9E3779B9
            high = (int(key) >> 32) + k * 0xBB67AE85
            p, q = a * 0xD2511F53, c * 0xCD9E8D57
            a, b = (q >> 32) ^ b ^ low % 2**32, q % 2**32
            c, d = (p >> 32) ^ d ^ high % 2**32, p % 2**32
        words += [a | b << 32, c | d << 32]
    return np.array([w >> 11 for w in words[: x.size]], "float64").reshape(x.shape) * 2.0**-53


def first_uniform_of_streams(key: Array, stream: Array, x: Array) -> Array:
    """Return numbers made of the first words of streams."""
    streams = [(int(stream) + 2 * k) % 2**64 for k in range(len(x))]
    one = np.empty(1)
    return np.array([uniform_of_blocks(key, np.uint64(s), one)[0] for s in streams], "float64")


def poisson_of_seeds(seeds: Array, x: Array) -> Array:
    """Return Poisson numbers, each from a generator with a state of two words."""
    found = np.empty(x.shape, "int64")
    for index in np.ndindex(*x.shape):
        made = np.random.PCG64(0)
        state = int(seeds[index][0]) << 64 | int(seeds[index][1])
        made.state = {**made.state, "state": {"state": state, "inc": INCREMENT}}
        found[index] = np.random.Generator(made).poisson(x[index])
    return found


ROWS: list[Row] = [
    drawn("uniform(rng, x.shape, dtype=x.dtype)", lambda g, x: g.random(x.shape, x.dtype), x=X),
    drawn("uniform(rng, None, -x, x)", lambda g, x: g.uniform(-x, x), "D", x=X),
    drawn("normal(rng, x.shape, dtype=x.dtype)",
          lambda g, x: g.standard_normal(x.shape, x.dtype), x=X),
    drawn("normal(rng, (), 2.0, 3.0, dtype='float64')", lambda g: g.normal(2.0, 3.0), "D"),
    drawn("exponential(rng, scale=x, dtype=x.dtype)",
          lambda g, x: x * g.standard_exponential(x.shape, x.dtype), x=X),
    drawn("random_integers(rng, None, -x, 2 * x)",
          lambda g, x: g.integers(-x, 2 * x, endpoint=True), "l", x=X),
    drawn("poisson(rng, None, x)", lambda g, x: g.poisson(x), "D", x=X),
    drawn("permutation(rng, (3,), 5)",
          lambda g: np.array([g.permutation(5) for _ in range(3)]), "l"),
    drawn("gamma(rng, None, x, 2.0)", lambda g, x: g.gamma(x, 2.0), "D", x=X),
    drawn("beta(rng, None, x, 0.5)", lambda g, x: g.beta(x, 0.5), "D", x=X),
    drawn("binomial(rng, None, x, 0.3)", lambda g, x: g.binomial(x, 0.3), "l", x=X),
    drawn("laplace(rng, None, x, 2.0)", lambda g, x: g.laplace(x, 2.0), "D", x=X),
    drawn("choice(rng, (3, 4), 7)", lambda g: g.choice(7, (3, 4)), "l"),
    drawn("choice(rng, (3, 4), 30, replace=False)", lambda g: g.choice(30, (3, 4), False), "l"),
    drawn("multinomial(rng, None, x, [0.2, 0.8])",
          lambda g, x: g.multinomial(x, [0.2, 0.8]), "l", x=X),
    Row("T.random.mrg_op.MRGUniform('float64')(states, *x.shape)",
        {"states": Arg("k 6", "int32", streams, edges=False), "x": X}, "D", uniform_of_streams,
        slope=False, least={"k": 1}),
    Row("T.random.philox_op.PhiloxNumbers('random', 'float64')(key, stream, *x.shape)",
        {"key": WORD, "stream": WORD, "x": X}, "D", uniform_of_blocks, slope=False),
    Row("T.random.philox_op.FirstPhiloxNumbers('random', 'float64', 2)(key, stream, x.shape[0])",
        {"key": WORD, "stream": WORD, "x": X}, "D", first_uniform_of_streams, slope=False),
    Row("T.random.seeded.SeededNumbers('poisson')(seeds, x)",
        {"seeds": Arg("n m 2", "uint64", word, edges=False), "x": X}, "D", poisson_of_seeds,
        slope=False),
]  # fmt: skip

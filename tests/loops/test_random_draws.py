"""Random scans that draw random numbers: rules about draws change no number and no state."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, config, function, grad, scan
from symtheano.ifelse import ifelse
from symtheano.scan_module import until
from symtheano.tensor.random import PhiloxStreams, RandomStreams
from tests.support.devices import DEVICE
from tests.support.seeds import seeds

WITHOUT = Mode().excluding("draws_before_loops", "counters_from_steps")


class RandomDraws:
    """A scan with random numbers.

    Parameters
    ----------
    seed
        What decides.
    """

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        self.srng = chance.choice([RandomStreams, PhiloxStreams])(seed)
        self.x, self.n, self.rows = T.dscalar("x"), T.lscalar("n"), T.dvector("rows")
        self.reads, self.nested = chance.random() < 0.5, chance.random() < 0.3
        self.until, self.last = chance.random() < 0.2, chance.random() < 0.3
        self.steps = 25 if chance.random() < 0.3 else self.n
        self.outside = self.number() if chance.random() < 0.2 else None
        self.decisions = chance.getrandbits(30)

    def number(self) -> Any:
        """Return a number drawn in some way."""
        made = self.chance.choices(
            [
                lambda r, dtype: r.normal((), dtype=dtype),
                lambda r, dtype: r.uniform((), dtype=dtype),
                lambda r, dtype: r.exponential((), dtype=dtype),
                lambda r, dtype: r.random_integers((), 0, 7),
                lambda r, dtype: r.normal((2,), dtype=dtype).sum(),
                lambda r, dtype: r.poisson((), 2.5),
                lambda r, dtype: r.gamma((), 1.5, dtype="float64"),
                lambda r, dtype: r.uniform((20,), dtype=dtype).mean(),
            ],
            [5, 4, 2, 1, 1, 1, 1, 2],
        )[0]
        return T.cast(made(self.srng, self.chance.choice(["float64", "float32"])), "float64")

    def value(self, chance: random.Random, before: Any) -> Any:
        """Return the next value."""
        value = before * 0.5
        for _ in range(chance.randint(1, 3)):
            again = self.outside is not None and chance.random() < 0.3
            drawn = self.outside if again else self.number()
            kind = chance.choice(
                [
                    lambda v, d: v + d * self.x,
                    lambda v, d: v + T.log(1 + d * d),
                    lambda v, d: T.switch(d > 0.5, v, before * self.x + d),
                    lambda v, d: ifelse(d > before, v + d, v * 0.5),
                    lambda v, d: T.tanh(v + T.exp(-d * d)),
                    lambda v, d: v + d,
                ]
            )
            value = kind(value, drawn)
        return 2 * T.tanh(value)

    def step(self, *read: Any) -> Any:
        """Return the next value and a number."""
        value = self.value(random.Random(self.decisions), read[-1])
        updates: dict[Any, Any] = {}
        if self.reads:
            value = value + read[0] * 0.1
        if self.nested:
            again = random.Random(self.decisions + 1)
            rows, updates = scan(lambda h: self.value(again, h), outputs_info=value, n_steps=3)
            value = rows[-1]
        results = [value, self.number()]
        return (results, updates, until(value > 1.2)) if self.until else (results, updates)

    def compiled(self, mode: Any) -> Any:
        """Return the function of the results and a gradient."""
        sequences = [self.rows] if self.reads else None
        start = T.constant(np.float64(0.1))
        (values, numbers), updates = scan(self.step, sequences, [start, None], n_steps=self.steps)
        outputs = [values[-1]] if self.last else [values, numbers]
        cost = values[-1] if self.until or self.last else values.sum()
        slope = grad(cost, self.x, disconnected_inputs="ignore")
        given = updates if self.chance.random() < 0.7 else None
        inputs = [self.x, self.n, self.rows]
        return function(
            inputs, [*outputs, slope], updates=given, mode=mode, on_unused_input="ignore"
        )


def results(seed: int, mode: Any) -> tuple[list[Any], list[Any]]:
    """Return what three calls return, and the states after them."""
    made = RandomDraws(seed)
    f = made.compiled(mode)
    rows = np.linspace(-1, 1, 25)
    return [value for n in (4, 1, 9) for value in f(0.7, n, rows)], made.srng.get_state()


@pytest.mark.needs_cc
@pytest.mark.parametrize("seed", seeds(range(4)))
def test_random_draws(seed: int) -> None:
    check(seed)


@pytest.mark.needs_cxx
@pytest.mark.one_in(1, most=1)
@pytest.mark.parametrize("draws", [0, 1])
def test_random_draws_on_a_device(draws: int) -> None:
    """The stream of an iteration is passed on in memory; lengths are those of arrays there."""
    with config.change_flags(device=DEVICE):
        found, states = results(draws, None)
    others, expected = results(draws, "INTERPRET")
    for one, other in zip(found, others, strict=True):
        np.testing.assert_allclose(one, other, 1e-8, 1e-10)
    assert all(map(np.array_equal, states, expected))


def check(seed: int) -> None:
    """Compare compiled code with and without the rules, and the interpreter."""
    found, states = results(seed, None)
    for mode in (WITHOUT, "INTERPRET"):
        others, expected = results(seed, mode)
        for one, other in zip(found, others, strict=True):
            np.testing.assert_allclose(one, other, 1e-8, 1e-10)
        assert all(map(np.array_equal, states, expected))

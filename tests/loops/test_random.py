"""Random loops in loops: C, NumPy and the interpreter of LoopIR agree."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.loopir.verify import verify
from symtheano.loops.scan_op import Scan
from tests.support.programs import ProgramMachine
from tests.support.seeds import seeds

TYPES = (T.dscalar, T.dvector, T.dmatrix)
OTHERS = (1, 2, 0)


def loop(
    step: Any, states: Sequence[Any], results: Sequence[Any], others: Sequence[Any] = ()
) -> Scan:
    """Return an op that runs expressions of states a number of times."""
    return Scan(step, results, states=states, others=others)


class Writer:
    """Writes random expressions.

    Parameters
    ----------
    chance
        What decides.
    known
        The variables of the expressions.
    """

    def __init__(self, chance: random.Random, known: Sequence[Any]) -> None:
        self.chance, self.known = chance, known

    def write(self, ndim: int, depth: int) -> Any:
        """Return an expression of a number of axes, all of the same length."""
        leaves = [item for item in self.known if item.ndim == ndim]
        if leaves and (depth == 0 or self.chance.random() < 0.15):
            return self.chance.choice(leaves)
        if depth == 0:
            vector = self.chance.choice([item for item in self.known if item.ndim == 1])
            return vector.sum() if ndim == 0 else vector[:, None] * vector

        def part(ndim: int) -> Any:
            return self.write(ndim, depth - 1)

        own: dict[int, list[Callable[[], Any]]] = {
            0: [
                lambda: part(1).sum(), lambda: part(2).max(), lambda: part(1)[-1],
                lambda: T.dot(part(1), part(1)),
            ],
            1: [
                lambda: part(1)[::-1], lambda: T.tanh(T.dot(part(2), part(1))),
                lambda: part(2).sum(self.chance.choice([0, 1])), lambda: T.sort(part(1)),
                lambda: T.set_subtensor(part(1)[1:], part(1)[:-1]),
                lambda: T.concatenate([part(1)[1:], part(1)[:1]]),
            ],
            2: [
                lambda: part(2).T, lambda: part(2) * part(1),
                lambda: T.tanh(T.dot(part(2), part(2))), lambda: T.nnet.softmax(part(2)),
                lambda: part(2)[::-1], lambda: T.set_subtensor(part(2)[0], part(1)),
            ],
        }  # fmt: skip
        any_ndim: list[Callable[[], Any]] = [
            lambda: T.tanh(part(ndim)), lambda: part(ndim) * 0.5 + part(ndim) * 0.3,
            lambda: part(ndim) - part(0) * 0.1, lambda: T.cos(part(ndim)),
        ]  # fmt: skip
        return self.chance.choice([*any_ndim, *own[ndim]])()


def random_loop(chance: random.Random, nested: int) -> tuple[Scan, list[int]]:
    """Return a loop and the numbers of axes of its states."""
    ranks = [chance.choice([0, 1, 1, 2]) for _ in range(chance.randint(1, 4))]
    step = T.lscalar("step")
    states = [TYPES[ndim](f"s{k}") for k, ndim in enumerate(ranks)]
    others = [TYPES[ndim](f"o{k}") for k, ndim in enumerate(OTHERS)]
    known = [*states, *others, T.cast(step, "float64")]
    if nested:
        inner, inner_ranks = random_loop(chance, nested - 1)
        steps = chance.choice([T.constant(2, dtype="int64"), step + 1, step % 3])
        starts = [Writer(chance, known).write(ndim, 1) for ndim in inner_ranks]
        made = inner(steps, *starts, *others)
        known += made if isinstance(made, list) else [made]
    results = [T.tanh(Writer(chance, known).write(ndim, 2)) for ndim in ranks]
    return loop(step, states, results, others), ranks


@pytest.mark.needs_cc
@pytest.mark.parametrize("seed", seeds(range(9)))
def test_random_loops(seed: int) -> None:
    chance = random.Random(seed)
    loop, ranks = random_loop(chance, seed % 3)
    steps = T.lscalar("steps")
    starts = [TYPES[ndim](f"in{k}") for k, ndim in enumerate(ranks)]
    others = [TYPES[ndim](f"other{k}") for k, ndim in enumerate(OTHERS)]
    given = [item if chance.random() < 0.5 else item * 2 for item in starts]
    made = loop(steps, *given, *others)
    results = made if isinstance(made, list) else [made]
    inputs = [steps, *starts, *others]
    compiled = function(inputs, results, on_unused_input="ignore")
    expected = function(inputs, results, mode="INTERPRET", on_unused_input="ignore")
    program = compiled.lowered.program
    verify(program)
    rng = np.random.default_rng(seed)
    for count in (0, 1, 2, 3):
        lengths = [(3,) * ndim for ndim in (*ranks, *OTHERS)]
        values = [np.int64(count), *(np.asarray(rng.standard_normal(dims)) for dims in lengths)]
        wanted = expected(*values)
        for one, other in zip(compiled(*values), wanted, strict=True):
            np.testing.assert_allclose(one, other, 1e-9, 1e-9)
        try:
            flat = ProgramMachine(program, [np.array(value) for value in values]).outputs()
        except NotImplementedError:  # products and sorts are calls of routines
            continue
        for one, other in zip(flat, wanted, strict=True):
            np.testing.assert_allclose(one, other.reshape(-1), 1e-9, 1e-9)

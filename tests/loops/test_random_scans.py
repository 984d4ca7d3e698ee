"""Random scans: C agrees with a loop in Python, and gradients with finite differences."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, grad, scan
from symtheano.graph.intern import FunctionGraph
from symtheano.ifelse import ifelse
from symtheano.interpret import interpret
from symtheano.scan_module import until
from tests.support.reserved import reserving
from tests.support.seeds import seeds

WIDTH = 3
ELEMENTWISE = 100_000
ENDING = 200_000
TYPES = (T.dscalar, T.dvector, T.dmatrix, T.dtensor3)


class RandomScan:
    """A random step, the arrays that it reads, and what is used of its outputs.

    Parameters
    ----------
    seed
        What decides. From ``ELEMENTWISE`` on, steps change each element by itself; from ``ENDING``
        on, a condition ends the loop.
    """

    def __init__(self, seed: int) -> None:
        self.chance = chance = random.Random(seed)
        self.rows = chance.randint(1, 5)
        self.sequences = [
            (chance.choice([0, 1, 1, 2]), chance.choice([(0,), (0,), (-1, 0)]))
            for _ in range(chance.randint(0, 2))
        ]
        self.outputs = [
            (chance.choice([0, 1, 1, 2]), chance.choice([(-1,), (-1,), (-1, -2), ()]))
            for _ in range(chance.randint(1, 3))
        ]
        self.fixed = [chance.choice([0, 1, 2, 2]) for _ in range(chance.randint(1, 2))]
        self.backwards = chance.random() < 0.2
        self.until = chance.random() < 0.2
        self.decisions = chance.getrandbits(32)
        self.limit = 0.9
        if seed >= ENDING:
            self.rows, self.until = chance.randint(1, 20), True
            self.limit = chance.choice([0.9, 2.0, 3.0, 100.0])
        self.elementwise, self.width = ELEMENTWISE <= seed < ENDING, WIDTH
        if self.elementwise:  # each element by itself, in many iterations
            self.rows, self.width = chance.randint(1, 40), chance.choice([WIDTH, 37])
            ndim = chance.choice([1, 2])
            self.sequences, self.until = self.sequences[:1] * (chance.random() < 0.2), False
            self.sequences = [(0, (0,)) for _ in self.sequences]
            self.outputs = [(ndim, (-1,)) for _ in self.outputs]
            self.fixed = [chance.choice([0, ndim]), ndim]

    def inputs(self) -> list[Any]:
        """Return variables for the sequences, initial values and others."""
        made = [TYPES[ndim + 1](f"x{k}") for k, (ndim, _) in enumerate(self.sequences)]
        for k, (ndim, taps) in enumerate(self.outputs):
            if taps:
                made.append(TYPES[ndim + (len(taps) > 1)](f"h{k}"))
        return made + [TYPES[ndim](f"w{k}") for k, ndim in enumerate(self.fixed)]

    def values(self, rng: np.random.Generator) -> list[np.ndarray]:
        """Return values of the inputs."""
        shapes = [
            (self.rows + len(taps) - 1, *[self.width] * ndim) for ndim, taps in self.sequences
        ]
        for ndim, taps in self.outputs:
            if taps:
                shapes.append((*([len(taps)] if len(taps) > 1 else []), *[self.width] * ndim))
        shapes += [(self.width,) * ndim for ndim in self.fixed]
        return [rng.uniform(-0.9, 0.9, shape) for shape in shapes]

    def step(self, *read: Any) -> list[Any]:
        """Return the next values; the same expressions at each call."""
        chance = random.Random(self.decisions)
        before = sum(len(taps) for _, taps in self.sequences)
        made: list[Any] = []
        for ndim, taps in self.outputs:
            if self.elementwise:
                value = _by_itself(chance, read, ndim, 3)
                if chance.random() < 0.6:  # it may stay the same from some iteration on
                    limit = chance.uniform(0.2, 0.8)
                    value = T.switch(abs(read[before]) < limit, value, read[before])
                made.append(value)
                before += 1
                continue
            value = T.tanh(_expression(chance, read, ndim, 2))
            kind, same = chance.random(), [item for item in made if item.ndim == ndim]
            if kind < 0.15 and same:
                value = chance.choice(same)
            elif kind < 0.4 and taps:
                value = read[before] + value
            elif kind < 0.6 and taps and ndim:
                value = _changed(chance, read[before], value)
            made.append(value)
            before += len(taps)
        return made

    def ends(self, made: Sequence[Any]) -> Any:
        """Return whether this iteration is the last one, from its values."""
        return made[0].sum() + 0.3 * made[-1].sum() > self.limit

    def scanned(self, inputs: Sequence[Any]) -> list[Any]:
        """Return the outputs of scan."""
        count = len(self.sequences)
        rows = [{"input": x, "taps": list(taps)}
                for x, (_, taps) in zip(inputs, self.sequences, strict=False)]  # fmt: skip
        starts = iter(inputs[count:])
        infos = [
            None if not taps else next(starts) if taps == (-1,)
            else {"initial": next(starts), "taps": list(taps)}
            for _, taps in self.outputs
        ]  # fmt: skip

        def step(*read: Any) -> Any:
            made = self.step(*read)
            return (made, until(self.ends(made))) if self.until else made

        outputs, _ = scan(
            step, rows, infos, list(inputs[-len(self.fixed) :]), self.rows,
            go_backwards=self.backwards, return_list=True,
        )  # fmt: skip
        return outputs

    def looped(self, values: Sequence[np.ndarray]) -> list[np.ndarray]:
        """Return the outputs of the same loop in Python, each step by the interpreter."""
        count = len(self.sequences)
        fixed = list(values[-len(self.fixed) :])
        starts = iter(values[count:])
        kept = [
            [] if not taps else [next(starts)] if taps == (-1,) else list(next(starts))
            for _, taps in self.outputs
        ]
        inner = [TYPES[ndim]() for ndim, taps in self.sequences for _ in taps]
        inner += [TYPES[ndim]() for ndim, taps in self.outputs for _ in taps]
        inner += [TYPES[ndim]() for ndim in self.fixed]
        results = self.step(*inner)
        graph = FunctionGraph(inner, [*results, self.ends(results)])
        before = [len(rows) for rows in kept]
        for number in range(self.rows):
            read = []
            for x, (_, taps) in zip(values, self.sequences, strict=False):
                first = self.rows - 1 - number if self.backwards else number
                read += [x[first + tap - min(0, *taps)] for tap in taps]
            read += [
                rows[tap]
                for rows, (_, taps) in zip(kept, self.outputs, strict=True)
                for tap in taps
            ]
            *made, last = interpret(graph, [np.asarray(item) for item in (*read, *fixed)])
            for rows, value in zip(kept, made, strict=True):
                rows.append(value)
            if last and self.until:
                break
        return [np.stack(rows[first:]) for rows, first in zip(kept, before, strict=True)]

    def cost(self, outputs: Sequence[Any]) -> Any:
        """Return a number: of all values, of the last ones, or of some."""
        chance = random.Random(self.decisions + 1)
        used = [
            chance.choice([lambda v: v, lambda v: v[-1], lambda v: v[-1:], lambda v: v[0],
                           lambda v: v[::2],
                           lambda v: v[-1] + v[-2] if self.rows > 1 and not self.until else v])
            for _ in outputs
        ]  # fmt: skip
        kept = [T.sqr(use(value) + 0.3).sum() for use, value in zip(used, outputs, strict=True)]
        return sum(kept[: chance.randint(1, len(kept))])


def _by_itself(chance: random.Random, known: Sequence[Any], ndim: int, depth: int) -> Any:
    """Return a smooth expression of elements that are at one place."""
    if depth == 0:
        return chance.choice([item for item in known if item.ndim in (0, ndim)])
    a, b = (_by_itself(chance, known, ndim, depth - 1) for _ in range(2))
    made = chance.choice(
        [a * 0.6 + b * 0.3, a * b, a * 0.9 - b * 0.2, T.cos(a), T.tanh(a + b), a / (b * b + 1)]
    )
    return made + T.zeros_like(chance.choice([item for item in known if item.ndim == ndim]))


def _changed(chance: random.Random, array: Any, value: Any) -> Any:
    """Return an array with parts changed, one after the other, each by others of itself."""
    around = [
        (np.s_[1:-1], np.s_[:-2], np.s_[2:]),
        (np.s_[1:], np.s_[:-1], np.s_[:-1]),
        (np.s_[:-1], np.s_[1:], np.s_[:-1]),
        (np.s_[1::2], np.s_[:-1:2], np.s_[2::2]),
        (np.s_[:1], np.s_[-1:], np.s_[1:2]),
        (0, 1, 2),
        (np.s_[::-1], np.s_[:], np.s_[::-1]),
        (np.s_[:, 1:], np.s_[:, :-1], np.s_[:, 1:]),
        (np.s_[1:, 0], np.s_[:-1, 1], np.s_[1:, 0]),
        (np.s_[1:-1, 1:-1], np.s_[:-2, 1:-1], np.s_[1:-1, 2:]),
    ]
    for _ in range(chance.choice([1, 1, 2, 3])):
        part, one, other = chance.choice(around[: 7 if array.ndim == 1 else None])
        change = chance.choice([T.set_subtensor, T.inc_subtensor])
        new = T.cos(array[one]) * 0.4 + array[other] * 0.5
        if chance.random() < 0.5:
            new = new + value[part] * 0.3
        array = change(array[part], new)
    return array


def _expression(chance: random.Random, known: Sequence[Any], ndim: int, depth: int) -> Any:
    """Return a smooth expression of a number of axes."""
    leaves = [item for item in known if item.ndim == ndim]
    if leaves and (depth == 0 or chance.random() < 0.1):
        return chance.choice(leaves)
    if depth == 0:
        item = chance.choice(list(known))
        total = item.sum() if item.ndim else item
        return total + T.zeros((WIDTH,) * ndim)

    def part(ndim: int) -> Any:
        return _expression(chance, known, ndim, depth - 1)

    def parts(*ndims: int) -> list[Any]:
        return [part(n) for n in ndims]

    kind = chance.randrange(9 if ndim else 7)
    if kind == 4:
        return T.switch(part(ndim) > 0.1, part(ndim), part(ndim) * 0.5)
    if kind == 5:
        return ifelse(part(0) > 0.1, T.cos(part(ndim)), part(ndim) * 0.3)
    if kind == 6 and ndim < 2:
        return scan(lambda r, a: T.tanh(a * 0.5 + r), part(ndim + 1), part(ndim))[0][-1]
    if kind == 0:
        return part(ndim) * 0.6 + part(ndim) * 0.3
    if kind == 1:
        return T.cos(part(ndim)) * part(0)
    if kind == 2:
        return part(ndim) * part(ndim)
    if ndim == 0:
        return T.dot(*parts(1, 1)) * 0.3
    if kind == 7 and ndim == 1:
        return T.set_subtensor(part(1)[1:], part(1)[:-1])
    if kind == 7:
        return T.concatenate([part(2)[1:], T.exp(part(2)[:1]) * 0.3])
    return T.dot(*(parts(1, 2) if ndim == 1 else parts(2, 2))) * 0.3


SEEDS = [
    *range(1, 12),
    30002,
    30007,
    30018,
    31015,
    31088,
    31157,
    31161,
    41003,
    42005,
    42020,
    1230001,
]
STEPS_OF_ELEMENTS = [ELEMENTWISE, ELEMENTWISE + 3, ELEMENTWISE + 7]
ENDED = [*range(ENDING, ENDING + 6), 207054]


# A choice in the step decides which lengths the rows of a result have.
REFUSED = {42005}


@pytest.mark.needs_cc
@pytest.mark.parametrize("seed", seeds(SEEDS) + seeds(STEPS_OF_ELEMENTS, ELEMENTWISE))
def test_random_scans(seed: int) -> None:
    is_fixed = seed in {*SEEDS, *STEPS_OF_ELEMENTS}
    assert check(seed) == (seed not in REFUSED) or not is_fixed


@pytest.mark.needs_cc
@pytest.mark.parametrize("seed", seeds(ENDED, ENDING))
def test_random_scans_that_need_more_memory(seed: int) -> None:
    with reserving(64):
        check(seed)


@pytest.mark.needs_cc
def test_rows_whose_lengths_are_chosen_in_the_loop() -> None:
    x, h, w = T.dmatrix("x"), T.dvector("h"), T.dvector("w")

    def step(r: Any, a: Any, w: Any) -> list[Any]:
        return [a * 0.5 + r.sum(), ifelse(a.sum() > 4, T.cos(w * a), a * 0.3)]

    def fitted(r: Any, a: Any, w: Any) -> list[Any]:
        new, row = step(r, a, w)
        return [new, row.reshape(a.shape)]

    rows, _ = scan(step, x, [h, None], w)
    with pytest.raises(NotImplementedError, match="lengths are only known in the loop") as error:
        function([x, h, w], rows)
    assert "return [a * 0.5 + r.sum(), ifelse(" in str(error.value)
    assert "reshape(x.shape) says so" in str(error.value)
    values = np.ones((2, 3)), np.ones(3), np.full(3, 0.5)
    expected = [[[3.5] * 3, [4.75] * 3], [[0.3] * 3, [np.cos(1.75)] * 3]]
    for made, mode in ((rows, "INTERPRET"), (scan(fitted, x, [h, None], w)[0], "FAST_RUN")):
        found = function([x, h, w], made, mode=mode)(*values)
        np.testing.assert_allclose(found, expected, 1e-12)


def check(seed: int) -> bool:
    """Compare values with a loop, and gradients with finite differences.

    Return whether the loop was compiled. C does not compute results whose lengths are only known in
    the loop; their values are those of the interpreter.
    """
    made = RandomScan(seed)
    inputs = made.inputs()
    outputs = made.scanned(inputs)
    cost = made.cost(outputs)
    slopes = grad(cost, inputs, disconnected_inputs="ignore")
    values = made.values(np.random.default_rng(seed))
    try:
        compiled = function(inputs, [*outputs, cost, *slopes], on_unused_input="ignore")
    except NotImplementedError as error:
        if "lengths are only known in the loop" not in str(error):
            raise
        found = function(inputs, outputs, mode="INTERPRET", on_unused_input="ignore")(*values)
        for one, other in zip(found, made.looped(values), strict=True):
            np.testing.assert_allclose(one, other, 1e-9, 1e-10)
        return False
    alone = function(inputs, [cost, *slopes], on_unused_input="ignore")
    plain = function(inputs, cost, mode=Mode("interpret", "none"), on_unused_input="ignore")
    found = compiled(*values)
    for one, other in zip(found, made.looped(values), strict=False):
        np.testing.assert_allclose(one, other, 1e-9, 1e-10)
    for one, other in zip(alone(*values), found[len(outputs) :], strict=True):
        np.testing.assert_allclose(one, other, 1e-9, 1e-10)
    np.testing.assert_allclose(found[len(outputs)], plain(*values), 1e-10)
    if made.elementwise:  # without gradients, the last values are all that is kept
        last = function(inputs, cost, on_unused_input="ignore")
        np.testing.assert_allclose(found[len(outputs)], last(*values), 1e-10)
    for position, slope in enumerate(found[len(outputs) + 1 :]):
        way = np.random.default_rng(seed + position).normal(size=values[position].shape)
        moved = [
            plain(*values[:position], values[position] + sign * 1e-6 * way, *values[position + 1 :])
            for sign in (1, -1)
        ]
        np.testing.assert_allclose((slope * way).sum(), (moved[0] - moved[1]) / 2e-6, 2e-4, 1e-6)
    return True

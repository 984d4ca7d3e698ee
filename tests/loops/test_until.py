"""Loops that a condition ends: memory and time are those of the iterations that ran."""

from __future__ import annotations

import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, grad, scan, shared
from symtheano.function.stages import Stages
from symtheano.ifelse import ifelse
from symtheano.scan_module import until
from symtheano.tensor.random import RandomStreams
from tests.support.reserved import reserving

pytestmark = pytest.mark.needs_cc

Array = np.ndarray[Any, Any]
MANY = 2**40
"""Iterations of which the rows never fit into memory."""

WIDE = 300
"""Elements of rows, of which there may be one without more memory."""

RESERVED = 4096

x, v, m, n = T.dscalar("x"), T.dvector("v"), T.dmatrix("m"), T.lscalar("n")
DOUBLED = 2.0 ** np.arange(1, 11)


@pytest.fixture(params=["dispatcher", "cffi", "interpreter"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mode]:
    """Make functions that are called in each of the three ways."""
    if request.param == "cffi":
        monkeypatch.setattr(Stages, "dispatcher", None)
    with reserving(RESERVED):
        yield Mode("interpret" if request.param == "interpreter" else "c")


def doubled(steps: Any = MANY, limit: float = 1000) -> Any:
    return scan(lambda p: (p * 2, until(p * 2 > limit)), outputs_info=x, n_steps=steps)[0]


READ: dict[str, tuple[Callable[[Any], Any], Callable[[Array], Any]]] = {
    "all": (lambda y: y, lambda y: y),
    "last": (lambda y: y[-1], lambda y: y[-1]),
    "first": (lambda y: y[0], lambda y: y[0]),
    "backwards": (lambda y: y[::-1], lambda y: y[::-1]),
    "last three": (lambda y: y[-3:], lambda y: y[-3:]),
    "each third": (lambda y: y[1::3], lambda y: y[1::3]),
    "number": (lambda y: y.shape[0], len),
    "twice": (lambda y: T.stack([y, y * y]), lambda y: np.stack([y, y * y])),
    "sums": (lambda y: (y + y[::-1]).sum() + T.cumsum(y), lambda y: (2 * y).sum() + np.cumsum(y)),
    "in a loop": (lambda y: scan(lambda a, s: a - s, y, T.constant(0.0))[0][-1],
                  lambda y: sum((-1.0) ** k * a for k, a in enumerate(y[::-1]))),
    "gradient": (lambda y: grad(T.sqr(y).sum(), x), lambda y: 2 * (y**2).sum()),
    "gradient of the last": (lambda y: grad(y[-1], x), lambda y: y[-1]),
    "gradient of some": (lambda y: grad(y[2:-1].sum(), x), lambda y: y[2:-1].sum()),
}  # fmt: skip


@pytest.mark.parametrize("read", READ)
def test_what_is_read_of_few_of_many_iterations(read: str, mode: Mode) -> None:
    of_graph, of_array = READ[read]
    for steps, given in ((MANY, ()), (n, (MANY,)), (n, (2**63 - 1,)), (n, (10,))):
        f = function([x, *([n] if given else [])], of_graph(doubled(steps)), mode=mode)
        np.testing.assert_allclose(f(1.0, *given), of_array(DOUBLED), 1e-12)


@pytest.mark.parametrize("steps", [0, -3, 1, 2, 9, 10, 11])
def test_few_steps(steps: int, mode: Mode) -> None:
    expected = DOUBLED[: max(steps, 0)]
    for given, values in ((steps, ()), (n, (steps,))):
        if given == -3:
            continue  # it means that sequences are read backwards
        f = function([x, *([n] if values else [])], doubled(given), mode=mode)
        np.testing.assert_array_equal(f(1.0, *values), expected)


def test_a_condition_that_is_true_at_once(mode: Mode) -> None:
    f = function([x], [doubled(), doubled()[-1], grad(doubled()[-1], x)], mode=mode)
    rows, last, slope = f(600.0)
    assert rows.tolist() == [1200.0]
    assert (float(last), float(slope)) == (1200.0, 2.0)


def test_long_histories_of_scalars() -> None:
    count = 3_000_000

    def step(k: Any, s: Any) -> Any:
        return [k + 1, s + 1.0 / (k + 1), T.eq(k % 2, 1)], until(k + 1 >= count)

    start = [T.constant(np.int64(0)), x, None]
    rows, _ = scan(step, outputs_info=start, n_steps=MANY)
    counted, sums, odd = function([x], rows)(0.5)
    np.testing.assert_array_equal(counted, np.arange(1, count + 1))
    np.testing.assert_allclose(sums, 0.5 + np.cumsum(1.0 / np.arange(1, count + 1)), 1e-10)
    np.testing.assert_array_equal(odd, np.arange(count) % 2 > 0)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int16", "complex128", "bool", "int64"])
def test_dtypes_that_need_more_memory(dtype: str, mode: Mode) -> None:
    start = np.arange(WIDE * 3).reshape(3, WIDE) % 7
    given = T.TensorType(dtype, (None, None))("given")

    def step(a: Any, k: Any) -> Any:
        new = T.neq(a, a[:, ::-1]) if dtype == "bool" else (a[:, ::-1] + 1).astype(dtype)
        return [new, k + 1], until(k >= 20)

    (rows, _), _ = scan(step, outputs_info=[given, T.constant(0)], n_steps=n)
    found = function([given, n], rows, mode=mode)(start.astype(dtype), MANY)
    value, expected = start.astype(dtype), []
    for _ in range(21):
        back = value[:, ::-1]
        value = value != back if dtype == "bool" else (back + 1).astype(dtype)
        expected.append(value)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, np.stack(expected))


@pytest.mark.parametrize("last", [0, 1, 2, 3, 4, 7, 8, 9, 30])
def test_taps_of_rows_that_move(last: int, mode: Mode) -> None:
    def step(one: Any, other: Any, k: Any) -> Any:
        return [0.5 * one - other + k, k + 1], until(k >= last)

    begin = np.stack([np.arange(WIDE) * 0.1, np.ones(WIDE), np.arange(WIDE) % 3])
    info = [{"initial": m, "taps": [-1, -3]}, T.constant(0)]
    (rows, numbers), _ = scan(step, outputs_info=info, n_steps=n)
    outputs = [rows, rows[-1], rows.sum(0), numbers]
    found = function([m, n], outputs, mode=mode)(begin, MANY)
    kept = list(begin)
    for k in range(last + 1):
        kept.append(0.5 * kept[-1] - kept[-3] + k)
    expected = np.stack(kept[3:])
    for one, other in zip(
        found, [expected, expected[-1], expected.sum(0), np.arange(1, last + 2)], strict=True
    ):
        np.testing.assert_allclose(one, other, 1e-12)


def test_gradients_of_rows_that_move(mode: Mode) -> None:
    def step(a: Any, w: Any) -> Any:
        new = T.tanh(a) * w
        return new, until(new.sum() < 0.3 * WIDE)

    rows, _ = scan(step, outputs_info=v, non_sequences=x, n_steps=n)
    slopes = grad(T.sqr(rows).sum(), [v, x])
    start, factor = np.linspace(0.5, 1.0, WIDE), 0.98
    found = function([v, x, n], [rows, *slopes], mode=mode)(start, factor, MANY)
    kept = [start]
    while len(kept) == 1 or kept[-1].sum() >= 0.3 * WIDE:
        kept.append(np.tanh(kept[-1]) * factor)
    assert len(kept) > 8
    back, slope = np.zeros(WIDE), 0.0
    for before, after in zip(kept[-2::-1], kept[:0:-1], strict=True):
        back = back + 2 * after
        slope += (back * np.tanh(before)).sum()
        back = back * factor * (1 - np.tanh(before) ** 2)
    for one, other in zip(found, [np.stack(kept[1:]), back, slope], strict=True):
        np.testing.assert_allclose(one, other, 1e-9)


def test_sequences_that_are_not_read_to_their_end(mode: Mode) -> None:
    def step(row: Any, total: Any) -> Any:
        return total + row, until((total + row)[0] > 4)

    rows, _ = scan(step, m, v)
    outputs = [rows, *grad(T.sqr(rows).sum(), [m, v])]
    values, start = np.ones((30, WIDE)), np.zeros(WIDE)
    found, by_rows, by_start = function([m, v], outputs, mode=mode)(values, start)
    np.testing.assert_array_equal(found, np.cumsum(values, 0)[:5])
    np.testing.assert_array_equal(by_rows[:, 0], [30, 28, 24, 18, 10, *[0] * 25])
    np.testing.assert_array_equal(by_start, np.full(WIDE, 30.0))


def inner_loops(limits: Any) -> Any:
    """Return sums, and weighted rows, of loops in a loop."""

    def outer(limit: Any, begin: Any) -> Any:
        rows, _ = scan(
            lambda a: (a * 1.5, until((a * 1.5)[0] > limit)), outputs_info=begin, n_steps=MANY
        )
        return [rows[-1] * 0 + begin, rows.sum(0), rows[::-1][0] + rows[0], rows.shape[0]]

    return scan(outer, limits, [v, None, None, None])[0]


def test_loops_in_loops(mode: Mode) -> None:
    limits = np.array([3.0, 100.0, 0.5, 1e4, 20.0])
    start = np.ones(WIDE)
    outputs = inner_loops(m[:, 0])
    f = function([m, v], [*outputs, grad(outputs[1].sum(), v)], mode=mode)
    _, sums, ends, counts, slope = f(limits[:, None], start)
    expected = [next(k for k in range(1, 99) if 1.5**k > limit) for limit in limits]
    np.testing.assert_array_equal(counts, expected)
    for found, count in zip(sums, expected, strict=True):
        np.testing.assert_allclose(found, (1.5 ** np.arange(1, count + 1)).sum(), 1e-12)
    np.testing.assert_allclose(ends[:, 7], [1.5**count + 1.5 for count in expected], 1e-12)
    np.testing.assert_allclose(slope, sums[:, 0].sum(), 1e-12)


def test_a_number_of_steps_that_is_computed(mode: Mode) -> None:
    steps = T.nonzero(v > 0)[0].sum()
    rows, _ = scan(lambda a: (a + 1, until(a[0] > 5)), outputs_info=v, n_steps=steps)
    f = function([v], [rows, grad(rows.sum(), v)], mode=mode)
    for count in (0, 3, 5):
        start = np.zeros(WIDE)
        start[count] = 0.5
        found, slope = f(start)
        np.testing.assert_array_equal(found, start + np.arange(1, count + 1)[:, None])
        np.testing.assert_array_equal(slope, np.full(WIDE, float(count)))
    start = np.zeros(WIDE)
    start[200] = 0.5
    assert f(start)[0].shape == (7, WIDE)


def test_loops_in_branches(mode: Mode) -> None:
    rows, _ = scan(lambda a: (a * 0.5, until((a * 0.5)[0] < x)), outputs_info=v, n_steps=MANY)
    chosen = ifelse(x > 0, rows.sum(0), v * 3)
    f = function([x, v], [chosen, grad(chosen.sum(), v)], mode=mode)
    for limit, factor in ((1e-3, 1 - 0.5**10), (-1.0, 3.0)):
        value, slope = f(limit, np.ones(WIDE))
        np.testing.assert_allclose(value, np.full(WIDE, factor), 1e-12)
        np.testing.assert_allclose(slope, np.full(WIDE, factor), 1e-12)


def test_rows_of_two_loops_that_are_added(mode: Mode) -> None:
    added = doubled() + doubled(n, 1001.0)
    f = function([x, n], added, mode=mode)
    np.testing.assert_array_equal(f(1.0, MANY), 2 * DOUBLED)
    with pytest.raises(ValueError, match="add"):
        f(1.0, 5)


def test_random_numbers_until(mode: Mode) -> None:
    def made() -> Any:
        stream = RandomStreams(7)

        def step(k: Any) -> Any:
            u = stream.uniform(())
            return [k + 1, u], until(u > 0.99)

        return scan(step, outputs_info=[T.constant(np.int64(0)), None], n_steps=MANY)[0]

    f = function([], made(), mode=mode)
    for _ in range(3):
        counted, drawn = f()
        assert (drawn[:-1] <= 0.99).all()
        assert drawn[-1] > 0.99
        assert counted.tolist() == [*range(1, len(drawn) + 1)]


def test_updates_of_shared_variables(mode: Mode) -> None:
    s = shared(np.zeros(WIDE), "s")

    def step(k: Any) -> Any:
        return [k + 1, s[0] + k], {s: s + k}, until(k >= 6)

    (_, seen), updates = scan(step, outputs_info=[T.constant(0.0), None], n_steps=MANY)
    function([], seen, updates=updates, mode=mode)()
    np.testing.assert_array_equal(s.get_value(), np.full(WIDE, 21.0))


@pytest.mark.parametrize("way", ["dispatcher", "cffi"])
def test_larger_memory_is_not_kept(way: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if way == "cffi":
        monkeypatch.setattr(Stages, "dispatcher", None)
    rows, _ = scan(lambda a: (a + 1, until(a[0] >= x)), outputs_info=v, n_steps=MANY)
    with reserving(RESERVED):
        f = function([v, x], (rows * rows[::-1]).sum(0))
    start = np.zeros(1000)
    tracemalloc.start()
    try:
        for count in (2000, 10, 500):
            np.testing.assert_allclose(f(start, count)[:2], sum(
                k * (count + 2 - k) for k in range(1, count + 2)
            ))  # fmt: skip
            peak = tracemalloc.get_traced_memory()
            tracemalloc.reset_peak()
            assert peak[1] > 8000 * count
            assert peak[0] < 8000 * 60
    finally:
        tracemalloc.stop()


FAILING = """
import resource
import sys
import numpy as np
import symtheano.tensor as T
from symtheano import Mode, function, scan, shared
from symtheano.function.stages import Stages
from symtheano.scan_module import until

if sys.argv[1] == "cffi":
    Stages.dispatcher = None
s, x = shared(np.zeros(3), "s"), T.dvector("x")
rows, updates = scan(
    lambda a: (a + 1, {s: s + 1}, until(a[0] > 1e5)), outputs_info=x, n_steps=2**40
)
f = function([x], rows, updates=updates)
assert f(np.full(1000, 1e6)).shape == (1, 1000)
free = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (1 << 30, free[1]))
for _ in range(3):
    try:
        f(np.ones(10_000))
    except MemoryError as error:
        print(error)
resource.setrlimit(resource.RLIMIT_AS, free)
assert s.get_value().tolist() == [1.0] * 3
assert f(np.full(5, 1e5 - 6)).shape == (8, 5)
assert s.get_value().tolist() == [9.0] * 3
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of a process's memory")
@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="sanitizers keep what is freed")
@pytest.mark.parametrize("way", ["dispatcher", "cffi"])
def test_memory_that_is_not_there(way: str, tmp_path: Path) -> None:
    program = tmp_path / "failing.py"
    program.write_text(FAILING)
    done = subprocess.run(
        [sys.executable, str(program), way], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("there is not enough memory for") == 3
    assert done.stdout.count("rows, updates = scan(") == 3
    # What was taken is free again.
    assert len({line for line in done.stdout.splitlines() if "shape:" in line}) == 1

"""Functions that run code without optimization until the optimized code is compiled."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, grad, scan, shared
from symtheano.codegen.native import parts
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.objects import Translation
from symtheano.compile import as_op
from symtheano.errors import CompileError
from symtheano.ifelse import ifelse
from symtheano.scalar.table import TABLE
from tests.support.grids import edges, signature_or_none

pytestmark = pytest.mark.needs_cc


class Gate:
    """Holds the compilation of optimized code back until it is opened."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self.compiled: list[str] = []

    def open(self) -> None:
        self._event.set()

    def before(self, work: Callable[..., Any]) -> Callable[..., Any]:
        def late(self_: Any, text: str, *args: Any) -> Any:
            assert self._event.wait(20)
            self.compiled.append(text)
            return work(self_, text, *args)

        return late


@pytest.fixture
def every_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give short programs a first tier, too, and those with little to gain."""
    monkeypatch.setattr(parts, "_SMALL", 0)
    monkeypatch.setattr(parts, "_LEAST_FREE", 0.0)


@pytest.fixture
def gate(every_program: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Gate]:
    """Compile optimized code in the background, once the gate is open."""
    made = Gate()
    # The dispatcher is that of other tests.
    x = T.vector("x")
    function([x], x + 1).wait()
    monkeypatch.setattr(Translation, "make", made.before(Translation.make))
    with config.change_flags(first_tier="unoptimized"):
        yield made
    made.open()


_RUN, _numbers = os.urandom(8).hex(), count()


def make(*args: Any, **options: Any) -> Any:
    """Return a function that no cache has, since it has a new name."""
    return function(*args, name=f"tier_{_RUN}_{next(_numbers)}", **options)


def is_early(f: Any) -> bool:
    """Whether calls run code of the first tier."""
    return f._linked.optimized is not None


def chain(x: Any) -> Any:
    return T.exp(-T.sqr(x)) * 3 + x


# -- the same bits --------------------------------------------------------------------------------


def assert_same_bits(gate: Gate, inputs: Any, outputs: Any, values: Any) -> None:
    f = make(inputs, outputs, on_unused_input="ignore")
    assert is_early(f)
    early = f(*values)
    assert is_early(f)
    gate.open()
    f.wait()
    assert not is_early(f)
    for one, other in zip(early, f(*values), strict=True):
        np.testing.assert_array_equal(one, other)
        if one.dtype.kind == "f":
            # NaNs may differ in their sign, which IEEE 754 leaves open.
            assert (np.signbit(one) == np.signbit(other))[~np.isnan(one)].all()


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "complex128"])
@pytest.mark.parametrize("share", range(4))
def test_scalar_functions(gate: Gate, share: int, dtype: str) -> None:
    rows = [row for row in TABLE.values() if signature_or_none(row, (dtype,) * row.nin)]
    most = max(row.nin for row in rows)
    inputs = [T.TensorType(dtype, (None,))() for _ in range(most)]
    rng = np.random.default_rng(share)
    # Vectors, and a remainder.
    values = [rng.permutation(np.tile(edges(dtype), 3)) for _ in inputs]
    outputs = [getattr(T, row.name)(*inputs[: row.nin]) for row in rows[share::4]]
    assert len(outputs) > 5
    assert_same_bits(gate, inputs, outputs, values)


def lstm(x: Any, w: Any) -> Any:
    def step(row: Any, h: Any, c: Any) -> Any:
        gates = T.dot(T.concatenate([row, h]), T.concatenate([w, w, w, w], axis=1))
        i, o, g, z = (gates[k * 5 : k * 5 + 5] for k in range(4))
        new = T.sigmoid(i) * c + T.sigmoid(z) * T.tanh(g)
        return T.sigmoid(o) * T.tanh(new), new

    states, _ = scan(step, sequences=[x], outputs_info=[T.zeros(5), T.zeros(5)])
    return states[0].sum()


def attention(x: Any, w: Any) -> Any:
    y = T.dot(x, w[:5])
    return (T.nnet.softmax(T.dot(y, y.T) / 2) @ y).std(axis=0).sum()


PROGRAMS = {
    "softmax": lambda x, w: -T.log(T.nnet.softmax(T.dot(x, w[:5]))).mean(),
    "lstm": lstm,
    "attention": attention,
    "logsumexp": lambda x, w: T.log(T.exp(x[:, None, :] - w[None, :, :]).sum(axis=2)).sum(),
    "indices": lambda x, w: T.sqr(x[:, [4, 0, 2]] * w[[9, 0, 2], :3].sum(axis=0)).sum(),
    "choice": lambda x, w: ifelse(x[0, 0] > 0, T.tanh(x).sum(), T.sinh(w).sum()),
    "products": lambda x, w: (T.prod(1 + x * 0.01, axis=1) + T.var(w) ** 1.5).sum(),
    "sorting": lambda x, w: (T.sort(x, axis=1) * x).max(axis=0).sum() + T.argsort(w)[0, 1],
    "statistics": lambda x, w: ((x - x.mean(0)) / T.sqrt(x.var(0) + 1e-3)).max() + w.min(),
    "complex": lambda x, w: abs((x + 1j * T.sin(x)) / (1 + 2j * x)).sum() + w.sum(),
    "convolution": lambda x, w: T.nnet.conv2d(x[None, None], w[None, None, :3, :3]).sum(),
    "inverse": lambda x, w: T.linalg.slogdet(T.dot(x.T, x) + T.eye(5))[1] + w.sum(),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_programs_and_their_gradients(gate: Gate, name: str, dtype: str) -> None:
    with config.change_flags(floatX=dtype):
        x, w = T.matrix("x"), T.matrix("w")
        cost = PROGRAMS[name](x, w)
        outputs = [cost, *grad(cost, [x, w], disconnected_inputs="ignore")]
        rng = np.random.default_rng(7)
        values = [rng.normal(size=shape).astype(dtype) for shape in ((37, 5), (10, 5))]
        assert_same_bits(gate, [x, w], outputs, values)


# -- the exchange ---------------------------------------------------------------------------------


def test_the_cache_has_nothing_of_the_first_tier(gate: Gate, tmp_path: Path) -> None:
    with config.change_flags(cache_dir=str(tmp_path)):
        check_cache(gate, tmp_path)


def check_cache(gate: Gate, place: Path) -> None:
    x = T.vector("x")
    f = function([x], chain(x))
    before = f([1.0])
    assert is_early(f)
    assert not list(place.rglob("*.graph"))
    text = f.stages.built.source.compiled
    assert text not in [path.read_text() for path in place.rglob("*.c")]
    gate.open()
    f.wait()
    np.testing.assert_array_equal(f([1.0]), before)
    store = Cache(place)
    assert store.recall(f.stages._key) is not None
    assert store.path_of(f._linked.record.library) is not None
    assert not list(place.rglob(".build-*"))
    with config.change_flags(first_tier="none"):
        assert not is_early(function([x], chain(x)))
    assert len(gate.compiled) == 1


def test_functions_of_one_graph_share_their_code(gate: Gate) -> None:
    x = T.vector("x")
    functions = [make([x], chain(x))]
    functions += [function([x], chain(x), name=functions[0].name) for _ in range(2)]
    functions.append(functions[0].copy())
    functions.append(pickle.loads(pickle.dumps(functions[0])))
    assert all(map(is_early, functions))
    values = [f([1.0, 2.0]) for f in functions]
    gate.open()
    for f in functions:
        f.wait()
    assert len(gate.compiled) == 1
    for f, value in zip(functions, values, strict=True):
        np.testing.assert_array_equal(f([1.0, 2.0]), value)


def test_a_function_that_waits_takes_what_is_being_compiled(gate: Gate) -> None:
    x = T.vector("x")
    f = make([x], chain(x))
    threading.Timer(0.2, gate.open).start()
    with config.change_flags(first_tier="none"):
        g = function([x], chain(x), name=f.name)
    assert not is_early(g)
    assert len(gate.compiled) == 1
    np.testing.assert_array_equal(f([3.0]), g([3.0]))


def test_calls_exchange_the_code(gate: Gate) -> None:
    x = T.vector("x")
    count = shared(0, "count")
    f = make([x], chain(x), updates={count: count + 1})
    before = [f([1.0]), f(x=[1.0])]
    gate.open()
    while is_early(f):
        before.append(f([1.0]))
    for value in [*before, f([1.0])]:
        np.testing.assert_array_equal(value, before[0])
    assert int(count.get_value()) == len(before) + 1
    with pytest.raises(TypeError, match="1 input"):
        f()


def test_the_first_tier_is_unloaded(gate: Gate) -> None:
    x = T.vector("x")
    f = make([x], chain(x))
    f([1.0])
    early = os.path.realpath(f._linked.library._name)
    assert is_mapped(early)
    gate.open()
    f.wait()
    gc.collect()
    assert not is_mapped(early)
    f([1.0])


def is_mapped(path: str) -> bool:
    return f"{path} (deleted)" in Path("/proc/self/maps").read_text()


def test_no_update_is_lost_when_threads_call_across_the_exchange(gate: Gate) -> None:
    count, total = shared(0, "count"), shared(np.zeros(50), "total")
    f = make([], count, updates={count: count + 1, total: total + chain(total) * 0 + 1})
    started = threading.Barrier(5)
    seen: list[int] = []

    def call() -> None:
        started.wait(60)
        seen.extend(int(f()) for _ in range(500))

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    started.wait(60)
    gate.open()
    for thread in threads:
        thread.join()
    f.wait()
    assert sorted(seen) == list(range(2000))
    np.testing.assert_array_equal(total.get_value(), np.full(50, 2000.0))


def test_random_numbers_go_on(gate: Gate) -> None:
    from symtheano.tensor.random import RandomStreams

    rng, twin = (RandomStreams(5) for _ in range(2))
    x = T.vector("x")
    f = make([x], chain(x) + rng.uniform(size=x.shape))
    drawn = [f(np.ones(7)) for _ in range(3)]
    assert is_early(f)
    gate.open()
    f.wait()
    drawn += [f(np.ones(7)) for _ in range(3)]
    with config.change_flags(first_tier="none"):
        g = make([x], chain(x) + twin.uniform(size=x.shape))
    for value in drawn:
        np.testing.assert_array_equal(value, g(np.ones(7)))


def test_large_inputs_wait_for_optimized_code(gate: Gate) -> None:
    x = T.vector("x", dtype="int8")
    f = make([x], (x * x + 3).max())
    assert int(f(np.ones(5, "int8"))) == 4
    assert is_early(f)
    threading.Timer(0.2, gate.open).start()
    assert int(f(np.ones(65 << 20, "int8"))) == 4
    assert not is_early(f)


def test_python_ops_have_no_first_tier(gate: Gate) -> None:
    calls = []

    @as_op(itypes=[T.dvector], otypes=[T.dvector])
    def twice(value: Any) -> Any:
        calls.append(1)
        return value * 2

    gate.open()
    x = T.dvector("x")
    f = make([x], chain(twice(x)))
    assert not is_early(f)
    f([1.0])
    assert len(calls) == 1


def test_profiles_are_of_optimized_code(gate: Gate) -> None:
    gate.open()
    x = T.vector("x")
    assert not is_early(make([x], chain(x), profile=True))


# -- calls that are left ---------------------------------------------------------------------------


def long_loop(x: Any, steps: Any) -> Any:
    # The logistic map, which has no period.
    return scan(lambda h: 3.9 * h * (1 - h), outputs_info=[x], n_steps=steps)[0][-1]


def test_a_long_call_begins_again_in_optimized_code(gate: Gate) -> None:
    x, steps, total = T.vector("x"), T.lscalar("steps"), shared(np.zeros(3), "total")
    f = make([x, steps], total + 1, updates={total: total + long_loop(x, steps)})
    other = shared(np.full(3, 5.0), "other")
    with config.change_flags(first_tier="none"):
        gate.open()
        g = make([x, steps], other + 7, updates={other: other + x + steps})
    assert is_early(f)
    occasions = []

    def renew(occasion: int) -> None:
        occasions.append(occasion)
        if occasion == 0:
            # Code with the same interface and another result shows in which one a call ends.
            exchange(g._linked.address, (g._linked, g._linked.library.handle))

    exchange = f._exchange
    f._optimized = None
    connection = list(f._connection(f._linked, f._ports, f.stages))
    connection[-3] = renew
    f._connect(*connection)
    value = f([0.1, 0.2, 0.3], 10**9)
    np.testing.assert_array_equal(value, [7.0, 7.0, 7.0])
    np.testing.assert_array_equal(total.get_value(), np.array([0.1, 0.2, 0.3]) + 10**9)
    assert occasions == [1, 0]


def test_a_long_call_ends_with_the_same_bits(gate: Gate) -> None:
    x, steps, count = T.vector("x"), T.lscalar("steps"), shared(0, "count")
    f = make([x, steps], long_loop(x, steps), updates={count: count + 1})
    threading.Timer(0.1, gate.open).start()
    value = f([0.1, 0.2, 0.3], 3 * 10**8)
    assert not is_early(f)
    assert int(count.get_value()) == 1
    np.testing.assert_array_equal(f([0.1, 0.2, 0.3], 3 * 10**8), value)


class Interruption(Exception):
    """Raised by the handler of a signal."""


@pytest.fixture
def alarm() -> Iterator[None]:
    def interrupt(*_: Any) -> None:
        raise Interruption

    before = signal.signal(signal.SIGALRM, interrupt)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def test_an_interrupt_ends_a_call_in_the_first_tier(gate: Gate, alarm: None) -> None:
    x, steps, count = T.vector("x"), T.lscalar("steps"), shared(0, "count")
    f = make([x, steps], long_loop(x, steps), updates={count: count + 1})
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with pytest.raises(Interruption):
        f([0.1, 0.2, 0.3], 10**10)
    assert is_early(f)
    assert int(count.get_value()) == 0
    f([0.1, 0.2, 0.3], 10)
    assert int(count.get_value()) == 1


def test_an_interrupt_ends_the_wait_of_a_large_call(gate: Gate, alarm: None) -> None:
    x = T.vector("x", dtype="int8")
    f = make([x], (x * x + 5).max())
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with pytest.raises(Interruption):
        f(np.ones(65 << 20, "int8"))
    assert is_early(f)
    assert int(f(np.ones(5, "int8"))) == 6


# -- failures, processes ---------------------------------------------------------------------------


def test_the_first_tier_stays_if_the_compiler_fails(
    every_program: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def refuse(*args: Any) -> None:
        raise CompileError("the C compiler failed: no reason")

    monkeypatch.setattr(Translation, "make", refuse)
    x = T.vector("x")
    with config.change_flags(first_tier="unoptimized", cache_dir=str(tmp_path / "cache")):
        f = make([x], chain(x))
        with pytest.raises(CompileError, match="no reason"):
            f.wait()
        with pytest.warns(RuntimeWarning, match=r"not optimized: .*no reason"):
            value = f([2.0])
        np.testing.assert_array_equal(f([2.0]), value)  # and no other warning
        with pytest.raises(CompileError, match="no reason"):
            f.wait()


def test_without_a_first_tier_the_optimized_code_is_waited_for(
    gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*args: Any) -> Any:
        raise OSError("no space")

    monkeypatch.setattr(Translation, "_make_first_tier", refuse)
    gate.open()
    x = T.vector("x")
    f = make([x], chain(x))
    assert not is_early(f)


PROGRAM = """
import os, sys, time
import numpy as np
import symtheano.tensor as T
from symtheano import config, function, grad
from symtheano.codegen.native import parts
parts._SMALL = 0
config.first_tier = "unoptimized"
x = T.dmatrix("x")
f = function([x], [T.tanh(T.dot(x, x.T)).sum(), T.exp(x)])
early = f._linked.optimized is not None
value = float(f(np.ones((3, 2)))[0])
"""
FORKS = """
def same():
    return float(f(np.ones((3, 2)))[0]) == value
child = os.fork()
if child == 0:
    good = same()
    f.wait()
    os._exit(0 if good and same() and f._linked.optimized is None else 1)
print(early, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), same())
f.wait()
print(same(), f._linked.optimized is None)
"""


def run(program: str, cache: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env={**os.environ, "SYMTHEANO_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_process_that_ends_early_leaves_optimized_code(tmp_path: Path) -> None:
    assert run(PROGRAM + "print(early)", tmp_path) == "True\n"
    assert len(list(tmp_path.rglob("*.graph"))) == 1
    assert run(PROGRAM + "print(early)", tmp_path) == "False\n"
    assert not list(tmp_path.rglob(".build-*"))


def test_forked_children_compile_what_they_need(tmp_path: Path) -> None:
    assert run(PROGRAM + FORKS, tmp_path) == "True 0 True\nTrue True\n"

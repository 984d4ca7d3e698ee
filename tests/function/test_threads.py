"""Threads, forks and interrupts: no update is lost or torn, and nobody waits for ever."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

pytestmark = pytest.mark.needs_cc

WAYS = ("dispatcher", "cffi", "interpreter")

# What the programs below share: `make` returns functions that are called in the way they name.
HEAD = """
import os, signal, sys, threading, time
import numpy as np
import symtheano.tensor as T
from symtheano import In, Mode, config, function, shared
from symtheano.tensor.as_op import as_op
from symtheano.function.stages import Stages

# A shell ignores interrupts in what it runs in the background, and processes inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)
way = sys.argv[1]
if way == "cffi":
    Stages.dispatcher = None
mode = Mode("interpret" if way == "interpreter" else "c")

def make(*args, **named):
    f = function(*args, mode=mode, **named)
    f.wait()
    return f

def in_threads(work, count):
    threads = [threading.Thread(target=work, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def run(program: str, *arguments: str, limit: int = 60, **named: Any) -> str:
    """Return what a program prints; fail if it does not end."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", HEAD + program, *arguments],
        capture_output=True, text=True, timeout=limit, check=False, **named,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


NESTED = """
big = shared(np.zeros(400_000), "big")
count = make([], [], updates={big: big[::-1] + 1})

@as_op([T.dvector], [T.dvector])
def op(x):
    count()
    return x

x = T.dvector("x")
f = make([x], op(x))
in_threads(lambda k: [f(np.ones(3)) for _ in range(25)], 4)
value = big.get_value()
print(value.min(), value.max())
"""


@pytest.mark.parametrize("way", WAYS)
def test_updates_of_calls_within_ops_arrive(way: str) -> None:
    assert run(NESTED, way) == "100.0 100.0"


DEFAULTS = """
sys.setswitchinterval(1e-5)
x, y, s = T.dvector("x"), T.dvector("y"), shared(np.zeros(3), "s")
f = make([In(x, value=np.zeros(3), update=x + 1)], x)
g = make([In(y, value=s, update=y + 1)], y)
count = make([], [], updates={s: s + 1})
in_threads(lambda k: [(f(), (g, count)[k % 2]()) for _ in range(500)], 4)
print(f[x].tolist(), s.get_value().tolist(), f(None)[0], f(x=[7, 7, 7])[0], f([8, 8, 8])[0], f()[0])
"""


SPARSE_DEFAULTS = """
import scipy.sparse
from symtheano import sparse
sys.setswitchinterval(1e-5)
p, one = sparse.csr_matrix("p", dtype="float64"), scipy.sparse.eye(3, format="csr")
f = make([In(p, value=one * 0, update=p + one)], sparse.sp_sum(p), on_unused_input="ignore")
in_threads(lambda k: [f() for _ in range(200)], 4)
print(f[p].toarray().diagonal().tolist(), f(None), f(p=one * 5), f(one), f())
"""


@pytest.mark.parametrize("way", WAYS[::2])
def test_updates_of_sparse_defaults_arrive(way: str) -> None:
    assert run(SPARSE_DEFAULTS, way) == "[800.0, 800.0, 800.0] 2400.0 15.0 3.0 6.0"


@pytest.mark.parametrize("way", WAYS)
def test_updates_of_defaults_arrive(way: str) -> None:
    """A default is read when no other thread updates it, not when the arguments are collected."""
    assert run(DEFAULTS, way) == (
        "[2000.0, 2000.0, 2000.0] [2000.0, 2000.0, 2000.0] 2000.0 7.0 8.0 9.0"
    )


CIRCLE = """
a, b = shared(np.zeros(3), "a"), shared(np.zeros(3), "b")
add = {a: make([], [], updates={a: a + 1}), b: make([], [], updates={b: b + 1})}
both = threading.Barrier(2)

def outer(own, other):
    @as_op([T.dvector], [T.dvector])
    def op(x):
        both.wait(20)
        add[other]()
        return x
    return make([], op(own), updates={own: own + 10})

functions, raised = [outer(a, b), outer(b, a)], []

def work(k):
    try:
        functions[k]()
    except RuntimeError as error:
        raised.append("wait for each other" in str(error))

in_threads(work, 2)
print(set(raised), sorted([a.get_value()[0], b.get_value()[0]]) in ([0, 11], [1, 10], [0, 0]))
"""


def test_calls_that_wait_for_each_other_raise_an_error() -> None:
    assert run(CIRCLE, "dispatcher") == "{True} True"


INTERRUPTED_READ = """
class Big(np.ndarray):
    def copy(self, *args):
        raise KeyboardInterrupt

def alarm(*_):
    raise KeyboardInterrupt

signal.signal(signal.SIGALRM, alarm)
w = shared(np.zeros(500_000), "w")
count = make([], [], updates={w: w + 1})
w.container.value = w.container.value.view(Big)
for _ in range(3):
    try:
        w.get_value()
    except KeyboardInterrupt:
        pass
w.container.value = np.zeros(500_000)
for k in range(40):
    try:  # the alarm may come before the next statement
        signal.setitimer(signal.ITIMER_REAL, 2e-4 * (1 + k % 5))
        while True:
            w.get_value()
    except KeyboardInterrupt:
        pass
in_threads(lambda k: count(), 2)
print(w.get_value().min(), w.get_value().max())
"""


@pytest.mark.parametrize("way", WAYS)
def test_nobody_waits_for_a_reader_that_was_interrupted(way: str) -> None:
    assert run(INTERRUPTED_READ, way) == "2.0 2.0"


INTERRUPTED_WAIT = """
begun, go_on = threading.Event(), threading.Event()

@as_op([T.dvector], [T.dvector])
def op(x):
    begun.set()
    go_on.wait(30)
    return x

w = shared(np.zeros(3), "w")
slow = make([], op(w), updates={w: w + 1})
count = make([], [], updates={w: w + 10})
thread = threading.Thread(target=slow)
thread.start()
begun.wait(30)
for wait in (count, lambda: w.set_value(np.ones(3))):
    threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    try:
        wait()
    except KeyboardInterrupt:
        print("interrupted", end=" ")
go_on.set()
thread.join()
count()
print(w.get_value().tolist())
"""


@pytest.mark.parametrize("way", WAYS)
def test_waiting_for_an_update_can_be_interrupted(way: str) -> None:
    assert run(INTERRUPTED_WAIT, way) == "interrupted interrupted [11.0, 11.0, 11.0]"


LONG = """
n = 400
w = shared(np.eye(n), "w")
x = T.dmatrix("x")
y = x
for _ in range(100):
    y = T.dot(T.tanh(y), x)
f = make([x], y.sum(), updates={w: w + y})
value = np.eye(n) / 2
started = time.perf_counter()
f(value)
whole = time.perf_counter() - started
before = w.get_value()
class Late(Exception):
    pass

def alarm(*_):
    raise Late

signal.signal(signal.SIGALRM, alarm)
signal.setitimer(signal.ITIMER_REAL, whole / 10)
try:
    f(value)
except Late:
    print((w.get_value() == before).all())
"""


def test_a_long_call_is_left_between_kernels() -> None:
    assert run(LONG, "dispatcher") == "True"


# What follows forks while other threads work, and prints what the children return.
FORK = """
def fork(work):
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        try:
            os._exit(0 if work() else 1)
        except BaseException as error:
            print(repr(error), file=sys.stderr)
        os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
"""

FORK_WHILE_UPDATING = """
w, v = shared(np.zeros(300_000), "w"), shared(np.zeros(3), "v")
both = make([], w.sum(), updates=[(w, w + 1), (v, v + 1)])
read = make([], [w.min(), w.max(), v.min()])
done = False

def work(k):
    while not done:
        both() if k == 0 else w.get_value() if k == 1 else read()

def whole():
    values = w.get_value(), v.get_value()
    first = {float(end) for value in values for end in (value.min(), value.max())}
    both()
    w.set_value(w.get_value() + 1)
    v.set_value(v.get_value() + 1)
    return len(first) == 1 and {float(value) for value in read()} == {first.pop() + 2}

threads = [threading.Thread(target=work, args=(k,), daemon=True) for k in range(3)]
for thread in threads:
    thread.start()
codes = [fork(whole) for _ in range(12) if not time.sleep(0.01)]
done = True
for thread in threads:
    thread.join()
print(set(codes), whole())
"""


@pytest.mark.parametrize("way", WAYS)
def test_children_forked_while_others_update(way: str) -> None:
    assert run(FORK + FORK_WHILE_UPDATING, way) == "{0} True"


FORK_WHILE_COMPILING = """
from symtheano.codegen.native.cache import Cache
codes = []
for k in range(4):
    x = T.dvector("x")
    y = x
    for n in range(8):
        y = T.tanh(y * n + k) + T.exp(-x).sum() * y.max() + os.getpid()
    with config.change_flags(first_tier="interpreter"):
        f = function([x], y)
    time.sleep(0.03 * k)
    expected = f([1.0, 2.0])

    def same():
        first = np.allclose(f([1.0, 2.0]), expected)
        f.wait()
        return first and np.allclose(f([1.0, 2.0]), expected)

    codes.append(fork(same))
    f.wait()
print(set(codes))
"""


def test_children_forked_while_compiling() -> None:
    assert run(FORK + FORK_WHILE_COMPILING, "dispatcher", limit=200) == "{0}"


KERNELS_IN_THE_BACKGROUND = """
import tempfile
from symtheano.codegen.runtime import blas
from symtheano.codegen.native.later import Later
from symtheano.codegen.native.prebuilt import Unit
from symtheano.codegen.native.toolchain import find_toolchain

text = '__attribute__((visibility("default"))) int st_own_gemm(void) { return 0; } /* %s */'
blas.library_units = lambda library: {name: Unit(text % name) for name in library.suffixes}
toolchain = find_toolchain()
with tempfile.TemporaryDirectory() as directory:
    found = Later(lambda: blas._own_kernels(toolchain, directory)).result()
    print(sorted(found) == sorted(blas.LIBRARY.suffixes), all(found.values()))
"""


def test_kernels_are_compiled_in_the_background_where_none_is_in_the_cache() -> None:
    """The thread that waits for them lets those that compile them run."""
    assert run(KERNELS_IN_THE_BACKGROUND, "dispatcher", limit=200) == "True True"


FORK_AFTER_THREADS = """
with config.change_flags(threads=2):
    x, m = T.dvector("x"), T.dmatrix("m")
    f = make([x], T.exp(x) * 2)
    g = make([m], [T.dot(m, m), T.sort(m, axis=1)])
values, square = np.linspace(0, 1, 3_000_000), np.random.default_rng(0).random((700, 700))
wanted, products = f(values), g(square)

def same():
    found = []
    in_threads(lambda k: found.append((f(values) == wanted).all()), 2)
    found += [(f(values) == wanted).all(), np.allclose(square @ square, products[0])]
    return all(found) and all(np.allclose(*pair) for pair in zip(g(square), products))

print([fork(same) for _ in range(2)], fork(lambda: fork(same) == 0), same())
"""


@pytest.mark.parametrize("way", ["dispatcher", "cffi"])
def test_children_forked_after_threads_were_used(way: str) -> None:
    assert run(FORK + FORK_AFTER_THREADS, way) == "[0, 0] 0 True"


NO_THREADS = """
import resource, warnings
with config.change_flags(threads=16):
    x, m = T.dvector("x"), T.dmatrix("m")
    f = make([x], T.exp(x).sum())
    g = make([m], [T.dot(m, m), T.sort(m, axis=1)])
values, square = np.linspace(0, 1, 2_000_000), np.random.default_rng(0).random((500, 500))
wanted = np.exp(values).sum(), square @ square
if sys.argv[2] == "memory":
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (64 << 20), -1))
else:
    if os.getuid() == 0:  # whose number of processes is not limited
        os.setuid(12_345)
    resource.setrlimit(resource.RLIMIT_NPROC, (1, 1))

with warnings.catch_warnings(record=True) as seen:
    warnings.simplefilter("always")
    for _ in range(2):
        if sys.argv[2] == "memory":
            in_threads(lambda k: g(square), 1)
        assert np.allclose(f(values), wanted[0]) and np.allclose(g(square)[0], wanted[1])
print(len(seen) > 0, *{"more threads can be started" in str(item.message) for item in seen})
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory that Linux keeps")
@pytest.mark.parametrize(
    ("way", "limit"), [("dispatcher", "memory"), ("cffi", "memory"), ("dispatcher", "processes")]
)
def test_one_thread_is_used_if_no_more_can_be_started(way: str, limit: str) -> None:
    assert run(NO_THREADS, way, limit) == "True True"


INTERRUPTED_CALLS = """
import random

class Stop(Exception):
    pass

def alarm(*_):
    raise Stop

a, b = shared(np.zeros(20_000), "a"), shared(np.zeros(3), "b")
f = make([], {"p": a.sum(), "q": b * 2}, updates=[(a, a + 1), (b, b[::-1] + 1)])
signal.signal(signal.SIGALRM, alarm)
done = False

def work(k):
    while not done:
        f()

thread = threading.Thread(target=work, args=(0,), daemon=True)
thread.start()
for k in range(60):
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(1e-5, 4e-3))
        while True:
            f()
            a.get_value()
    except Stop:
        pass
done = True
thread.join()
f()
print(len({*a.get_value().tolist(), *b.get_value().tolist()}))
"""


@pytest.mark.parametrize("way", WAYS)
def test_calls_that_are_interrupted_at_any_time(way: str) -> None:
    assert run(INTERRUPTED_CALLS, way) == "1"

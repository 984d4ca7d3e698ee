"""Threads and stacks: how many threads may be started, and what a thread must have."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from symtheano.codegen import threads
from symtheano.codegen.threads import allowed_threads
from symtheano.graph.stacks import LEAST_STACK, require_stack, stacks_of
from symtheano.graph.workers import Worker

# Functions that once had, or might have, an array on the stack for each of very many values.
PROGRAM = """
import sys, threading
import numpy as np
import symtheano.tensor as T
from symtheano import function

def transposed():
    xs = [T.zmatrix(f"x{k}") for k in range(40)]
    a = np.arange(40.0 * 50).reshape(40, 50) * 1j
    return function(xs, sum((x.T for x in xs[1:]), xs[0])), [a.T] + [a] * 39, 40 * a.T

def scalars():
    xs = [T.dscalar(f"x{k}") for k in range(200)]
    ys = [T.sqr(x) * 2 for x in xs]
    total = sum(ys)
    values = np.linspace(0, 1, 200)
    made = function(xs, sum(a * b for a, b in zip(ys, ys[::-1])) + total)
    squares = 2 * values**2
    return made, list(values), (squares * squares[::-1]).sum() + squares.sum()

def sums():
    x = T.zvector("x")
    made = function([x], T.stack([(x * (k + 0.5)).sum() for k in range(40)]))
    value = np.arange(9.0) + 1j
    return made, [value], value.sum() * (np.arange(40) + 0.5)

def short_rows():
    x = T.matrix("x")
    rows = [T.exp(x * k) / T.exp(x * k).sum(axis=1, keepdims=True) for k in range(20)]
    value = np.arange(12.0).reshape(4, 3) / 12
    powers = [np.exp(value * k) for k in range(20)]
    wanted = sum(p / p.sum(axis=1, keepdims=True) for p in powers)
    return function([x], sum(rows)), [value], wanted

def routines():
    x = T.matrix("x")
    value = np.random.default_rng(0).normal(size=(60, 60))
    outputs = [T.sort(x, axis=0), T.argsort(x.flatten()), T.nlinalg.det(x), T.fft.theano_rfft(x)]
    return function([x], T.sort(x.flatten()).sum() + sum((y**0).sum() for y in outputs[:2])), \
        [value], value.sum() + 7200

made, arguments, wanted = globals()[sys.argv[1]]()
made.wait()
failed = [True]

def call():
    np.testing.assert_allclose(made(*arguments), wanted, rtol=1e-10)
    failed.clear()

threading.stack_size(int(sys.argv[2]) << 10)
thread = threading.Thread(target=call)
thread.start()
thread.join()
sys.exit(bool(failed))
"""


@pytest.mark.parametrize("kind", ["transposed", "scalars", "sums", "short_rows", "routines"])
@pytest.mark.needs_cc
def test_a_thread_of_little_stack(kind: str) -> None:
    command = [sys.executable, "-c", PROGRAM, kind, "256"]
    result = subprocess.run(command, capture_output=True, text=True)
    assert (result.returncode, result.stderr) == (0, "")


SMALL = """
import sys, threading
import numpy as np
import symtheano.tensor as T
from symtheano import config, function
from symtheano.function.stages import Stages

if sys.argv[1] == "cffi":
    Stages.dispatcher = None
x, m = T.dvector("x"), T.dmatrix("m")
functions = {
    "tanh": (function([x], T.tanh(x)), np.ones(100_000)),
    "sort": (function([x], T.sort(x)), np.arange(200_000.0) % 997),  # the largest own frames
    "dot": (function([m], T.dot(m, m)), np.eye(300)),
    "det": (function([m], T.nlinalg.det(m)), np.eye(400)),
}
for made, _ in functions.values():
    made.wait()
functions["made"] = (lambda v: function([x], x - 1)(v), np.ones(3))

def call(name):
    made, value = functions[name]
    try:
        made(value)
        ended.append(name)
    except RuntimeError as error:
        ended.append(str(error).split(":")[0])

for size in (32, 64, 128, 256):
    threading.stack_size(size << 10)
    for name in functions:
        ended = []
        thread = threading.Thread(target=call, args=(name,))
        thread.start()
        thread.join()
        print(size, *ended)
with config.change_flags(first_tier="interpreter"):
    threading.stack_size(32 << 10)
    made = function([x], x - 2)
    made.wait()
    print(made(np.ones(2)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a stack is asked of Linux")
@pytest.mark.parametrize("way", ["dispatcher", "cffi"])
@pytest.mark.needs_cc
def test_a_stack_that_is_too_small_is_an_error(way: str) -> None:
    command = [sys.executable, "-W", "ignore", "-c", SMALL, way]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")

    def error(size: int, needed: int) -> str:
        return f"this thread has a stack of {size} kB, but the call needs {needed} kB"

    needed = {"tanh": 64, "sort": 64, "dot": 128, "det": 128, "made": 64}
    assert done.stdout.splitlines() == [
        *(
            f"{size} {name if size >= need else error(size, need)}"
            for size in (32, 64, 128, 256)
            for name, need in needed.items()
        ),
        "[-1. -1.]",
    ]


@pytest.fixture
def fresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let this thread be one that has not been asked yet."""
    for name in ("OMP_STACKSIZE", "GOMP_STACKSIZE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(threads, "_of_thread", threading.local())
    monkeypatch.setattr(threads, "_used", False)
    monkeypatch.setattr(threads, "_forked", False)
    # What other tests have started is not of this test.
    monkeypatch.setattr(threads, "_shared", False)
    monkeypatch.setattr(threads, "_natives_when_loaded", threads._native_threads())
    return


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="processes have no affinity")
def test_affinity_and_quota_limit_the_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    before = os.sched_getaffinity(0)
    threads._quota.cache_clear()
    try:
        for processors, quota, wanted in ((range(64), None, 64), (range(64), 3, 3), ([5], 8, 1)):
            monkeypatch.setattr(os, "sched_getaffinity", lambda pid, found=processors: set(found))
            monkeypatch.setattr(threads, "processor_quota", lambda found=quota: found)
            threads._quota.cache_clear()
            assert threads.usable_threads() == wanted
        monkeypatch.undo()
        threads._quota.cache_clear()
        os.sched_setaffinity(0, {min(before)})
        assert threads.usable_threads() == 1
    finally:
        os.sched_setaffinity(0, before)
        threads._quota.cache_clear()


@pytest.mark.usefixtures("fresh")
def test_threads_are_started_once_as_a_test(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    monkeypatch.setattr(threads, "_can_start", lambda count: asked.append(count) or True)
    assert [allowed_threads(n) for n in (1, 0, 4, 4, 2, 4)] == [1, 1, 4, 4, 2, 4]
    assert asked == [3, 1]


@pytest.mark.usefixtures("fresh")
def test_one_thread_if_no_more_can_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Worker) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Worker, "start", refuse)
    with pytest.warns(RuntimeWarning, match="only 0 of 2 more threads can be started"):
        assert allowed_threads(3) == 1
    assert allowed_threads(3) == 1  # without a second warning


@pytest.mark.usefixtures("fresh")
@pytest.mark.parametrize("text", ["64K", "64", "65536B", " 100 k "])
def test_stacks_of_openmp_that_are_too_small(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("OMP_STACKSIZE", text)
    with pytest.warns(RuntimeWarning, match="Set OMP_STACKSIZE to 256K or more"):
        assert allowed_threads(2) == 1


@pytest.mark.usefixtures("fresh")
def test_sizes_of_stacks_are_read_as_openmp_reads_them(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, size in (("1M", 1 << 20), ("2g", 2 << 30), ("512", 512 << 10), ("8 M", 8 << 20),
                       ("", 0), ("much", 0), ("1T", 0), ("-5K", 0)):  # fmt: skip
        monkeypatch.setenv("OMP_STACKSIZE", text)
        assert threads._stack_size() == size, text


@pytest.mark.usefixtures("fresh")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("used", [True, False])
def test_a_forked_child_uses_one_thread_if_more_were_used(used: bool) -> None:
    if used:
        assert allowed_threads(2) == 2
    child = os.fork()
    if child == 0:
        os._exit(allowed_threads(2))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == (1 if used else 2)
    assert allowed_threads(2) == 2


FORKED = """
import ctypes, os, sys, time
import numpy as np
import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen import threads

config.threads = 3
x, values = T.fvector("x"), np.full(2_000_000, 0.5, "float32")

def ours():
    f = function([x], T.exp(x))
    f.wait()
    return f

def theirs():
    # Another package starts threads of the same library.
    library = ctypes.CDLL("libgomp.so.1")
    library.GOMP_parallel.argtypes = [ctypes.c_void_p] * 2 + [ctypes.c_uint] * 2
    kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
    work = kind(lambda _: time.sleep(0.1))
    library.GOMP_parallel(ctypes.cast(work, ctypes.c_void_p), None, 3, 0)

f = None
for name in sys.argv[1].split():
    if name == "ours":
        f = ours()
    else:
        theirs()
child = os.fork()
if child == 0:
    f = f or ours()
    assert f(values)[-1] == np.exp(np.float32(0.5))
    os._exit(len(os.listdir("/proc/self/task")))
for _ in range(300):
    done, status = os.waitpid(child, os.WNOHANG)
    if done:
        print(os.waitstatus_to_exitcode(status))
        break
    time.sleep(0.1)
else:
    os.kill(child, 9)
    print("it waits")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
@pytest.mark.needs_cc
@pytest.mark.parametrize(
    ("order", "in_child"),
    [("theirs", 1), ("theirs ours", 1), ("ours theirs", 1), ("ours", 3)],
)
def test_a_forked_child_does_not_wait_for_threads_of_other_packages(
    order: str, in_child: int
) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKED, order],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.stdout.split() == [str(in_child)], done.stderr


def test_openmp_is_loaded_with_short_waiting_unless_the_user_chose(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[str | None] = []
    monkeypatch.setattr(
        threads.ctypes,
        "CDLL",
        lambda name, mode=None: mode or seen.append(os.environ.get("GOMP_SPINCOUNT")),
    )
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY"):
        monkeypatch.delenv(name, raising=False)
    threads.load_openmp.__wrapped__()
    assert seen == [str(threads.SPINS)]
    assert "GOMP_SPINCOUNT" not in os.environ
    for name, value in (("OMP_WAIT_POLICY", "active"), ("GOMP_SPINCOUNT", "7")):
        monkeypatch.setenv(name, value)
        threads.load_openmp.__wrapped__()
    assert len(seen) == 1
    assert os.environ["GOMP_SPINCOUNT"] == "7"


def test_stacks_are_of_a_size_for_some_time() -> None:
    before = threading.stack_size()
    with stacks_of(1 << 19):
        assert threading.stack_size() == 1 << 19
    assert threading.stack_size() == before
    with stacks_of(1):  # less than the system allows
        assert threading.stack_size() == before


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a stack is asked of Linux")
def test_a_small_stack_is_told_before_the_process_ends() -> None:
    assert require_stack(LEAST_STACK) >= LEAST_STACK
    told: list[str] = []

    def ask() -> None:
        try:
            require_stack(LEAST_STACK << 4)
        except RuntimeError as error:
            told.append(str(error))

    with stacks_of(LEAST_STACK << 1):
        thread = threading.Thread(target=ask)
        thread.start()
    thread.join()
    (words,) = told
    assert words == (
        "this thread has a stack of 128 kB, but the call needs 1024 kB: call "
        "threading.stack_size(1048576) before the thread is made"
    )

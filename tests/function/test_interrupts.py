"""Long loops can be interrupted, let other threads run, and change nothing if they are."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = pytest.mark.needs_cc

# Each program makes `result`, what a loop of `n` iterations computes of the shared variable `w`.
LOOPS = {
    "scalars": """
rows, _ = scan(lambda s: T.cos(s) + 1e-300 * w.sum(), outputs_info=[T.constant(0.5)], n_steps=n)
result = w + rows[-1]
""",
    "condition": """
def step(k, s):
    return [k + 1, T.sqrt(s + 1)], until(s < 0)
rows, _ = scan(step, outputs_info=[T.constant(0), T.constant(0.5)], n_steps=n)
result = w + rows[1][-1]
""",
    "state": """
rows, _ = scan(lambda s: T.cos(s[::-1]) / s.sum(), outputs_info=[w], n_steps=n)
result = rows[-1]
""",
    "inner loop": """
def inner(s):
    rows, _ = scan(lambda s: T.cos(s), outputs_info=[s], n_steps=7 + T.cast(s, "int64"))
    return rows[-1]
rows, _ = scan(inner, outputs_info=[T.constant(0.5)], n_steps=n)
result = w + rows[-1]
""",
    "loop around": """
def inner(s):
    rows, _ = scan(lambda s: T.cos(s), outputs_info=[s], n_steps=n)
    return rows[-1]
rows, _ = scan(inner, outputs_info=[T.constant(0.5)], n_steps=20)
result = w + rows[-1]
""",
    "elements": """
rows, _ = scan(lambda i, s: T.sin(s * 1.5 + i), sequences=T.arange(n), outputs_info=[w])
result = rows[-1]
""",
    "frozen elements": """
big = T.concatenate([T.zeros(100_000), w])
step = lambda z: T.switch(z * z < 4, z * z + big / 4, z)
rows, _ = scan(step, outputs_info=[T.zeros_like(big)], n_steps=n)
result = rows[-1][-3:]
""",
    "threads": """
big = T.alloc(w.sum(), 300_000)
rows, _ = scan(lambda s: T.tanh(s) / (1 + s.max()), outputs_info=[big], n_steps=n)
result = rows[-1][:3]
""",
    "products": """
m = T.dot(w.dimshuffle(0, "x"), w.dimshuffle("x", 0))
rows, _ = scan(lambda s, m: T.tanh(T.dot(s, m)), outputs_info=[w], non_sequences=[m], n_steps=n)
result = rows[-1]
""",
    "Metropolis": """
random = RandomStreams(1)
def step(s):
    proposed = s + random.normal(())
    return T.switch(T.exp(s**2 - proposed**2) > random.uniform(()), proposed, s)
rows, _ = scan(step, outputs_info=[T.constant(0.5)], n_steps=n)
result = w + rows[-1]
""",
    "branch": """
def step(k, s):
    return k + 1, ifelse(T.eq(k % 2, 0), T.cos(s) + s.sum(), T.sin(s[::-1]))
rows, _ = scan(step, outputs_info=[T.constant(0), w], n_steps=n)
result = rows[1][-1]
""",
    "graph as an op": """
a, k = T.dscalar(), T.lscalar()
rows, _ = scan(lambda s: T.cos(s), outputs_info=[a], n_steps=k)
op = OpFromGraph([a, k], [rows[-1]])
result = w + op(w.sum(), n) + op(w[0], n)
""",
    "op in Python": """
@as_op([T.dscalar], [T.dscalar])
def op(s):
    return np.cos(s)
rows, _ = scan(lambda s: op(s), outputs_info=[w.sum()], n_steps=n)
result = w + rows[-1]
""",
}

PROGRAM = """
import signal, sys, threading, time
import numpy as np
import symtheano.tensor as T
from symtheano import OpFromGraph, function, scan, shared
from symtheano.ifelse import ifelse
from symtheano.function.stages import Stages
from symtheano.scan_module import until
from symtheano.tensor.as_op import as_op
from symtheano.tensor.random import RandomStreams

class Stop(Exception):
    pass

def stop(*_):
    raise Stop

signal.signal(signal.SIGALRM, stop)
signal.signal(signal.SIGINT, signal.default_int_handler)
n, w = T.lscalar("n"), shared(np.array([0.25, 0.5, 0.75]), "w")
exec(LOOP)
called = threading.Event()

def work():
    # This thread interrupts the call itself: if it had no turn, the call would not end.
    while called.wait():
        called.clear()
        time.sleep(0.1)
        for _ in range(4):
            time.sleep(1e-4)
        signal.pthread_kill(threading.main_thread().ident, signal.SIGALRM)

threading.Thread(target=work, daemon=True).start()
values = []
for way in ("dispatcher", "cffi"):
    if way == "cffi":
        Stages.dispatcher = None
    f = function([n], result, updates=[(w, result)])
    f.wait()
    start = w.get_value()
    f(9)
    w.set_value(start)
    for k in range(COUNT):
        if k % 2 == 0:  # as from a keyboard
            signal.signal(signal.SIGALRM, signal.default_int_handler)
        try:
            if k % 4 == 0:
                called.set()
            else:
                signal.setitimer(signal.ITIMER_REAL, 0.02)
            f(2**40)
        except (Stop, KeyboardInterrupt) as error:
            assert (type(error) is Stop) == (k % 2 == 1)
        else:
            raise SystemExit("it ended")
        signal.signal(signal.SIGALRM, stop)
        assert (w.get_value() == start).all(), w.get_value()
    f(9)
    values.append(w.get_value())
    w.set_value(start)
if "random" not in globals():
    np.testing.assert_allclose(*values)
print(np.isfinite(values[0]).all())
"""


def run(loop: str, count: int) -> str:
    """Return what the program prints for a loop that is interrupted a number of times."""
    program = PROGRAM.replace("LOOP", repr(loop), 1).replace("COUNT", str(count))
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("loop", LOOPS)
def test_a_loop_is_interrupted_and_others_run(loop: str) -> None:
    assert run(LOOPS[loop], 3) == "True"


@pytest.mark.parametrize("loop", ["condition", "frozen elements"])
def test_a_loop_is_interrupted_many_times(loop: str) -> None:
    assert run(LOOPS[loop], 40) == "True"


# Each line is one of many computations in a row; `y` is what the one before has made.
STEPS = {
    "sorts": "T.sort(-y, axis=0)",
    "transforms": "T.fft.irfft1(T.fft.rfft1(y) * (1 + 1j))",
    "products": "T.dot(y, y) * 1e-3",
    "inverses": "T.nlinalg.matrix_inverse(y + 600 * T.eye(1024))",
    "elements": "T.tanh(T.exp(T.sin(y)))[::-1].sum(0) + y",
}

ROW = """
import signal
import numpy as np
import symtheano.tensor as T
from symtheano import function, shared
from symtheano.function.stages import Stages
from symtheano.tensor.as_op import as_op

class Stop(Exception):
    pass

def stop(*_):
    raise Stop

signal.signal(signal.SIGALRM, stop)
reached = []

@as_op([T.dmatrix], [T.dmatrix])
def first(x):
    signal.setitimer(signal.ITIMER_REAL, 1e-3)
    return x + 0

@as_op([T.dmatrix], [T.dmatrix])
def last(x):
    reached.append(1)
    return x + 0

w = shared(np.random.default_rng(1).normal(size=(1024, 1024)), "w")
y = first(w)
for _ in range(COUNT):
    y = STEP
result = last(y)
start = w.get_value()
for way in ("dispatcher", "cffi"):
    if way == "cffi":
        Stages.dispatcher = None
    f = function([], result.sum(), updates=[(w, w + result.sum())])
    f.wait()
    for _ in range(2):
        try:
            f()
        except Stop:
            assert not reached
            assert (w.get_value() == start).all()
        else:
            raise SystemExit("it ended")
print("done")
"""


@pytest.mark.parametrize("step", STEPS)
def test_a_call_ends_between_two_computations(step: str) -> None:
    program = ROW.replace("STEP", STEPS[step]).replace("COUNT", "30")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "done\n"


# Without a switch interval, a thread waits until the one that runs gives up its turn.
TURNS = """
import sys, threading, time
import symtheano.tensor as T
from symtheano import function

n = T.lscalar()
f = function([n], RESULT)
f.wait()
seen = 0

def work():
    global seen
    while True:
        seen += 1
        time.sleep(1e-4)

threading.Thread(target=work, daemon=True).start()
sys.setswitchinterval(1000)
time.sleep(0.1)
turns = 0
for _ in range(1000):
    before = seen
    f(200_000)
    turns += seen > before
    if turns == 3:
        break
print(turns)
"""


@pytest.mark.parametrize(
    "result", ["T.argmax(T.cos(T.arange(n) * 1.0))", "T.cos(T.arange(n) * 1.0).sum()"]
)
def test_others_run_during_one_long_computation(result: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", TURNS.replace("RESULT", result)],
        capture_output=True, text=True, timeout=400, check=False,
    )  # fmt: skip
    assert done.stdout == "3\n", done.stderr

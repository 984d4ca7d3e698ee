"""Compiled functions need little stack: they may be called in threads that have no more."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from tests.support.compare import check

pytestmark = pytest.mark.needs_cc

# Functions that once had, or might have, an array on the stack for each of very many values.
PROGRAM = """
import sys, threading
import numpy as np
import symtheano.tensor as T
from symtheano import function

def transposed():
    xs = [T.zmatrix(f"x{k}") for k in range(60)]
    a = np.arange(40.0 * 50).reshape(40, 50) * 1j
    return function(xs, sum((x.T for x in xs[1:]), xs[0])), [a.T] + [a] * 59, 60 * a.T

def scalars():
    xs = [T.dscalar(f"x{k}") for k in range(400)]
    ys = [T.sqr(x) * 2 for x in xs]
    total = sum(ys)
    values = np.linspace(0, 1, 400)
    made = function(xs, sum(a * b for a, b in zip(ys, ys[::-1])) + total)
    squares = 2 * values**2
    return made, list(values), (squares * squares[::-1]).sum() + squares.sum()

def sums():
    x = T.zvector("x")
    made = function([x], T.stack([(x * (k + 0.5)).sum() for k in range(60)]))
    value = np.arange(9.0) + 1j
    return made, [value], value.sum() * (np.arange(60) + 0.5)

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
    outputs = [T.sort(x, axis=0), T.argsort(x.flatten()), T.nlinalg.det(x), T.fft.rfft(x)]
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
with config.change_flags(tiered=True):
    threading.stack_size(32 << 10)
    made = function([x], x - 2)
    made.wait()
    print(made(np.ones(2)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a stack is asked of Linux")
@pytest.mark.parametrize("way", ["dispatcher", "cffi"])
def test_a_stack_that_is_too_small_is_an_error(way: str) -> None:
    command = [sys.executable, "-W", "ignore", "-c", SMALL, way]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")

    def error(size: int, needed: int) -> str:
        return (
            f"this thread has a stack of {size} kB, and compiled code that it calls needs "
            f"{needed} kB"
        )

    needed = {"tanh": 64, "dot": 128, "det": 128, "made": 64}
    assert done.stdout.splitlines() == [
        *(
            f"{size} {name if size >= need else error(size, need)}"
            for size in (32, 64, 128, 256)
            for name, need in needed.items()
        ),
        "[-1. -1.]",
    ]


@pytest.mark.parametrize("count", [1, 4, 5, 16, 17, 32, 33, 64, 65])
def test_transposed_operands_of_any_number(count: int) -> None:
    xs = [T.matrix(f"x{k}") for k in range(count)]
    y = T.matrix("y")
    rng = np.random.default_rng(count)
    calls = [
        [*(rng.integers(-9, 9, (n, m)).astype("float64") for _ in xs), np.zeros((m, n))]
        for n, m in ((1, 1), (7, 9), (33, 20))
    ]
    check(
        [*xs, y],
        [sum((x.T for x in xs), y)],
        calls,
        lambda *values: [values[-1] + sum(value.T for value in values[:-1])],
        kind="tiles",
    )


def test_tiles_take_no_more_than_their_share_of_the_stack() -> None:
    for count, dtype in ((2, "int8"), (4, "float64"), (60, "complex128")):
        xs = [T.matrix(f"x{k}", dtype=dtype) for k in range(count)]
        made = function(xs, sum((x.T for x in xs[1:]), xs[0]))
        sizes = []
        for text in str(made.c_source).split("ST_KERNEL"):
            tiles = [line for line in text.splitlines() if "_Alignas(64)" in line]
            elements = [int(line.split("[")[1].split("]")[0]) for line in tiles]
            sizes.append(sum(elements) * np.dtype(dtype).itemsize)
        assert 0 < max(sizes) <= 1 << 15

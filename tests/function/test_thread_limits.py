"""How many threads of OpenMP calls start: limits of threads, of maps, and of threadpoolctl."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

pytestmark = [
    pytest.mark.needs_cc,
    pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc"),
]

# Prints how many threads of the process there are more after some calls than before.
PROGRAM = """
import os, sys, threading
import numpy as np
import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen.threads import threads_limited
from symtheano.function.stages import Stages

config.threads = 4
if sys.argv[1] == "cffi":
    Stages.dispatcher = None
x, y = T.fvector("x"), T.dmatrix("y")
f, product = function([x], T.tanh(x)), function([y], T.dot(y, y))
values, matrix = np.zeros(2_000_000, "float32"), np.ones((500, 500))
product.wait(), f.wait()

def in_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

def both():
    f(values), product(matrix)

def count():
    return len(os.listdir("/proc/self/task"))

before = count()
{body}
print(count() - before)
"""

BODIES = {
    "f(values)": "3",
    # The limit that is in force when a call begins, also after calls without one.
    "f(values)\nbefore = count()\nwith threads_limited(1):\n    both()": "0",
    "with threads_limited(1):\n    both()": "0",
    "with threads_limited(2):\n    f(values)": "1",
    "with threads_limited(2), threads_limited(3):\n    f(values)": "1",
    "with threads_limited(1):\n    f(values)\nf(values)": "3",
    "with threads_limited(100):\n    f(values)": "3",
}


def run(body: str, way: str = "dispatcher", default: int = 8) -> str:
    """Return what a program prints; ``default`` is OpenMP's limit where none is set."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM.replace("{body}", body), way],
        capture_output=True, text=True, timeout=100, check=False,
        env={**os.environ, "OMP_NUM_THREADS": str(default)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.split()[0]


@pytest.mark.parametrize("way", ["dispatcher", "cffi"])
@pytest.mark.parametrize("body", list(BODIES))
def test_limits_of_a_thread(way: str, body: str) -> None:
    assert run(body, way) == BODIES[body]


def test_limits_of_other_packages_are_respected() -> None:
    pytest.importorskip("threadpoolctl")
    body = "from threadpoolctl import threadpool_limits\nwith threadpool_limits(1):\n    both()"
    assert run(body) == "0"
    assert run(body.replace("limits(1)", "limits(2)").replace("both()", "f(values)")) == "1"


def test_more_threads_than_processors_are_no_limit() -> None:
    """OpenMP's own default is the number of processors, or OMP_NUM_THREADS."""
    assert run("f(values)", default=2) == "3"


def test_maps_divide_the_processors() -> None:
    """Each call of a map with as many workers as processors has one thread."""
    body = (
        "from symtheano.codegen import threads\n"
        "from symtheano.function.mapping import engines\n"
        "engines.usable_threads = lambda: 2\n"
        "most = []\n"
        "for rows, result in f.imap(values, chunk=500_000, workers={workers}):\n"
        "    most.append(count() - before)\n"
        "print(max(most))"
    )
    assert run(body.format(workers=2)) == "2"
    # One worker, whose calls have two threads.
    assert run(body.format(workers=1)) == "2"


def test_calls_at_the_same_time_divide_the_processors() -> None:
    """A call gets two of four threads while another one runs, and all of them when it is alone."""
    body = """
import time
from symtheano import scan
n = T.lscalar("n")
rows, _ = scan(T.sin, outputs_info=[T.ones((), "float64")], n_steps=n)
loop = function([n], rows[-1])
loop(2)
other = threading.Thread(target=loop, args=(10**12,), daemon=True)
other.start()
place = f"/proc/self/task/{other.native_id}/stat"
while other.is_alive() and sum(map(int, open(place).read().split()[13:15])) < 10:
    time.sleep(0.01)  # until it has computed for 0.1 s
before = count()
f(values)
print(count() - before, flush=True)
os._exit(0)
"""
    assert run(body) == "1"

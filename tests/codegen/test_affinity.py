"""The processors of a process that OpenMP binds, and which thread touches memory first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from symtheano.codegen import affinity

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes have no affinity")


def library(places: list[list[int]], bind: int = 1) -> Any:
    """Return what answers as OpenMP does."""

    def fill(place: int, numbers: Any) -> None:
        numbers[:] = places[place]

    return SimpleNamespace(
        omp_get_proc_bind=lambda: bind,
        omp_get_num_places=lambda: len(places),
        omp_get_place_num_procs=lambda place: len(places[place]),
        omp_get_place_proc_ids=fill,
    )


def test_places_are_those_of_64_processors() -> None:
    places = [[2 * k, 2 * k + 1] for k in range(32)]
    assert affinity._places_of(library(places)) == frozenset(range(64))
    assert affinity._places_of(library(places, bind=0)) == frozenset()
    assert affinity._places_of(library([])) == frozenset()


@pytest.mark.parametrize(
    ("own", "places", "all_of_them", "bound"),
    [
        ({3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}),  # a thread at its place
        ({0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}, {0, 1, 2, 3}),
        ({4, 5}, {0, 1}, {4, 5}, set()),  # the program has moved the thread
        ({0, 1, 2}, set(), {0, 1, 2}, set()),  # OpenMP binds no threads
    ],
)
def test_processors_of_a_process(
    monkeypatch: pytest.MonkeyPatch,
    own: set[int],
    places: set[int],
    all_of_them: set[int],
    bound: set[int],
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: own)
    monkeypatch.setattr(affinity, "_places", lambda: frozenset(places))
    assert affinity.processors() == all_of_them
    assert affinity.bound_processors() == bound


def test_a_thread_runs_where_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_PROC_BIND", "true")  # so that it is restored
    before = os.sched_getaffinity(0)
    try:
        affinity.run_unbound(())
        assert os.environ["OMP_PROC_BIND"] == "true"
        affinity.run_unbound({min(before)})
        assert os.environ["OMP_PROC_BIND"] == "false"
        assert os.sched_getaffinity(0) == {min(before)}
        affinity.run_on({1023})  # there is no such processor
        assert os.sched_getaffinity(0) == {min(before)}
    finally:
        os.sched_setaffinity(0, before)


BOUND = """
import ctypes, os
import numpy as np
import symtheano.tensor as T
from symtheano import as_op, function
from symtheano.codegen.threads import startable_threads, usable_threads

@as_op(itypes=[T.dvector], otypes=[T.lvector])
def own(x):
    return np.full(len(x), len(os.sched_getaffinity(0)))

if __name__ == "__main__":
    x, count = T.dvector("x"), len(os.sched_getaffinity(0))
    ctypes.CDLL("libgomp.so.1")  # binds the thread that loads it
    f = function([x], T.exp(x))
    f.wait()
    f(np.zeros(1_000_000))
    print(len(os.sched_getaffinity(0)) < count)
    print(usable_threads() == startable_threads(2)[3] == count)
    g = function([x], own(x))
    for engine in ("threads", "processes"):
        where = g.map(np.zeros(4), chunk=1, workers=2, engine=engine)
        print(set(where.tolist()) == {count})
"""


@pytest.mark.skipif(len(affinity.processors()) < 2, reason="this needs two processors")
@pytest.mark.parametrize("setting", ["OMP_PROC_BIND=true", "OMP_PLACES=threads"])
@pytest.mark.needs_cc
def test_threads_that_openmp_binds_do_not_limit_the_process(setting: str, tmp_path: Path) -> None:
    program = tmp_path / "bound.py"
    program.write_text(BOUND, encoding="utf-8")
    name, _, value = setting.partition("=")
    done = subprocess.run(
        [sys.executable, str(program)], env={**os.environ, name: value},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.stdout.split(), done.returncode) == (["True"] * 4, 0), done.stderr


# Each thread's page faults, with pages of the usual size and memory that no one has used.
TOUCHED = """
import ctypes, os, sys
ctypes.CDLL(None).prctl(41, 1, 0, 0, 0)  # PR_SET_THP_DISABLE
import numpy as np
import symtheano
import symtheano.tensor as T
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.runtime.blas import find_blas

symtheano.config.threads = 4
find_blas(None, find_toolchain(), Cache())  # waits for the kernels of products
x = T.dmatrix("x")
large, small = np.random.default_rng(0).random((1600, 1600)), np.ones((500, 500))
cases = {
    "loop": T.exp(x),
    "temporary": T.dot(T.exp(x), x),
    "product": T.dot(x, x),
    "reduction": T.exp(x).sum(axis=1)[:, None] + x,
    "transposed": x.T + 1,
    "copy": x[::-1].copy(),
    "rows": T.exp(x)[T.arange(x.shape[0])[::-1]],
    "zeros": T.zeros((x.shape[0], x.shape[1])),
    "joined": T.concatenate([x, T.exp(x)]),
    "sort": T.sort(x, axis=1),
    "softmax": T.nnet.softmax(x),
    "gradient": symtheano.grad(T.nnet.softmax(T.dot(T.tanh(x), x)).max(axis=1).sum(), x),
}

def faults():
    found = {}
    for thread in os.listdir("/proc/self/task"):
        with open(f"/proc/self/task/{thread}/stat") as file:
            found[int(thread)] = int(file.read().rpartition(")")[2].split()[7])
    return found

f = symtheano.function([x], cases[sys.argv[1]])
f.wait()
f(small)  # starts the threads
before = faults()
result = f(large)
after = faults()
print(after[os.getpid()] - before[os.getpid()], sum(after.values()) - sum(before.values()))
"""


@pytest.mark.parametrize(
    "case",
    ["loop", "temporary", "product", "reduction", "transposed", "copy", "rows", "zeros", "joined",
     "sort", "softmax", "gradient"],
)  # fmt: skip
@pytest.mark.needs_cc
def test_memory_is_first_touched_by_the_threads_that_compute_it(case: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", TOUCHED, case],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    caller, everyone = map(int, done.stdout.split())
    assert everyone >= 1600 * 1600 * 8 // os.sysconf("SC_PAGE_SIZE")
    assert caller <= 0.3 * everyone

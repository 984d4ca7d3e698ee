"""The engines: processes that find compiled code, executors, Dask, Ray."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function, shared
from symtheano.errors import MapError
from symtheano.function.mapping import engines
from symtheano.function.mapping.engines import ENGINES, Work, check_engine, open_pool

pytestmark = pytest.mark.needs_cc


def forbid_programs() -> None:
    """Let a process start no other one, such as a compiler."""

    def look(event: str, arguments: Any) -> None:
        if event in ("subprocess.Popen", "os.posix_spawn", "os.fork", "os.system"):
            raise RuntimeError(f"{event}{arguments[:2]}")

    sys.addaudithook(look)


def model() -> tuple[Any, Any, Any]:
    x, a = T.dmatrix("x"), T.dscalar("a")
    w = shared(np.arange(4.0), "w")
    f = function([x, a], [T.exp(a * T.tanh(T.dot(x, w))), T.sqr(x).sum()], name="model")
    f.wait()
    array = np.random.default_rng(3).normal(size=(100, 4))
    return f, array, f(array, -1.0)


def same(got: Any, wanted: Any) -> bool:
    return bool(np.array_equal(got[0], wanted[0])) and bool(np.allclose(got[1], wanted[1], 1e-12))


def test_processes_find_the_compiled_code() -> None:
    f, array, wanted = model()
    context = get_context("spawn")
    with ProcessPoolExecutor(2, context, forbid_programs) as executor:
        for _ in range(2):
            got = f.map([array, -1.0], chunk=30, engine=executor, reduce=[None, "sum"])
            assert same(got, wanted)


# A script as users write it; the cache is one that only the program names.
SCRIPT = """
import os, sys
import numpy as np
import symtheano.tensor as T
from symtheano import config, function
from symtheano.tensor.as_op import as_op
from symtheano.errors import MapError

config.cache_dir = sys.argv[1]

@as_op([T.dvector], [T.dvector])
def dies(x):
    if x[0] == 4 and not os.path.exists(sys.argv[2]):
        open(sys.argv[2], "w").close()
        os._exit(1)
    return x + os.getpid()

if {guard}:
    x = T.dvector("x")
    f = function([x], T.exp(x))
    rows = np.lib.format.open_memmap(sys.argv[2] + ".npy", "w+", "float64", (10,))
    rows[:] = np.arange(10)
    print(np.array_equal(f.map(rows, chunk=3, engine="processes", workers=2), f(rows)))
    g = function([x], dies(x) - x)
    found = g.map(rows, chunk=2, engine="processes", workers=2, retries=1)
    print(os.getpid() not in found, os.path.exists(sys.argv[2]), len(found))
"""


@pytest.mark.parametrize("guard", [True, False])
def test_scripts_with_processes(tmp_path: Path, guard: bool) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.format(guard="__name__ == '__main__'" if guard else "True"))
    cache = os.environ.get("SYMTHEANO_CACHE_DIR") or config.cache_dir
    variables = {k: v for k, v in os.environ.items() if k != "SYMTHEANO_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, str(script), cache, str(tmp_path / "died")],
        capture_output=True, text=True, check=False, timeout=100, cwd=Path(__file__).parents[3],
        env=variables | {"PYTHONPATH": str(Path(__file__).parents[3])},
    )  # fmt: skip
    if guard:
        assert done.stdout.split() == ["True", "True", "True", "10"], done.stderr
    else:
        assert done.returncode != 0
        assert 'if __name__ == "__main__"' in done.stderr.split("MapError")[-1]


# As in a notebook: the main program is no file.
NOTEBOOK = """
import numpy as np
import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.as_op import as_op

step = 5

@as_op([T.dvector], [T.dvector])
def add(x):
    return x + step

x = T.dvector("x")
f = function([x], add(x))
print(f.map(np.arange(4.0), chunk=3, workers=1, engine="processes").tolist())
"""


def test_python_ops_of_notebooks() -> None:
    pytest.importorskip("cloudpickle")
    done = subprocess.run(
        [sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.stdout.strip() == "[5.0, 6.0, 7.0, 8.0]", done.stderr


# Endless: each chunk takes a moment, and there are many.
INTERRUPTED = """
import multiprocessing, os, signal, sys, threading, time
import numpy as np
import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.as_op import as_op

@as_op([T.dvector], [T.dvector])
def slow(x):
    time.sleep(0.01)
    return x

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    x = T.dvector("x")
    f = function([x], slow(x))
    begun = []

    def progress(done, rows):
        # As Ctrl-C does: the signal is for all processes of the terminal.
        if not begun:
            begun.append(done)
            for child in multiprocessing.active_children():
                os.kill(child.pid, signal.SIGINT)
            os.kill(os.getpid(), signal.SIGINT)

    try:
        f.map(np.arange(1e6), chunk=1, engine=sys.argv[1], workers=2, progress=progress)
    except KeyboardInterrupt:
        left = [t.name for t in threading.enumerate() if t is not threading.main_thread()]
        print("ended", multiprocessing.active_children(), left)
"""


@pytest.mark.parametrize("engine", ["threads", "processes"])
def test_interrupts_from_the_keyboard(tmp_path: Path, engine: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    done = subprocess.run(
        [sys.executable, str(script), engine], capture_output=True, text=True, check=False,
        timeout=60, env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
    )  # fmt: skip
    assert done.stdout.split("\n")[0] == "ended [] []", done.stderr
    assert done.stderr == ""


def test_what_an_engine_is() -> None:
    for name in ENGINES:
        check_engine(name, "f")
    with pytest.raises(ValueError, match="did you mean processes"):
        check_engine("process", "f")


@pytest.mark.parametrize(("engine", "package"), [("dask", "distributed"), ("ray", "ray")])
def test_missing_packages(engine: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    x = T.dvector("x")
    f = function([x], x, mode="INTERPRET")
    with pytest.raises(ImportError, match=rf"(?s)needs {package}.*symtheano\[{engine}\]"):
        f.map(np.arange(3.0), engine=engine)


def test_threads_share_the_processors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engines, "usable_threads", lambda: 64)
    for workers, each in ((None, 1), (1, 64), (10, 6), (100, 1)):
        pool: Any = open_pool("threads", Work(None, {}, workers, "f"))
        assert (pool.workers, pool._threads) == (workers or 64, each)
        pool.close()


@pytest.mark.filterwarnings("ignore")
def test_dask() -> None:
    distributed = pytest.importorskip("distributed")
    f, array, wanted = model()
    with pytest.raises(ValueError, match=r"distributed\.Client"):
        f.map([array, -1.0], engine="dask", reduce=[None, "sum"])
    with (
        distributed.LocalCluster(
            n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        for engine in ("dask", client):
            got = f.map([array, -1.0], chunk=30, engine=engine, reduce=[None, "sum"])
            assert same(got, wanted)
        x, v = T.dvector("x"), T.lvector("v")
        g = function([x, v], x[v], name="chosen")
        with pytest.raises(MapError, match="rows 0 to 2") as raised:
            g.map([np.arange(4.0), np.full(4, 9)], chunk=2, engine="dask")
        assert isinstance(raised.value.__cause__, IndexError)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_ray() -> None:
    ray = pytest.importorskip("ray")
    f, array, wanted = model()
    try:
        got = f.map([array, -1.0], chunk=30, engine="ray", reduce=[None, "sum"])
        assert same(got, wanted)
    finally:
        ray.shutdown()

"""Compiled functions and estimators with joblib, scikit-learn and Dask, as these packages are."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, nn, shared

pytestmark = [pytest.mark.needs_cc, pytest.mark.filterwarnings("ignore")]

A = np.random.default_rng(2).normal(size=(40, 3))


def made() -> Any:
    x = T.dmatrix("x")
    w = shared(np.arange(3.0), "w")
    f = function([x], T.tanh(T.dot(x, w)), name="rows")
    f.wait()
    return f


@pytest.mark.parametrize("backend", ["loky", "threading", "sequential"])
def test_joblib(backend: str) -> None:
    joblib = pytest.importorskip("joblib")
    f = made()
    parallel = joblib.Parallel(n_jobs=2, backend=backend)
    got = parallel(joblib.delayed(f)(A[k : k + 10]) for k in range(0, 40, 10))
    np.testing.assert_allclose(np.concatenate(got), f(A), rtol=1e-14)


def test_an_executor_of_loky_is_an_engine() -> None:
    pytest.importorskip("joblib")
    from joblib.externals.loky import get_reusable_executor

    f = made()
    executor = get_reusable_executor(max_workers=2)
    np.testing.assert_allclose(f.map(A, chunk=9, engine=executor), f(A), rtol=1e-14)
    executor.shutdown()


OVERSUBSCRIBED = """
import joblib, os
import numpy as np
import symtheano.tensor as T
from symtheano import function

x = T.fvector("x")
f = function([x], T.tanh(x))
f.wait()

def threads(seed):
    # The threads that a call starts in a process of loky's.
    f(np.zeros(10, "float32"))
    before = len(os.listdir("/proc/self/task"))
    f(np.full(2_000_000, seed, "float32"))
    return len(os.listdir("/proc/self/task")) - before

print(max(joblib.Parallel(n_jobs={jobs})(joblib.delayed(threads)(k) for k in range(4))))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
def test_processes_of_joblib_use_no_more_threads_than_it_says() -> None:
    """It sets OMP_NUM_THREADS to the processors divided by the processes."""
    joblib = pytest.importorskip("joblib")
    done = subprocess.run(
        [sys.executable, "-c", OVERSUBSCRIBED.format(jobs=max(joblib.cpu_count(), 2))],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) == 0


OF_TORCH = """
import os, sys, time
import numpy as np
import torch
import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen.threads import allowed_threads

config.threads = 3
x = T.fmatrix("x")
f = function([x], T.tanh(x).sum(axis=1))

class Rows(torch.utils.data.Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, k):
        return f(np.full((3000, 500), k / 10, "float32"))[:2], allowed_threads(3)

if __name__ == "__main__":
    f.wait()
    torch.set_num_threads(3)
    torch.tanh(torch.ones(3_000_000))  # its pool of threads is there
    if sys.argv[1] == "os.fork":
        child = os.fork()
        if child == 0:
            assert abs(f(np.full((3000, 500), 0.1, "float32"))[0] - 500 * np.tanh(0.1)) < 0.01
            os._exit(allowed_threads(3))
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    else:
        batches = torch.utils.data.DataLoader(
            Rows(), batch_size=4, num_workers=2, multiprocessing_context=sys.argv[1], timeout=60
        )
        got = [(sums.numpy(), int(threads.max())) for sums, threads in batches]
        sums = np.concatenate([each for each, _ in got])
        np.testing.assert_allclose(sums[:, 0], 500 * np.tanh(np.arange(8) / 10), rtol=1e-5)
        print(max(threads for _, threads in got))
    # Here, calls go on with several.
    torch.tanh(torch.ones(3_000_000))
    f(np.full((3000, 500), 0.1, "float32"))
    print(allowed_threads(3))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="forks")
@pytest.mark.parametrize("method", ["os.fork", "fork", "spawn", "forkserver"])
def test_processes_of_torch(method: str, tmp_path: Path) -> None:
    """Workers of a DataLoader have one thread, and a fork does not wait for torch's threads."""
    pytest.importorskip("torch")
    program = tmp_path / "program.py"
    program.write_text(OF_TORCH, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-W", "ignore", str(program), method],
        capture_output=True, text=True, timeout=100, check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "3"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_searches_of_scikit_learn(jobs: int) -> None:
    selection = pytest.importorskip("sklearn.model_selection")
    y = (A[:, 0] > 0).astype(int)
    search = selection.GridSearchCV(
        nn.Classifier((4,), epochs=2, random_state=0), {"learning_rate": [0.01, 0.1]},
        cv=2, n_jobs=jobs, error_score="raise",
    )  # fmt: skip
    search.fit(A.astype("float32"), y)
    assert set(search.predict(A.astype("float32"))) <= {0, 1}
    assert len(search.cv_results_["mean_test_score"]) == 2


@pytest.mark.parametrize("scheduler", ["threads", "synchronous", "processes"])
def test_dask_arrays(scheduler: str) -> None:
    dask = pytest.importorskip("dask")
    da = pytest.importorskip("dask.array")
    f = made()
    array = da.from_array(A, chunks=(11, 3))
    with dask.config.set(scheduler=scheduler):
        mapped = da.map_blocks(f, array, dtype="float64", drop_axis=1).compute()
        delayed = dask.delayed(f)(A).compute()
    np.testing.assert_allclose(mapped, f(A), rtol=1e-14)
    np.testing.assert_allclose(delayed, f(A), rtol=1e-14)


def test_sources_of_other_packages() -> None:
    da = pytest.importorskip("dask.array")
    zarr = pytest.importorskip("zarr")
    f = made()
    stored = zarr.array(A, chunks=(7, 3))
    out = zarr.zeros(40, chunks=7, dtype="float64")
    assert f.map(stored, chunk=9, out=out) is out
    np.testing.assert_allclose(out[:], f(A), rtol=1e-14)
    np.testing.assert_allclose(f.map(da.from_array(A, chunks=(7, 3))), f(A), rtol=1e-14)

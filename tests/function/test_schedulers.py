"""Compiled functions and estimators with joblib, scikit-learn and Dask, as these packages are."""

from __future__ import annotations

import subprocess
import sys
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


@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
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

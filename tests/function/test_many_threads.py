"""More threads than processors, as on a machine with 64: the same bits, and no call that waits."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, shared
from symtheano.function.mapping import engines, run

pytestmark = pytest.mark.needs_cc

PROGRAM = """
import hashlib, os, sys, threading
import numpy as np
import symtheano.tensor as T
from symtheano import config, function, scan

config.threads = int(sys.argv[1])
x, y, i = T.dmatrix("x"), T.fmatrix("y"), T.lvector("i")
carried, _ = scan(lambda row, s: T.tanh(s + row), sequences=[x[:20]], outputs_info=[x[0]])
f = function([x, y, i], [
    T.tanh(x) * 2, x.sum(), x.mean(axis=0), x.argmax(axis=1), T.nnet.softmax(x),
    T.dot(x[:2000].T, x[:2000]), T.dot(y, y.T), T.sort(x, axis=1), T.extra_ops.cumsum(x, axis=0),
    carried[-1],
    T.inc_subtensor(x[i], 1.0), T.max(T.abs(y)), x[i].sum(axis=1), T.nlinalg.matrix_inverse(
        T.dot(x[:100].T, x[:100]) + T.eye(x.shape[1])),
])
f.wait()
# Larger products may be divided among the threads of a library, whose bits are its own.
numbers = np.random.default_rng(0)
digest = hashlib.sha256()
# Fewer rows than threads, a number of rows that 64 does not divide, and none.
for rows in (30_001, 5, 64, 0) if sys.argv[2] == "all" else (30_001,):
    x_value = numbers.normal(size=(max(rows, 25), 40))
    arguments = x_value, numbers.normal(size=(rows // 200, 70)).astype("float32")
    index = numbers.integers(0, len(x_value), rows // 2)
    if not arguments[1].size:
        arguments = x_value, np.ones((1, 70), "float32")
    for _ in range(2):
        for value in f(*arguments, index):
            digest.update(np.ascontiguousarray(value).tobytes())
before = len(os.listdir("/proc/self/task"))
print(digest.hexdigest(), before - threading.active_count())
"""


def results(threads: int, which: str = "all") -> tuple[str, int]:
    """Return the digest of all results, and the number of threads of libraries."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM, str(threads), which],
        capture_output=True, text=True, timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    digest, natives = done.stdout.split()
    return digest, int(natives)


@pytest.mark.skipif(sys.platform != "linux", reason="counts threads in /proc")
def test_64_threads_compute_the_same_bits() -> None:
    one, alone = results(1)
    many, started = results(64)
    assert one == many
    assert started - alone == 63, "the threads were there"


def test_a_map_with_64_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each worker gets four chunks or more, and sums have the same bits for the same chunks."""
    for module in (engines, run):
        monkeypatch.setattr(module, "usable_threads", lambda: 64)
    x, w = T.dmatrix("x"), shared(np.arange(3.0), "w")
    rows = np.random.default_rng(1).normal(size=(100_003, 3))
    f = function([x], [T.tanh(T.dot(x, w)), T.dot(x.T, x)])
    places = [place for place, _ in f.imap(rows)]
    assert len(places) >= 64 * 4
    assert places[0].start == 0
    assert [p.stop for p in places[:-1]] == [p.start for p in places[1:]]
    assert places[-1].stop == len(rows)
    chunk = places[0].stop
    losses, total = f.map(rows, reduce=[None, "sum"])
    one, same = f.map(rows, reduce=[None, "sum"], workers=1, chunk=chunk)
    np.testing.assert_array_equal(losses, one)
    np.testing.assert_array_equal(total, same)
    np.testing.assert_allclose(total, rows.T @ rows, rtol=1e-12)

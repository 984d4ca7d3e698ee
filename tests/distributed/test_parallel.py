"""Data parallel functions: as one process with the whole batch, the same bits from run to run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import distributed, function, grad, shared
from tests.support.ranks import results_of, run_ranks

pytestmark = [pytest.mark.needs_mpi, pytest.mark.needs_cc]

PROGRAM = """
def network(kind="float64"):
    numbers = np.random.default_rng(0)
    shapes = [(6, 8), (8,), (8, 8), (8,), (8, 3), (3,)]
    # Rank 0's values count.
    ws = [shared((numbers.normal(size=s) * (1 + rank)).astype(kind), f"w{k}")
          for k, s in enumerate(shapes)]
    x, y = T.matrix("x", dtype=kind), T.ivector("y")
    h = x
    for w, b in zip(ws[::2], ws[1::2]):
        a = T.dot(h, w) + b
        h = T.tanh(a)
    cost = T.nnet.categorical_crossentropy(T.nnet.softmax(a), y).mean()
    cost = cost + np.asarray(0.01, kind) * T.sqr(ws[2]).sum()
    return ws, x, y, cost

def updates_of(ws, cost):
    gs = grad(cost, ws)
    norm = T.sqrt(sum(T.sqr(g).sum() for g in gs))
    pairs = [(w, w - (0.1 * g / T.maximum(norm, 1.0)).astype(w.dtype)) for w, g in zip(ws, gs)]
    return pairs, norm

def train(kind="float64", steps=4, cuts=None, mode=None, device=None, **options):
    ws, x, y, cost = network(kind)
    calls = shared(0, "calls")
    pairs, norm = updates_of(ws, cost)
    how = distributed.DataParallel(**options) if cuts else None
    f = function([x, y], [cost, norm, x.sum()], updates=[*pairs, (calls, calls + 1)],
                 distribute=how, mode=mode, device=device)
    numbers = np.random.default_rng(1)
    for step in range(steps):
        xs = numbers.normal(size=(31, 6)).astype(kind)
        ys = numbers.integers(0, 3, 31).astype("int32")
        begin, end = (cuts[rank], cuts[rank + 1]) if cuts else (0, 31)
        out = f(xs[begin:end], ys[begin:end])
    return [w.get_value() for w in ws], [float(v) for v in out], int(calls.get_value()), f
"""

SAME = (
    PROGRAM
    + """
cuts = {2: [0, 11, 31], 3: [0, 11, 11, 31]}[count]
result["alone"] = train()[:3] if rank == 0 else None
for name, options in {"one bucket": {}, "buckets": {"bucket_bytes": 300},
                      "blocking": {"bucket_bytes": 300, "overlap": False}}.items():
    *values, f = train(cuts=cuts, **options)
    result[name] = values
    text = f.c_source
    result[name, "starts"] = text.count("st_bucket_start(runtime")
result["float32"] = train("float32", cuts=cuts)[:3]
"""
)


@pytest.mark.parametrize("count", [2, 3])
def test_it_is_as_one_process_with_the_whole_batch(tmp_path: Path, count: int) -> None:
    results = results_of(tmp_path, count, SAME)
    again = results_of(tmp_path, count, SAME)
    alone, outputs, calls = results[0]["alone"]
    for result in results:
        for name in ("one bucket", "buckets", "blocking", "float32"):
            weights, (cost, norm, _), own_calls = result[name]
            rtol = 1e-4 if name == "float32" else 1e-12
            for mine, other in zip(weights, alone, strict=True):
                np.testing.assert_allclose(mine, other, rtol=rtol, atol=rtol)
            np.testing.assert_allclose((cost, norm), outputs[:2], rtol=rtol)
            assert own_calls == calls == 4
        assert result["one bucket", "starts"] == 1
        assert result["buckets", "starts"] == result["blocking", "starts"] > 2
        # All ranks have the same bits, and so has another run.
        for name in ("one bucket", "buckets", "blocking", "float32"):
            for other in (results[0][name][0], again[0][name][0]):
                for mine, its in zip(result[name][0], other, strict=True):
                    assert mine.tobytes() == its.tobytes()
    assert results[0]["buckets"][1][2] != results[1]["buckets"][1][2], "x.sum() is of a rank"


FIRST_RUN = (
    PROGRAM
    + """
result["weights"] = train(cuts=[0, 11, 31])[0]
"""
)


def test_the_first_run_has_the_bits_of_later_ones(tmp_path: Path) -> None:
    """It waits for kernels of products that are not in the cache yet."""
    (folder := tmp_path / "cache").mkdir()
    first, second = (
        results_of(tmp_path, 2, FIRST_RUN, SYMTHEANO_CACHE_DIR=str(folder))[0]["weights"]
        for _ in range(2)
    )
    for mine, its in zip(first, second, strict=True):
        assert mine.tobytes() == its.tobytes()


STARTS = (
    PROGRAM
    + """
ws, x, y, cost = network()
pairs, norm = updates_of(ws, cost)
f = function([x, y], cost, updates=pairs, distribute=distributed.DataParallel(bucket_bytes=300))
result["lines"] = [line for line in f.c_source.splitlines()
                   if "(runtime, &" in line and not line.startswith(("static", "ST_"))]
"""
)


def test_buckets_start_while_gradients_are_computed(tmp_path: Path) -> None:
    lines = results_of(tmp_path, 2, STARTS)[0]["lines"]
    kinds = [
        next((kind for kind in ("start", "take", "gemm") if kind in line), "") for line in lines
    ]
    assert kinds.index("start") < len(kinds) - 1 - kinds[::-1].index("gemm")
    assert "gemm" in kinds[kinds.index("start") : len(kinds) - 1 - kinds[::-1].index("start")]
    assert "gemm" not in kinds[kinds.index("take") :]


VARIANTS = (
    PROGRAM
    + """
result["interpreter"] = train(cuts=[0, 11, 31], mode="INTERPRET", bucket_bytes=300)[:2]
result["device"] = train(cuts=[0, 11, 31], device="emulated", bucket_bytes=300)[:2]
result["c"] = train(cuts=[0, 11, 31], bucket_bytes=300)[:2]

# The gradient of one variable is an intermediate value of that of another one.
x = T.dmatrix("x")
u, v, c = shared(np.full((3, 2), 0.5), "u"), shared(np.full(2, 0.25), "v"), shared(np.zeros(2), "c")
z = T.dot(x, u) * v + c
cost = T.sqr(z).mean(axis=0).sum()
gs = grad(cost, [u, v, c])
out = {}
for name, how in (("alone", None), ("both", "mpi")):
    for w, value in ((u, 0.5), (v, 0.25), (c, 0.0)):
        w.set_value(np.full(w.get_value().shape, value))
    f = function([x], [cost, *gs], updates=[(w, w - 0.1 * g) for w, g in zip([u, v, c], gs)],
                 distribute=how)
    data = np.random.default_rng(2).normal(size=(7, 3))
    out[name] = f(data if how is None else [data[:2], data[2:]][rank])
result["shared parts"] = out

# Half precision is reduced in single precision; a weight instead of a length; sums.
h = shared(np.ones(3, "float16"), "h")
cost = (T.cast(h, "float32") * T.cast(x[0, 0], "float32")).sum()
f = function([x], [], updates={h: T.cast(grad(cost, h), "float16")}, distribute="mpi")
f(np.full((1, 3), 1.0 + rank))
result["float16"] = h.get_value()
w, weight = shared(np.zeros(2), "w"), T.dscalar("weight")
cost = (w * x[0, :2]).sum()
how = distributed.DataParallel(weight)
f = function([x, weight], cost, updates={w: grad(cost, w)}, distribute=how)
f([[1.0 + rank, 2.0, 0.0]], 1.0 if rank else 3.0)
result["weight"] = w.get_value()
how = distributed.DataParallel(reduction="sum")
f = function([x, weight], cost, updates={w: grad(cost, w)}, distribute=how,
             on_unused_input="ignore")
f([[1.0 + rank, 2.0, 0.0]], 1.0)
result["sum"] = w.get_value()
# A rank without samples, and none with any.
cost = T.sqr(T.dot(x[:, :2], w) - 1).mean()
f = function([x], cost, updates={w: w - 0.1 * grad(cost, w)}, distribute="mpi")
w.set_value(np.zeros(2))
result["empty"] = float(f(np.ones((2 * rank, 3)))), w.get_value()
result["nobody"] = float(f(np.ones((0, 3)))), w.get_value()
how = distributed.DataParallel(x.shape[0], reduction="sum")
f = function([x], cost, updates={w: w - 0.1 * grad(cost, w)}, distribute=how)
w.set_value(np.zeros(2))
result["sum of an empty one"] = float(f(np.ones((2 * rank, 3)))), w.get_value()
"""
)


def test_variants(tmp_path: Path) -> None:
    for rank, result in enumerate(results_of(tmp_path, 2, VARIANTS)):
        for kind in ("interpreter", "device"):
            for mine, other in zip(result[kind][0], result["c"][0], strict=True):
                np.testing.assert_allclose(mine, other, rtol=1e-12, err_msg=kind)
            np.testing.assert_allclose(
                result[kind][1][:2], result["c"][1][:2], rtol=1e-12, err_msg=f"{kind} {rank}"
            )
        for mine, other in zip(*result["shared parts"].values(), strict=True):
            np.testing.assert_allclose(mine, other, rtol=1e-12)
        assert result["float16"].tolist() == [1.5] * 3
        assert result["float16"].dtype == "float16"
        assert result["weight"].tolist() == [1.25, 2.0]
        assert result["sum"].tolist() == [3.0, 4.0]
        assert result["empty"][0] == 1.0
        assert result["empty"][1].tolist() == [0.2, 0.2]
        assert result["sum of an empty one"][0] == 1.0
        assert result["sum of an empty one"][1].tolist() == [0.2, 0.2]
        assert result["nobody"][0] == 0.0
        assert result["nobody"][1].tolist() == [0.2, 0.2]


THREADS = """
import os
x, w = T.dmatrix("x"), shared(np.zeros(3), "w")
cost = T.sqr(T.dot(x, w) - 1).mean()
updates = {w: w - 0.1 * grad(cost, w)}
f = function([x], cost, updates=updates, distribute="mpi")
with symtheano.config.change_flags(threads=3):
    g = function([x], cost, updates=updates, distribute="mpi")
result["threads"] = f._threads(), g._threads(), len(os.sched_getaffinity(0)), world.sharing
"""


def test_ranks_divide_the_processors_that_they_share(tmp_path: Path) -> None:
    for result in results_of(tmp_path, 2, THREADS, OMP_NUM_THREADS=""):
        divided, chosen, processors, sharing = result["threads"]
        assert 1 <= divided <= max(1, processors // sharing)
        assert (chosen, sharing in (1, 2)) == (3, True)


DIFFERENT = """
x = T.dmatrix("x")
def attempt(name, w, factor=1.0):
    cost = T.sqr(T.dot(x, w)).mean() * factor
    f = function([x], cost, updates={w: w - grad(cost, w)}, distribute="mpi", name="step")
    try:
        f(np.ones((1, w.get_value().shape[0])))
    except distributed.DistributedError as error:
        result[name] = str(error)

attempt("shape", shared(np.ones(3 + rank), "w"))
attempt("code", shared(np.ones(3), "w"), 1.0 + rank)
attempt("same", shared(np.ones(3), "w"))

# Shapes that differ in a later call, which other ranks do not know of.
for mode in (None, "INTERPRET"):
    for reduction in ("mean", "sum"):
        u, v = shared(np.ones((3, 1)), "u"), shared(np.ones(2), "v")
        cost = T.sqr(u).sum() * x.mean() + v.sum()
        f = function([x], cost, updates={w: w - grad(cost, w) for w in (u, v)}, mode=mode,
                     distribute=distributed.DataParallel(reduction=reduction, bucket_bytes=1))
        f(np.ones((1, 1)))
        u.set_value(np.ones((3, 1) if rank else (1, 3)))
        try:
            f(np.ones((1, 1)))
        except distributed.DistributedError as error:
            result["later", mode, reduction] = str(error), u.get_value().shape
        u.set_value(np.ones((4, 1)))
        f(np.ones((1, 1)))
        result["after", mode, reduction] = u.get_value()
"""


def test_ranks_with_other_code_or_another_shape(tmp_path: Path) -> None:
    for rank, result in enumerate(results_of(tmp_path, 2, DIFFERENT)):
        assert "function step: rank 1 of 2 and rank 0 differ" in result["shape"]
        assert "w has float64 (3,) on rank 0, w has float64 (4,) on rank 1" in result["shape"]
        assert "the graphs differ: ranks run different code" in result["code"]
        assert "same" not in result
        for mode in (None, "INTERPRET"):
            for reduction in ("mean", "sum"):
                message, shape = result["later", mode, reduction]
                assert "(1, 3)" in message
                assert "(3, 1)" in message
                assert shape == ((3, 1) if rank else (1, 3)), "nothing has changed"
                slope = 2.0 if reduction == "mean" else 4.0
                assert result["after", mode, reduction].tolist() == [[1.0 - slope]] * 4
            assert (
                "u has the shape (1, 3); rank 1: u has the shape (3, 1)"
                in (result["later", None, reduction][0])
            )
            assert "v has" not in result["later", None, reduction][0]


INTERRUPTED = """
# A call that ends between the start and the end of a reduction, and calls after it.
import numpy as np
class Refuse(symtheano.Op):
    itypes, otypes = [T.dvector], [T.dvector]
    def perform(self, node, inputs, cells):
        if inputs[0][0] > 90:
            raise ValueError("refused")
        cells[0][0] = inputs[0] * 1.0
    def infer_shape(self, node, shapes):
        return shapes
x = T.dmatrix("x")
w, v = shared(np.zeros(3), "w"), shared(np.zeros(3), "v")
cost = T.dot(x, w + v).mean()
gs = grad(cost, [w, v])
f = function([x], cost, updates=[(w, gs[0]), (v, Refuse()(gs[1]))], distribute="mpi")
for value in (1.0, 99.0, 2.0):
    try:
        f(np.full((2, 3), value + rank))
    except ValueError as error:
        result[value] = str(error)
    else:
        result[value] = w.get_value().tolist(), v.get_value().tolist()
result["w"] = w.get_value()
"""


def test_a_call_that_ends_early_leaves_nothing_behind(tmp_path: Path) -> None:
    for result in results_of(tmp_path, 2, INTERRUPTED):
        assert result[1.0] == ([1.5] * 3, [1.5] * 3)
        assert "refused" in result[99.0]
        assert result[2.0] == ([2.5] * 3, [2.5] * 3)


# -- one process --------------------------------------------------------------------------------


def step(**options: Any) -> Any:
    x, w = T.dmatrix("x"), shared(np.zeros(3), "w")
    cost = T.sqr(T.dot(x, w) - 1).mean()
    return function([x], cost, updates={w: w - 0.1 * grad(cost, w)}, **options), w


def test_alone_it_is_as_without() -> None:
    (plain, w), (spread, v) = step(), step(distribute="mpi")
    for _ in range(2):
        assert plain(np.eye(3)) == spread(np.eye(3))
        np.testing.assert_array_equal(w.get_value(), v.get_value())
    assert "distribut" not in repr(spread)
    copied = spread.copy()
    np.testing.assert_allclose(copied(np.eye(3)), plain(np.eye(3)))


def test_what_can_not_be_distributed() -> None:
    x, w = T.dmatrix("x"), shared(np.zeros(3), "w")
    with pytest.raises(ValueError, match="no update has one that grad has made"):
        function([x], x.sum(), updates={w: w + x.sum()}, distribute="mpi")
    total, cost = shared(0.0, "total"), T.sqr(T.dot(x, w)).mean()
    updates = [(w, w - grad(cost, w)), (total, total + x.sum())]
    with pytest.raises(ValueError, match="the update of total depends on x, the batch of one rank"):
        function([x], cost, updates=updates, distribute="mpi")
    local = distributed.DataParallel(local=[total])
    function([x], cost, updates=updates, distribute=local)(np.ones((2, 3)))
    assert total.get_value() == 6.0
    updates[1] = (total, total + distributed.allreduce(x.sum()) + cost)
    function([x], cost, updates=updates, distribute="mpi")(np.ones((2, 3)))
    assert total.get_value() == 12.0
    cost = T.sqr(w).mean()
    with pytest.raises(ValueError, match="no input has axes"):
        function([], cost, updates={w: w - grad(cost, w)}, distribute="mpi")
    with pytest.raises(ValueError, match=r"distribute='gloo' is not one of 'mpi'"):
        step(distribute="gloo")
    with pytest.raises(ValueError, match="reduction='max'"):
        distributed.DataParallel(reduction="max")
    with pytest.raises(ValueError, match="bucket_bytes=0"):
        distributed.DataParallel(bucket_bytes=0)
    with pytest.raises(TypeError, match="length is a real number"):
        step(distribute=distributed.DataParallel(T.dvector("n")))


FAULTS = """
x, w = T.dmatrix("x"), shared(np.zeros(3), "w")
cost = T.sqr(T.dot(x, w) - 1).mean()
f = function([x], cost, updates={w: w - 0.1 * grad(cost, w)}, distribute="mpi")
for number in range(10):
    if rank == 1 and number == 5:
        FAULT
    f(np.ones((2, 3)))
"""


def test_a_slow_rank_is_waited_for(tmp_path: Path) -> None:
    body = FAULTS.replace("FAULT", "import time; time.sleep(2.5)") + "result['w'] = w.get_value()\n"
    first, second = results_of(tmp_path, 2, body, SYMTHEANO_FLAGS="mpi_timeout=30")
    np.testing.assert_array_equal(first["w"], second["w"])


@pytest.mark.parametrize(
    ("fault", "message"),
    [
        ("raise KeyError('lost')", "KeyError: 'lost'\nsymtheano: this was rank 1 of 2; all"),
        ("import time; time.sleep(600)", "missing: rank 1 of 2 (config.mpi_timeout = 2)"),
    ],
    ids=["raises", "hangs"],
)
def test_a_rank_that_fails_ends_all(tmp_path: Path, fault: str, message: str) -> None:
    body = FAULTS.replace("FAULT", fault)
    ended = run_ranks(tmp_path, 2, body, limit=60, SYMTHEANO_FLAGS="mpi_timeout=2")
    assert ended.status != 0
    assert ended.results == [None, None]
    assert message in ended.output
    assert ended.output.count("symtheano: ") == 1, "one message"


@pytest.mark.parametrize(
    ("fault", "line"),
    [("sys.exit(0)", r" \(at \S+program.py:\d+\)"), ("raise SystemExit(4)", "")],
    ids=["sys.exit", "SystemExit"],
)
def test_a_rank_that_leaves_ends_those_that_wait_for_it(
    tmp_path: Path, fault: str, line: str
) -> None:
    body = FAULTS.replace("FAULT", fault)
    ended = run_ranks(tmp_path, 2, body, limit=60, SYMTHEANO_FLAGS="mpi_timeout=0")
    assert ended.status != 0
    assert ended.results == [None, None]
    message = rf"symtheano: rank 1{line} of 2 has left the program, for which rank 0 waits at \S+"
    assert re.search(message, ended.output), ended.output
    assert ended.output.count("symtheano: ") == 1, "one message"


LEAVES = """
import time
x = T.dvector("x")
f = function([x], distributed.broadcast(x))
values = np.ones(1 << 20)  # longer than what MPI sends before the other rank asks for it
f(values)
result["values"] = None
if rank == 2:
    time.sleep(4)  # the first rank waits for this one, and the second has all and leaves
result["values"] = f(values + 1 - rank)[::100_000]
if rank == 0:
    time.sleep(4)
with open(f"{sys.argv[1]}/{rank}.pickle", "wb") as file:
    pickle.dump(result, file)
sys.exit(0)
"""


@pytest.mark.slow
def test_a_rank_may_leave_when_its_part_is_done(tmp_path: Path) -> None:
    for result in results_of(tmp_path, 3, LEAVES):
        np.testing.assert_array_equal(result["values"], np.full(11, 2.0))


FORKED = """
import os
if rank == 1:
    child = os.fork()
    if not child:
        import atexit
        atexit._run_exitfuncs()
        os._exit(7)
    result["status"] = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
import time; time.sleep(3 * rank)
x = T.dvector("x")
result["sum"] = function([x], distributed.allreduce(x))([1.0])
"""


def test_the_end_of_a_forked_child_is_not_that_of_a_rank(tmp_path: Path) -> None:
    results = results_of(tmp_path, 2, FORKED)
    assert results[1]["status"] == 7
    assert [result["sum"].tolist() for result in results] == [[2.0], [2.0]]


# Hydra sees the end of a rank by files that are closed then: here, another process has them.
UNSEEN = """
        import os, time
        if os.fork():
            os._exit(3)
        time.sleep(4)
        os._exit(0)
"""


@pytest.mark.parametrize("fault", ["import os; os._exit(3)", UNSEEN], ids=["seen", "unseen"])
def test_a_rank_that_dies_ends_all(tmp_path: Path, fault: str) -> None:
    """The launcher or another rank sees it, whichever is first, and not the time limit."""
    body = FAULTS.replace("FAULT", fault)
    ended = run_ranks(tmp_path, 2, body, limit=60, SYMTHEANO_FLAGS="mpi_timeout=1")
    assert ended.status != 0
    assert ended.results == [None, None]
    messages = [line for line in ended.output.splitlines() if "symtheano: " in line]
    assert len(messages) <= 1
    assert all("of 2 has ended, for which rank 0 waits at " in line for line in messages)
    hydra = "prterun" not in ended.output
    assert messages or fault != UNSEEN or not hydra, "Hydra does not see it"

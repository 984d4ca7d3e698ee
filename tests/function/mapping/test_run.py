"""Maps against calls with the whole arrays: results, chunks, errors."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, Mode, Out, function, grad, scan, shared, sparse, until
from symtheano.errors import MapError, ShapeError
from symtheano.function.mapping.run import Plan
from symtheano.tensor.as_op import FromFunctionOp, as_op
from symtheano.tensor.shared_randomstreams import RandomStreams

WAYS = ("c", "interpret")
RNG = np.random.default_rng(5)


class Watched:
    """Numbers of rows, which remember which were read."""

    dtype = np.dtype("float64")

    def __init__(self, shape: tuple[int, ...] = (1000,)) -> None:
        self.shape = shape
        self.read: list[int] = []

    def __getitem__(self, key: Any) -> Any:
        self.read.append(key[0].start)
        numbers = np.arange(key[0].start, key[0].stop, dtype="float64")
        return np.broadcast_to(numbers, (*self.shape[1:], len(numbers))).T


def made(inputs: Any, outputs: Any, way: str = "interpret", **options: Any) -> Any:
    return function(inputs, outputs, mode=Mode(way), **options)


@pytest.mark.needs_cc
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("chunk", [1, 3, 7, 20, 100, None])
def test_rows_are_those_of_one_call(way: str, chunk: int | None) -> None:
    x, v, a = T.dmatrix("x"), T.lvector("v"), T.dscalar("a")
    w = shared(np.arange(3.0), "w")
    f = made([x, v, a], [T.exp(a * T.dot(x, w)) + v, x * v[:, None], T.sqr(x).sum()], way)
    numbers, integers = RNG.normal(size=(20, 3)), np.arange(20)
    got = f.map([numbers, integers, 0.5], chunk=chunk, reduce=[None, None, "sum"], workers=2)
    wanted = f(numbers, integers, 0.5)
    assert [one.dtype for one in got] == [one.dtype for one in wanted]
    for one, other in zip(got, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-13)


@pytest.mark.parametrize("dtype", ["bool", "int8", "uint64", "float16", "float32", "complex64"])
@pytest.mark.parametrize("view", ["plain", "reversed", "strided", "transposed"])
def test_any_dtype_and_layout(dtype: str, view: str) -> None:
    x = T.TensorType(dtype, (None, None))("x")
    f = made([x], [x, x.T[0]])
    base = np.arange(22 * 8).reshape(22, 8).astype(dtype)
    array = {
        "plain": base[:11, :4], "reversed": base[10::-1, 3::-1], "strided": base[::2, ::2],
        "transposed": np.ascontiguousarray(base[:11, :4].T).T,
    }[view]  # fmt: skip
    rows, columns = f.map(array, chunk=4)
    assert rows.dtype == columns.dtype == dtype
    np.testing.assert_array_equal(rows, array)
    np.testing.assert_array_equal(columns, array[:, 0])


def test_special_values_stay() -> None:
    x = T.dvector("x")
    values = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 5e-324, 1.7e308])
    got = made([x], -x).map(values, chunk=2)
    assert got.tobytes() == (-values).tobytes()


def test_another_axis() -> None:
    x, y = T.dtensor3("x"), T.dmatrix("y")
    f = made([x, y], [x.sum(axis=0) + y.T, x])
    a, b = RNG.normal(size=(2, 7, 3)), RNG.normal(size=(3, 7))
    with pytest.raises(ShapeError, match="output 0 has not as many elements along axis 1"):
        f.map([a, b], axis=1, chunk=3)
    g = made([x, y], [x.sum(axis=0).T + y, x])
    got = g.map([a, b], axis=1, chunk=3)
    for one, other in zip(got, g(a, b), strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("rows", [0, 1])
def test_few_rows(rows: int) -> None:
    x = T.fmatrix("x")
    f = made([x], {"y": x * 2, "total": x.sum()})
    got = f.map(np.ones((rows, 3), "float32"), reduce={"y": None, "total": "sum"})
    assert got["y"].shape == (rows, 3)
    assert got["y"].dtype == "float32"
    assert got["total"] == 3 * rows


def test_the_form_of_results() -> None:
    x = T.dvector("x")
    values = np.arange(4.0)
    assert isinstance(made([x], x).map(values), np.ndarray)
    assert [len(one) for one in made([x], [x]).map(values)] == [4]
    assert sorted(made([x], {"b": x, "a": Out(x + 1)}).map(values)) == ["a", "b"]


def test_values_by_name_variable_and_default() -> None:
    x, y, z = T.dvector("x"), T.dvector("y"), T.dvector("z")
    f = made([x, In(y, value=np.ones(1)), z], x * z + y.sum())
    a = np.arange(5.0)
    np.testing.assert_array_equal(f.map({"z": a, x: a}, chunk=2), a * a + 1)
    got = f.map({"z": a, "x": a, y: np.arange(3.0)}, whole=y, chunk=2)
    np.testing.assert_array_equal(got, a * a + 3)
    got = f.map([a, [1.0, 2.0], a.tolist()], whole=["y"], chunk=2)
    np.testing.assert_array_equal(got, a * a + 3)


# -- reductions ------------------------------------------------------------------------------------


@pytest.mark.needs_cc
def test_gradients_are_added_without_collecting() -> None:
    x, y = T.dmatrix("x"), T.dvector("y")
    w = shared(RNG.normal(size=3), "w")
    loss = T.nnet.softplus(-y * T.dot(x, w))
    means = made([x, y], [loss.mean(), grad(loss.mean(), w)], "c")
    sums = made([x, y], [loss.sum(), grad(loss.sum(), w)], "c")
    a, b = RNG.normal(size=(101, 3)), RNG.choice([-1.0, 1.0], 101)
    for f, how in ((means, "mean"), (sums, "sum")):
        for got, wanted in zip(f.map([a, b], chunk=10, reduce=how), f(a, b), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=1e-12)
    step, numeric = 1e-6, []
    start = w.get_value()
    for k in range(3):
        sides = []
        for sign in (1, -1):
            w.set_value(start + sign * step * np.eye(3)[k])
            sides.append(means.map([a, b], chunk=7, reduce="mean")[0])
        numeric.append((sides[0] - sides[1]) / (2 * step))
    w.set_value(start)
    np.testing.assert_allclose(means.map([a, b], chunk=7, reduce="mean")[1], numeric, atol=1e-8)


def test_sums_have_the_order_of_the_rows_for_any_number_of_workers() -> None:
    x = T.fvector("x")
    f = made([x], x.sum())
    values = RNG.normal(size=10_000).astype("float32")
    found = {f.map(values, chunk=13, workers=n, reduce="sum").tobytes() for n in (1, 2, 5)}
    assert len(found) == 1


def test_a_function_reduces_results_as_calls_return_them() -> None:
    x = T.dvector("x")
    f = made([x], {"largest": x.max(), "count": x.shape[0]})

    def joined(left: Any, right: Any) -> Any:
        return {
            "largest": max(left["largest"], right["largest"]),
            "count": left["count"] + right["count"],
        }

    got = f.map(np.arange(10.0), chunk=3, reduce=joined)
    assert {key: int(value) for key, value in got.items()} == {"largest": 9, "count": 10}
    largest = made([x], [x.max(), x]).map(np.arange(10.0), chunk=3, reduce=[np.maximum, None])
    assert largest[0] == 9
    assert len(largest[1]) == 10


# -- refused ---------------------------------------------------------------------------------------


def test_outputs_without_rows_are_refused_before_anything_is_read() -> None:
    x, y = T.dmatrix("x"), T.dmatrix("y")
    z = T.exp(x)
    outputs = {
        "columns": (z.sum(axis=0), False), "scalar": (z.sum(), False), "fixed": (z[0, :3], None),
        "other": (y * z[0, 0], False), "rows": (z * 2, True), "last": (z[:, 0], True),
    }  # fmt: skip
    rows = Watched((6, 6))
    for name, (output, has_rows) in outputs.items():
        f = function([x, y], output, mode=Mode("interpret"), on_unused_input="ignore", name=name)
        plan = Plan.of(f, [rows, np.ones((6, 6))], ["y"], 0, 6, None, "threads", None, 0)
        if name != "fixed":
            assert plan.arguments.mapped_outputs() == [has_rows], name
        if has_rows is False:
            with pytest.raises(ShapeError, match=rf"function {name}: map: output .* has not as"):
                f.map([rows, np.ones((6, 6))], whole=["y"], chunk=6)
        elif has_rows:
            with pytest.raises(ShapeError, match="has a row for each of the chunk"):
                f.map([rows, np.ones((6, 6))], whole=["y"], chunk=6, reduce="sum")
    assert rows.read == []


def test_lengths_that_only_calls_know_are_checked() -> None:
    x = T.dvector("x")
    f = made([x], x[x > 0])
    np.testing.assert_array_equal(f.map(np.arange(1.0, 9.0), chunk=3), np.arange(1.0, 9.0))
    with pytest.raises(ShapeError, match=r"(?s)output 0.*shape .2,.*chunk: *3 rows"):
        f.map(np.arange(9.0), chunk=3)
    pieces = [len(result) for _, result in f.imap(np.arange(9.0), chunk=3)]
    assert pieces == [2, 3, 3]


def test_functions_that_change_something_are_refused() -> None:
    x, n = T.dvector("x"), shared(0, "n")
    f = made([x], x, updates={n: n + 1})
    with pytest.raises(NotImplementedError, match=r"(?s)has updates .*n.*delete_updates"):
        f.map(np.arange(3.0))
    np.testing.assert_array_equal(f.copy(delete_updates=True).map(np.arange(3.0)), np.arange(3.0))
    assert n.get_value() == 0
    p = sparse.csr_matrix("p")
    g = function([p], sparse.sp_sum(p), mode=Mode("interpret"))
    with pytest.raises(NotImplementedError, match="can't be mapped"):
        g.map(np.ones((3, 3)))
    with pytest.raises(ValueError, match="has no outputs"):
        function([], []).map([])


class Together(FromFunctionOp):
    """As operations on all ranks: calls must be made in the same order everywhere."""

    unconditional = True


def test_operations_on_several_processes_are_refused() -> None:
    x = T.dvector("x")
    op = Together(lambda value: value, [T.dvector], [T.dvector])
    f = made([x], op(x) + 1, name="f")
    with pytest.raises(NotImplementedError, match="function f has operations that all processes"):
        f.map(np.arange(3.0))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"engine": "thread"}, "did you mean threads"),
        ({"engine": 3}, "an executor"),
        ({"chunk": 0}, "chunk=0"),
        ({"chunk": 2.0}, "chunk=2.0"),
        ({"axis": -1}, "axis=-1"),
        ({"workers": 0}, "workers=0"),
        ({"retries": -1}, "retries=-1"),
        ({"memory": True}, "memory=True"),
        ({"reduce": "max"}, "'max'"),
        ({"reduce": ["sum"]}, "one output, not in a list"),
        ({"out": np.empty(4), "reduce": "sum"}, "nothing of it is stored"),
    ],
)
def test_unsuitable_options(options: dict[str, Any], message: str) -> None:
    x = T.dvector("x")
    f = made([x], x if options.get("reduce") is None else x.sum())
    with pytest.raises(ValueError, match=message):
        f.map(np.arange(4.0), **options)


def test_failing_calls_name_their_rows() -> None:
    x, v = T.dvector("x"), T.lvector("v")
    f = made([x, v], x[v], name="chosen")
    indices = np.zeros(10, "int64")
    indices[7] = 100
    with pytest.raises(MapError, match="function chosen: map failed for rows 6 to 9") as raised:
        f.map([np.arange(10.0), indices], chunk=3)
    assert (raised.value.start, raised.value.stop) == (6, 9)
    assert isinstance(raised.value.__cause__, IndexError)
    with pytest.raises(MapError, match=r"(?s)rows 0 to 3: MisfitError.*float64"):
        made([x], x).map(np.array(["a"] * 9), chunk=3)


def test_failures_are_repeated() -> None:
    lock, failed = threading.Lock(), []

    @as_op([T.dvector], [T.dvector])
    def fragile(value: Any) -> Any:
        with lock:
            if value[0] == 4 and len(failed) < 2:
                failed.append(value[0])
                raise OSError("no connection")
        return value + 1

    x = T.dvector("x")
    f = made([x], fragile(x))
    with pytest.raises(MapError, match="failed 2 times for rows 4 to 6: OSError: no connection"):
        f.map(np.arange(10.0), chunk=2, retries=1)
    failed.clear()
    np.testing.assert_array_equal(f.map(np.arange(10.0), chunk=2, retries=2), np.arange(1.0, 11.0))


# -- streams ---------------------------------------------------------------------------------------


def test_only_a_few_chunks_are_read_ahead_and_closing_ends_the_rest() -> None:
    x = T.dvector("x")
    f = made([x], x.sum())
    rows = Watched()
    results = f.imap(rows, chunk=10, workers=2)
    assert rows.read == []
    first = next(results)
    assert first[0] == slice(0, 10)
    assert first[1] == 45
    time.sleep(0.05)
    assert len(rows.read) <= 4
    results.close()
    done = len(rows.read)
    time.sleep(0.05)
    assert len(rows.read) == done
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if name.startswith("symtheano-map")]


def test_results_as_they_come() -> None:
    """The first chunk ends when the results of two others were taken."""
    taken = threading.Event()

    @as_op([T.dvector], [T.dvector])
    def waiting(value: Any) -> Any:
        assert value[0] != 0 or taken.wait(30)
        return value

    x = T.dvector("x")
    f = made([x], waiting(x))
    rows = []
    for one, _ in f.imap(np.arange(8.0), chunk=2, workers=2, ordered=False):
        rows.append(one.start)
        if len(rows) == 2:
            taken.set()
    assert 0 not in rows[:2]
    assert sorted(rows) == [0, 2, 4, 6]
    assert [one.start for one, _ in f.imap(np.arange(8.0), chunk=2, workers=2)] == [0, 2, 4, 6]


@pytest.mark.parametrize("where", ["as_op", "consumer"])
def test_interrupts_end_a_map(where: str) -> None:
    @as_op([T.dvector], [T.dvector])
    def interrupted(value: Any) -> Any:
        if value[0] == 4 and where == "as_op":
            raise KeyboardInterrupt
        return value

    x = T.dvector("x")
    f = made([x], interrupted(x))

    def consume(results: Iterator[Any]) -> None:
        for rows, _ in results:
            if rows.start == 4:
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        consume(f.imap(np.arange(100.0), chunk=2, workers=2))
    np.testing.assert_array_equal(made([x], x).map(np.arange(9.0), chunk=2), np.arange(9.0))


def test_functions_in_maps_may_map() -> None:
    x = T.dvector("x")
    inner = made([x], x * 2)

    @as_op([T.dvector], [T.dvector])
    def outer(value: Any) -> Any:
        return np.asarray(inner.map(value, chunk=2, workers=2))

    f = made([x], outer(x) + 1)
    np.testing.assert_array_equal(f.map(np.arange(9.0), chunk=4), np.arange(9.0) * 2 + 1)


def test_progress_counts_rows() -> None:
    x = T.dvector("x")
    told: list[tuple[int, int]] = []
    f = made([x], x)
    f.map(np.arange(10.0), chunk=4, progress=lambda *counts: told.append(counts))
    assert told == [(4, 10), (8, 10), (10, 10)]


def test_an_executor_of_the_program_stays_open() -> None:
    x = T.dvector("x")
    f = made([x], x + 1)
    with ThreadPoolExecutor(2) as executor:
        for _ in range(2):
            got = f.map(np.arange(9.0), chunk=2, engine=executor)
            np.testing.assert_array_equal(got, np.arange(9.0) + 1)
        assert executor.submit(int, 3).result() == 3


@pytest.mark.needs_cxx
@pytest.mark.parametrize("borrow", [False, True])
def test_functions_of_a_device(borrow: bool) -> None:
    x = T.fvector("x")
    f = function([x], [Out(T.exp(x), borrow=borrow), x.sum()], device="emulated")
    values = np.linspace(0, 1, 50, dtype="float32")
    got, total = f.map(values, chunk=20, workers=2, reduce=[None, "sum"])
    assert type(got) is np.ndarray
    np.testing.assert_allclose(got, np.exp(values), rtol=1e-6)
    np.testing.assert_allclose(total, values.sum(), rtol=1e-6)
    assert Plan.of(f, values, (), 0, None, 100_000, "threads", 1, 0).chunk >= 4


@pytest.mark.needs_cc
def test_conditions_and_random_numbers() -> None:
    x = T.dvector("x")
    rows, _ = scan(lambda h: (h * 1.01, until(h.max() > 50)), outputs_info=x, n_steps=500)
    f = made([x], rows[-1], "c")
    got = f.map(np.arange(1.0, 30.0), chunk=1)
    assert ((got > 50) & (got < 51.01)).all()
    noisy = made([x], x + RandomStreams(3).uniform(size=(1,)), "c")
    with pytest.raises(NotImplementedError, match="delete_updates"):
        noisy.map(np.zeros(4))
    # Without updates, all calls draw the same numbers.
    drawn = noisy.copy(delete_updates=True).map(np.zeros(4), chunk=2)
    assert drawn[0] == drawn[2]


# -- files -----------------------------------------------------------------------------------------


def test_memory_maps_are_read_and_written(tmp_path: Path) -> None:
    x = T.fmatrix("x")
    f = made([x], [x * 2, x.sum(axis=1)])
    source = np.lib.format.open_memmap(tmp_path / "x.npy", "w+", "float32", (50, 3))
    source[:] = RNG.normal(size=(50, 3))
    stored = np.lib.format.open_memmap(tmp_path / "y.npy", "w+", "float64", (40, 3))
    sums = np.zeros(40, "float32")
    got = f.map(source[10:], chunk=7, out=[stored, sums])
    assert got[0] is stored
    assert got[1] is sums
    np.testing.assert_array_equal(stored, source[10:] * 2)
    np.testing.assert_array_equal(np.load(tmp_path / "y.npy"), source[10:] * 2)
    np.testing.assert_allclose(sums, source[10:].sum(axis=1), rtol=1e-6)


def test_unsuitable_targets() -> None:
    x = T.dvector("x")
    f = made([x], x)
    for out, message in (
        (np.empty(3), "out has not the shape"), (np.empty(4, "int64"), "out can't hold"),
        (np.broadcast_to(0.0, 4), "can only be read"), ([1, 2], "has 2 items"),
        ({"a": 1}, "has not the keys"), (5, "is an array with shape"),
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError), match=message):
            f.map(np.arange(4.0), out=out)
    with pytest.raises(TypeError, match="list or a dict"):
        made([x], [x]).map(np.arange(4.0), out=np.empty(4))


# -- chunks ----------------------------------------------------------------------------------------


def test_chunks_follow_from_the_memory() -> None:
    x = T.dmatrix("x")
    f = made([x], T.dot(x, x.T).sum(axis=1))

    def chunk(memory: int, workers: int, rows: int = 1 << 20) -> int:
        array = np.broadcast_to(np.ones(()), (rows, 10))
        return Plan.of(f, array, (), 0, None, memory, "threads", workers, 0).chunk

    # Each call needs 8 n**2 bytes for the product, 8 n for the result and 80 n for the argument.
    for memory, workers in ((1 << 20, 1), (1 << 24, 3)):
        found = chunk(memory, workers)
        needed = 8 * found**2 + 88 * found
        most = memory // (workers + 1)
        assert needed <= most < 8 * (2 * found) ** 2 + 88 * 2 * found + 64
    assert chunk(1 << 20, 1, rows=8) == 2
    with pytest.raises(ValueError, match=r"(?s)memory=100\) is too little.*memory=\d+ is enough"):
        chunk(100, 1)

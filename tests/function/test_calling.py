"""Calls: arguments, threads, and the state after failures, for each way of calling."""

from __future__ import annotations

import copy
import gc
import resource
import sys
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from operator import setitem
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, Mode, Op, Out, dtypes, function, shared
from symtheano.errors import ShapeError
from symtheano.function import Function
from symtheano.function.request import Request
from symtheano.function.stages import Stages
from symtheano.graph.claims import exclusively
from symtheano.graph.variable import Apply
from tests.support.layouts import layouts

pytestmark = pytest.mark.needs_cc

Array = np.ndarray[Any, Any]


@pytest.fixture(params=["dispatcher", "cffi", "interpreter"])
def mode(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Mode]:
    """Make functions that are called in each of the three ways."""
    if request.param == "interpreter":
        yield Mode("interpret")
        return
    if request.param == "cffi":
        # What a machine without Python's headers comes to.
        monkeypatch.setattr(Stages, "dispatcher", None)
    yield Mode("c")


def test_the_ways_of_calling_are_three() -> None:
    def uses_dispatcher(linker: str) -> bool:
        x = T.vector("x")
        function([x], x + 1, mode=Mode(linker)).wait()  # until the dispatcher is compiled
        made = function([x], x + 1, mode=Mode(linker))
        return any(cls.__name__ == "Dispatcher" for cls in type(made).__mro__)

    assert uses_dispatcher("c")
    assert not uses_dispatcher("interpret")


# -- values --------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_every_dtype_in_every_layout(mode: Mode, dtype: str) -> None:
    x = T.matrix("x", dtype=dtype)
    f = function([x], [x, x.T], mode=mode)
    values = np.arange(6).reshape(2, 3).astype(dtype)
    for name, value in layouts(values):
        same, turned = f(value)
        np.testing.assert_array_equal(same, value, err_msg=name)
        np.testing.assert_array_equal(turned, value.T, err_msg=name)
        assert same.dtype == turned.dtype == np.dtype(dtype)
        assert same.dtype.isnative
        assert not np.may_share_memory(same, value)


NUMBERS: Sequence[Any] = (
    *(0, 1, -1, 2**31 - 1, 2**31, 2**53, 2**53 + 1, 2**63 - 1, 2**63, -(2**63), 2**70, True),
    *(0.0, -0.0, 0.5, 0.1, 1e300, float("inf"), float("nan"), 1 + 2j, "1", None, [1.0], b"1"),
    *(np.float32(0.1), np.float64(0.1), np.float16(2), np.int8(-3), np.uint64(2**63), np.bool_(1)),
    *(np.array(3), np.array(0.1), np.array([1.0]), np.array("a"), np.longdouble(1), object()),
)


@pytest.mark.parametrize("dtype", dtypes.ALL)
@pytest.mark.parametrize("allow", [None, True, False])
def test_numbers_are_taken_as_the_type_takes_them(
    mode: Mode, dtype: str, allow: bool | None
) -> None:
    x = T.scalar("x", dtype=dtype)
    f = function([x], x, mode=mode, allow_input_downcast=allow)
    for number in NUMBERS:
        with np.errstate(all="ignore"):
            try:
                wanted = x.type.filter(number, allow_downcast=allow)
            except (TypeError, OverflowError) as error:
                with pytest.raises((TypeError, type(error))):
                    f(number)
                continue
            result = f(number)
        assert result.dtype == wanted.dtype
        assert result.tobytes() == wanted.tobytes(), number


def test_subclasses_of_arrays_are_taken_as_arrays(mode: Mode) -> None:
    class Mine(np.ndarray):
        pass

    x = T.matrix("x")
    result = function([x], x * 2, mode=mode)(np.ones((2, 2)).view(Mine))
    assert type(result) is np.ndarray
    assert result.tolist() == [[2, 2], [2, 2]]


def test_static_dims_are_held(mode: Mode) -> None:
    x = T.TensorType("float64", shape=(None, 3))("x")
    f = function([x], x.sum(), mode=mode)
    assert f(np.ones((2, 3))) == 6
    with pytest.raises(TypeError, match="axis 1 has static length 3, got shape"):
        f(np.ones((2, 4)))


def test_inputs_of_trusting_functions_are_not_converted(mode: Mode) -> None:
    x = T.vector("x")
    f = function([x], x + 1, mode=mode)
    f.trust_input = True
    assert f(np.ones(2)).tolist() == [2, 2]
    with pytest.raises(TypeError, match="bad value for input x"):
        f([1.0, 1.0])
    with pytest.raises(TypeError, match="bad value for input x"):
        f(np.ones(2, np.float32))
    f.trust_input = False
    assert f([1.0]).tolist() == [2]


def test_many_inputs_and_outputs(mode: Mode) -> None:
    inputs = [T.scalar(f"x{k}") for k in range(60)]
    f = function(inputs, [x + k for k, x in enumerate(inputs)], mode=mode)
    assert [float(y) for y in f(*range(60))] == [2.0 * k for k in range(60)]


# -- shared variables ----------------------------------------------------------------------------


def test_a_failed_call_changes_no_shared_variable(mode: Mode) -> None:
    x, y = T.vectors("x", "y")
    w, v = shared(np.zeros(3), "w"), shared(np.ones(3), "v")
    f = function([x, y], x + y, updates=[(w, w + x), (v, v * y)], mode=mode)
    f([1, 2, 3], [2, 2, 2])
    for args in (([1, 2, 3], [1, 2]), ([1, 2], [1, 2]), (["a"], [1]), ([1, 2, 3],)):
        with pytest.raises((ShapeError, TypeError)):
            f(*args)
        assert w.get_value().tolist() == [1, 2, 3]
        assert v.get_value().tolist() == [2, 2, 2]


class Fails(Op):
    """Raises the given exception."""

    __props__ = ()
    error: BaseException | None = None

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type()])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        if Fails.error is not None:
            raise Fails.error
        output_storage[0][0] = inputs[0] + 1


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ValueError("no"), MemoryError("mine")])
def test_an_op_that_raises_changes_no_shared_variable(mode: Mode, error: BaseException) -> None:
    w = shared(np.zeros(3), "w")
    f = function([], Fails()(w * 2), updates={w: w + 1}, mode=mode)
    assert f().tolist() == [1, 1, 1]
    Fails.error = error
    try:
        with pytest.raises(type(error)):
            f()
    finally:
        Fails.error = None
    assert w.get_value().tolist() == [1, 1, 1]
    assert f().tolist() == [3, 3, 3]


def test_updates_don_t_write_into_what_others_hold(mode: Mode) -> None:
    w = shared(np.zeros(3), "w")
    x = T.vector("x")
    f = function([x], x.sum(), updates={w: w + x}, mode=mode)
    own = w.get_value(borrow=True)
    assert f(own) == 0  # an input that is the variable's own array
    f(np.ones(3))
    assert f(w.get_value(borrow=True)[::-1]) == 3
    assert w.get_value().tolist() == [2, 2, 2]
    twin = shared(np.zeros(3), "twin")
    twin.set_value(w.get_value(borrow=True), borrow=True)
    g = function([], [], updates={w: w + 1, twin: twin - w}, mode=mode)
    g()
    assert w.get_value().tolist() == [3, 3, 3]
    assert twin.get_value().tolist() == [0, 0, 0]
    locked = np.zeros(3)
    locked.flags.writeable = False
    w.set_value(locked, borrow=True)
    g()
    assert w.get_value().tolist() == [1, 1, 1]
    assert locked.tolist() == [0, 0, 0]


def overlapping(values: Array) -> Iterator[tuple[str, Array, Array]]:
    """Yield pairs of arrays that share memory with each other only."""
    yield "the same", values, values
    yield "a view of all", values, values[:]
    yield "two views", values[:4], values[2:]
    whole = values.copy()
    yield "views of what is gone", whole[:4], whole[2:]
    del whole
    raw = bytearray(values.tobytes())
    yield "memory of another object", np.frombuffer(raw), np.frombuffer(raw)[1:]
    yield "the other's view", values[1:], values


@pytest.mark.parametrize("both", [True, False])
def test_two_shared_variables_in_one_memory(mode: Mode, both: bool) -> None:
    w, v = shared(np.zeros(6), "w"), shared(np.zeros(6), "v")
    updates = [(w, w + 1), *([(v, v * 2)] if both else [])]
    f = function([], v.sum(), updates=updates, mode=mode)
    g = function([], [], updates=[(w, T.inc_subtensor(w[1:3], 5))], mode=mode)
    for name, one, other in overlapping(np.arange(1.0, 7.0)):
        w.set_value(one, borrow=True)
        v.set_value(other, borrow=True)
        first, second, total = one.copy(), other.copy(), other.sum()
        del one, other
        for _ in range(2):
            assert f() == total, name
            first, second = first + 1, second * (2 if both else 1)
            total = second.sum()
            np.testing.assert_array_equal(w.get_value(), first, err_msg=name)
            np.testing.assert_array_equal(v.get_value(), second, err_msg=name)
        v.set_value(w.get_value(borrow=True), borrow=True)
        g()
        np.testing.assert_array_equal(v.get_value(), first, err_msg=name)
        first[1:3] += 5
        np.testing.assert_array_equal(w.get_value(), first, err_msg=name)


def test_what_was_borrowed_stays_as_it_was(mode: Mode) -> None:
    mine = np.zeros(100_000)
    w = shared(mine, "w", borrow=True)
    f = function([], [], updates={w: w + 1}, mode=mode)
    f()
    assert not mine.any()
    view = w.get_value(borrow=True)[::2]
    twin = copy.copy(w.container)
    also = copy.deepcopy(w.container)
    f()
    assert view.tolist() == [1.0] * 50_000
    assert (twin.value == 1).all()
    assert (also.value == 1).all()
    assert (w.get_value() == 2).all()


def test_a_value_kept_for_an_input_is_the_callers(mode: Mode) -> None:
    x, n = T.vector("x"), T.scalar("n")
    mine = np.zeros(4)
    f = function([In(x, value=mine, update=x + n), n], x.sum(), mode=mode)
    assert [float(f(n=2.0)) for _ in range(3)] == [0, 8, 16]
    assert not mine.any()
    f[x] = mine
    assert [float(f(n=1.0)) for _ in range(3)] == [0, 4, 8]
    assert not mine.any()


def test_shared_values_of_any_layout(mode: Mode) -> None:
    w = shared(np.zeros((2, 3)), "w")
    f = function([], w * 1, updates={w: w + 1}, mode=mode)
    values = np.arange(6.0).reshape(2, 3)
    for name, value in layouts(values):
        w.set_value(value, borrow=True)
        np.testing.assert_array_equal(f(), values, err_msg=name)
        np.testing.assert_array_equal(w.get_value(), values + 1, err_msg=name)


# -- threads -------------------------------------------------------------------------------------


def run_in_threads(work: Any, count: int) -> None:
    failures: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(k,)) for k in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures[0]


def test_calls_side_by_side_agree_to_the_bit(mode: Mode) -> None:
    x = T.vector("x")
    f = function([x], [T.exp(x).sum(), T.tanh(x) * 2], mode=mode)
    values = [np.linspace(0, 1, 10 + 40_000 * (k % 2) + k) for k in range(8)]
    wanted = [f(value) for value in values]

    def work(number: int) -> None:
        for _ in range(50):
            total, bent = f(values[number])
            assert total.tobytes() == wanted[number][0].tobytes()
            assert bent.tobytes() == wanted[number][1].tobytes()

    run_in_threads(work, 8)


@pytest.mark.parametrize("size", [1, 300_000])
@pytest.mark.parametrize("in_place", [True, False])
def test_no_update_is_lost_and_no_half_update_is_seen(
    mode: Mode, size: int, in_place: bool
) -> None:
    w = shared(np.zeros(size), "w")
    count = function([], [], updates={w: w + 1 if in_place else w[::-1] + 1}, mode=mode)
    look = function([], [w.min(), w.max()], mode=mode)

    def work(number: int) -> None:
        for _ in range(20):
            if number % 2:
                count()
            elif number % 4:
                low, high = look()
                assert low == high
            else:
                value = w.get_value()
                assert value.min() == value.max()

    run_in_threads(work, 8)
    assert set(w.get_value().tolist()) == {80.0}


@pytest.fixture
def quick_switches() -> Iterator[None]:
    """Let threads change places as often as Python can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


class Adds(Fails):
    """A Python op that gives other threads time."""

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        time.sleep(0)
        output_storage[0][0] = inputs[0] + 1


def _sparse_sum(s: Any) -> Any:
    from symtheano import sparse

    return sparse.csr_from_dense(s.dimshuffle("x", 0))


# What a function gives back, made of the shared variable that it updates.
RESULTS: dict[str, Any] = {
    "nothing": lambda s: None,
    "one": lambda s: s.sum(),
    "list": lambda s: [s.sum(), s * 2],
    "dict": lambda s: {"a": s.sum(), "b": s + 1},
    "wrapped": lambda s: [Out(s.sum(), borrow=True)],
    "sparse": _sparse_sum,
    "python op": lambda s: Adds()(s),
}


@pytest.mark.one_in(2)
@pytest.mark.usefixtures("quick_switches")
@pytest.mark.parametrize("kind", RESULTS)
@pytest.mark.parametrize("in_place", [True, False])
def test_no_update_is_lost_whatever_is_given_back(mode: Mode, kind: str, in_place: bool) -> None:
    s, t = shared(np.zeros(2), "s"), shared(np.zeros(2), "t")
    grown = s + 1 if in_place else s[::-1] + 1
    count = function([], RESULTS[kind](s), updates=[(s, grown), (t, t + 1)], mode=mode)
    look = function([], [s.min(), s.max(), t.min(), t.max()], mode=mode)
    turns = 1500 if mode.linker == "c" and count.__class__ is not Function else 150

    def work(number: int) -> None:
        for _ in range(turns):
            if number:
                count()
            else:
                assert len({float(value) for value in look()}) == 1

    run_in_threads(work, 5)
    assert s.get_value().tolist() == t.get_value().tolist() == [4.0 * turns] * 2


@pytest.mark.usefixtures("quick_switches")
@pytest.mark.parametrize("how", ["converted", "copied", "profiled"])
def test_no_update_is_lost_while_values_are_converted(mode: Mode, how: str) -> None:
    class Mine(np.ndarray):
        pass

    s, t = shared(np.zeros(1), "s"), shared(np.zeros(100_000), "t")
    count = function(
        [], {"t": t[0]}, updates=[(s, s + 1), (t, t + 1)], mode=mode, profile=how == "profiled"
    )
    lent = []
    storage = t.container.storage

    def work(number: int) -> None:
        for _ in range(60):
            count()
            if how == "converted":  # the next call of any thread has to ask Python what it is
                exclusively([storage], lambda: setitem(storage, 0, storage[0].view(Mine)))
            elif how == "copied":
                lent.append(t.get_value(borrow=True))
                del lent[:-2]

    run_in_threads(work, 4)
    assert s.get_value().tolist() == [240.0]
    assert set(t.get_value().tolist()) == {240.0}


def test_no_update_is_lost_while_an_object_becomes_an_array(mode: Mode) -> None:
    class Slow:
        def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
            time.sleep(0.02)
            return np.zeros(3)

    s, t = shared(np.zeros(3), "s"), shared(np.zeros(3), "t")
    count = function([], [], updates=[(s, s + 1), (t, t + 1)], mode=mode)
    t.container.value = Slow()
    run_in_threads(lambda number: count(), 3)
    assert s.get_value().tolist() == t.get_value().tolist() == [3] * 3


@pytest.mark.usefixtures("quick_switches")
def test_setting_and_updating_happen_one_after_the_other(mode: Mode) -> None:
    s = shared(np.zeros(1), "s")
    count = function([], [], updates=[(s, s + 1)], mode=mode)
    rounds = 40

    def work(number: int) -> None:
        for turn in range(rounds):
            if number == 0:
                s.set_value(np.array([1000.0 * (turn + 1)]))
            else:
                count()

    run_in_threads(work, 3)
    assert 1000.0 * rounds <= s.get_value()[0] <= 1000.0 * rounds + 2 * rounds


def test_updates_are_whole_where_the_results_cannot_be_wrapped(
    mode: Mode, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Any, values: list[Any]) -> Any:
        raise KeyboardInterrupt

    s, t = shared(np.zeros(3), "s"), shared(np.zeros(3), "t")
    monkeypatch.setattr(Request, "shape_of_result", broken)
    f = function([], {"s": s.sum()}, updates=[(s, s + 1), (t, t[::-1] + 1)], mode=mode)
    quick = f.__class__ is not Function  # the dispatcher makes the dict in C
    for turn in range(1, 4):
        with nullcontext() if quick else pytest.raises(KeyboardInterrupt):
            f()
        assert s.get_value().tolist() == t.get_value().tolist() == [turn] * 3


def test_a_value_that_goes_sees_all_updates(mode: Mode) -> None:
    class Mine(np.ndarray):
        pass

    s, t = shared(np.zeros(3), "s"), shared(np.zeros(3), "t")
    f = function([], [], updates=[(s, s[::-1] + 1), (t, t[::-1] + 1)], mode=mode)
    seen: list[Any] = []
    old = np.zeros(3).view(Mine)
    weakref.finalize(old, lambda: seen.append((s.get_value()[0], t.get_value()[0])))
    s.container.value = old
    del old
    f()
    assert seen == [(1.0, 1.0)]


def test_a_value_that_goes_away_while_it_is_copied(mode: Mode) -> None:
    t = shared(np.zeros(1), "t")
    swapped = np.ones(300_000, ">f8")
    f = function([], t.sum(), mode=mode)

    def work(number: int) -> None:
        for _ in range(30):
            if number:
                t.container.value = swapped.copy()
            else:
                assert f() in (0, 300_000)

    run_in_threads(work, 3)


def test_a_value_that_is_set_during_updates_counts(mode: Mode) -> None:
    w = shared(np.zeros(300_000), "w")
    count = function([], [], updates={w: w + 1}, mode=mode)

    def work(number: int) -> None:
        for turn in range(20):
            if number % 2:
                count()
            else:
                w.set_value(np.full(300_000, 1000.0 * (turn + 1)))

    run_in_threads(work, 4)
    last = w.get_value()
    assert last.min() == last.max()
    assert last[0] >= 20_000


def test_a_call_within_a_call(mode: Mode) -> None:
    w = shared(np.zeros(2), "w")
    inner = function([], w.sum(), updates={w: w + 1}, mode=mode)

    class Calls(Fails):
        def perform(
            self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]
        ) -> None:
            output_storage[0][0] = inputs[0] + inner()

    outer = function([], Calls()(w), mode=mode)
    assert outer().tolist() == [0, 0]
    assert outer().tolist() == [3, 3]
    assert w.get_value().tolist() == [2, 2]


def test_an_op_may_read_what_its_own_call_updates(mode: Mode) -> None:
    w = shared(np.zeros(2), "w")

    class Reads(Fails):
        def perform(
            self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]
        ) -> None:
            output_storage[0][0] = inputs[0] + w.get_value().sum()

    f = function([], Reads()(w), updates={w: w + 1}, mode=mode)
    assert [f().tolist() for _ in range(3)] == [[0, 0], [3, 3], [6, 6]]


def test_other_threads_run_during_a_long_call() -> None:
    x = T.matrix("x")
    y = x
    for _ in range(12):
        y = T.dot(y, x)
    f = function([x], y.sum())
    value = np.zeros((700, 700))
    f(value)
    running = threading.Event()
    seen = 0
    done = False

    def call() -> None:
        nonlocal done
        running.set()
        f(value)
        done = True

    thread = threading.Thread(target=call)
    thread.start()
    running.wait()
    while not done:
        seen += 1
    thread.join()
    # With the GIL held throughout, this thread would have been woken at the end only.
    assert seen > 1000


# -- memory --------------------------------------------------------------------------------------


def test_calls_leak_nothing(mode: Mode) -> None:
    x = T.vector("x")
    w = shared(np.zeros(5), "w")
    f = function([x], [x + 1, w.sum()], updates={w: w + x}, mode=mode, name="f")
    value = np.ones(5)

    def use(times: int) -> None:
        for _ in range(times):
            f(value)
            f(x=[1.0] * 5)
            with pytest.raises(TypeError):
                f(value, value)
            with pytest.raises(ShapeError):
                f(np.ones(4))

    use(200)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    use(2000)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 4096  # kB


def test_functions_go_when_nobody_needs_them(mode: Mode) -> None:
    x = T.vector("x")
    w = shared(np.zeros(3), "w")
    f = function([x], x + w, updates={w: w + x}, mode=mode)
    f(np.ones(3))
    gone = weakref.ref(f)
    del f
    gc.collect()
    assert gone() is None


def test_large_outputs_use_the_memory_of_dropped_ones(mode: Mode) -> None:
    x = T.vector("x")
    f = function([x], x + 1, mode=mode)
    value = np.zeros(200_000)
    first = f(value)
    second = f(value)
    assert not np.may_share_memory(first, second)
    address = first.ctypes.data
    view = second[::2]
    del first, second
    third = f(value)
    assert not np.may_share_memory(third, view)
    assert view.tolist() == [1.0] * 100_000
    if mode.linker == "c":
        assert third.ctypes.data == address
    f.free()
    assert f(value).tolist() == [1.0] * 200_000


def reshape_to(array: Array, shape: tuple[int, ...]) -> None:
    array.shape = shape


def restride(array: Array, strides: tuple[int, ...]) -> None:
    array.strides = strides


def redeclare(array: Array, dtype: Any) -> None:
    array.dtype = dtype


CHANGES: dict[str, Any] = {
    "byte order": lambda a: redeclare(a, ">f8"),
    "dtype": lambda a: redeclare(a, "int64"),
    "fields": lambda a: redeclare(a, [("re", "f8")]),
    "metadata": lambda a: redeclare(a, np.dtype("f8", metadata={"unit": "m"})),
    "shape": lambda a: reshape_to(a, (100, 400)),
    "ndim": lambda a: reshape_to(a, (40_000,)),
    "strides": lambda a: restride(a, (8, 8, 8)),
    "strides of one": lambda a: restride(a, (64, 1600, 8)),
    "reversed": lambda a: restride(a, (0, 0, 0)),
    "read-only": lambda a: a.setflags(write=False),
    "misaligned": lambda a: a.setflags(align=False),
    "resized": lambda a: a.resize((1, 100, 100), refcheck=False),
    "grown": lambda a: a.resize((1, 300, 200), refcheck=False),
}


@pytest.mark.filterwarnings("ignore:Setting the")
@pytest.mark.parametrize("change", CHANGES)
def test_an_output_whose_header_was_changed_does_not_come_back(mode: Mode, change: str) -> None:
    x = T.tensor3("x")
    f = function([x], x + 1, mode=mode)
    values = np.arange(40_000.0).reshape(1, 200, 200)
    for _ in range(3):
        out = f(values)
        CHANGES[change](out)
        del out
        new = f(values)
        fresh = values + 1
        assert new.dtype is fresh.dtype
        assert (new.shape, new.strides, str(new.flags)) == (
            fresh.shape, fresh.strides, str(fresh.flags),
        )  # fmt: skip
        np.testing.assert_array_equal(new, fresh)


def test_memory_that_is_not_there(mode: Mode) -> None:
    x = T.vector("x")
    y = x.dimshuffle(0, "x") * x.dimshuffle("x", 0)
    w = shared(np.zeros(3), "w")
    f = function([x], y, updates={w: w + 1}, mode=mode, name="outer")
    huge = np.broadcast_to(np.zeros(1), (1 << 24,))
    with pytest.raises(MemoryError) as raised:
        f(huge)
    if mode.linker == "c":
        assert "function outer: there is not enough memory" in str(raised.value)
        assert f"{8 << 48:,} bytes for output 0" in str(raised.value)
        assert "test_calling.py" in str(raised.value)
    assert w.get_value().tolist() == [0, 0, 0]
    assert f([1.0]).tolist() == [[1.0]]

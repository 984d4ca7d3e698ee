"""Calls: what may be passed, threads, and what is left after failures; by each way of calling."""

from __future__ import annotations

import gc
import resource
import threading
import weakref
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, Op, dtypes, function, shared
from symtheano.errors import ShapeError
from symtheano.graph.variable import Apply
from symtheano.stages import Stages
from tests.support.layouts import layouts

pytestmark = pytest.mark.needs_cc


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
    from symtheano.codegen.dispatch import load_dispatcher
    from symtheano.codegen.toolchain import find_toolchain
    from symtheano.config import config
    from symtheano.stages import open_cache

    x = T.vector("x")
    store = open_cache(config.snapshot())
    dispatcher = load_dispatcher(find_toolchain(directory=store.directory), store).Dispatcher
    assert isinstance(function([x], x + 1, mode=Mode("c")), dispatcher)
    assert not isinstance(function([x], x + 1, mode=Mode("interpret")), dispatcher)


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
    """Raises what it is told to raise."""

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
        assert "test_calls.py" in str(raised.value)
    assert w.get_value().tolist() == [0, 0, 0]
    assert f([1.0]).tolist() == [[1.0]]

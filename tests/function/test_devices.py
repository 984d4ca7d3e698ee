"""Arrays that stay on a device: shared variables, borrowed outputs, arguments."""

from __future__ import annotations

import copy
import gc
import pickle
import re
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import (
    DeviceArray,
    Function,
    FunctionGraph,
    In,
    Out,
    clone,
    config,
    function,
    grad,
    shared,
    to_device,
)
from symtheano.errors import MisfitError, ShapeError
from symtheano.function.devices import DeviceCall
from tests.function.test_api import UPDATES
from tests.support.devices import DEVICE

pytestmark = pytest.mark.needs_cxx


def values(*shape: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(3).normal(size=shape).astype("float32")


def host_text(f: Function) -> str:
    """Return the C of a function's host."""
    assert f.c_source is not None
    return f.c_source


def kernels_of(f: Function) -> set[str]:
    """Return the names of a function's kernels."""
    return {kernel.name for kernel in f.lowered.program.kernels}


def test_training_steps_keep_parameters_there() -> None:
    """Values of each step are those of the processor."""
    start, x = values(5, 3), T.fmatrix("x")
    both = []
    for device in (DEVICE, "cpu"):
        W = shared(start, "W")
        cost = T.tanh(T.dot(x, W)).sum(axis=1).mean()
        step = function([x], cost, updates=[(W, W - np.float32(0.5) * grad(cost, W))],
                        device=device)  # fmt: skip
        both.append((W, step))
    data = values(7, 5)
    for _ in range(3):
        mine, theirs = (step(data) for _, step in both)
        np.testing.assert_allclose(mine, theirs, rtol=1e-5)
        assert isinstance(both[0][0].get_value(borrow=True, return_internal_type=True), DeviceArray)
    np.testing.assert_allclose(both[0][0].get_value(), both[1][0].get_value(), rtol=1e-5)


def test_nothing_is_copied_where_all_is_there() -> None:
    v = shared(values(40), "v")
    f = function([], updates=[(v, T.tanh(v) * 2)], device=DEVICE)
    assert "to_host, " not in host_text(f)
    assert "to_device, " not in host_text(f)
    f()
    f()
    expected = values(40)
    for _ in range(2):
        expected = np.tanh(expected) * 2
    np.testing.assert_allclose(v.get_value(), expected, rtol=1e-6)


def test_get_and_set() -> None:
    v = shared(values(4), "v")
    f = function([], v * 2, device=DEVICE)
    f()
    copied, borrowed = v.get_value(), v.get_value(borrow=True)
    assert type(copied) is np.ndarray
    assert type(borrowed) is np.ndarray
    there = v.get_value(borrow=True, return_internal_type=True)
    assert there is v.get_value(borrow=True, return_internal_type=True)
    assert there is not v.get_value(return_internal_type=True)
    np.testing.assert_array_equal(copied, values(4))
    copied[:] = 0
    np.testing.assert_array_equal(v.get_value(), values(4))
    v.set_value(np.ones(2, "float32"))
    np.testing.assert_array_equal(f(), [2, 2])
    v.set_value(there)
    np.testing.assert_array_equal(f(), values(4) * 2)
    v.zero()
    np.testing.assert_array_equal(f(), np.zeros(4))
    np.testing.assert_array_equal(f[v], np.zeros(4))


def test_a_value_that_is_put_there() -> None:
    v = shared(values(2, 2), device=DEVICE)
    assert isinstance(v.container.value, DeviceArray)
    np.testing.assert_array_equal(v.eval(), values(2, 2))
    assert shared([1.0], device="cpu").container.value.tolist() == [1.0]
    with pytest.raises(TypeError, match="can't be on a device"):
        to_device(["text"], DEVICE)
    with pytest.raises(ValueError, match="device=None is not a device"):
        to_device([1.0])


def test_the_processor_takes_it_and_gives_it_back() -> None:
    v = shared(np.zeros(3), "v")
    there = function([], updates=[(v, v + 1)], device=DEVICE)
    here = function([], v * 1, updates=[(v, v * 2)])
    slow = function([], v * 1, updates=[(v, v + 3)], mode="INTERPRET")
    there()
    there()
    np.testing.assert_array_equal(here(), [2, 2, 2])
    there()
    np.testing.assert_array_equal(slow(), [5, 5, 5])
    there()
    np.testing.assert_array_equal(v.get_value(), [9, 9, 9])


def test_a_strict_variable() -> None:
    v = shared(values(3), strict=True)
    there, here = function([], v + 1, device=DEVICE), function([], v + 2)
    there()
    np.testing.assert_array_equal(here(), values(3) + 2)
    np.testing.assert_array_equal(there(), values(3) + 1)


def test_what_routines_of_the_host_alone_read_stays_there() -> None:
    W = shared(values(3, 3), "W")
    f = function([], T.linalg.inv(W), device=DEVICE)
    np.testing.assert_allclose(f(), np.linalg.inv(values(3, 3)), rtol=1e-3)
    assert type(W.container.value) is np.ndarray


def test_variables_with_one_container() -> None:
    v = shared(values(4), "v")
    other = v.clone("other")
    f = function([], other * 2, updates=[(v, v + 1)], device=DEVICE)
    np.testing.assert_array_equal(f(), values(4) * 2)
    np.testing.assert_array_equal(f(), (values(4) + 1) * 2)


def test_variables_that_change_places() -> None:
    a, b = shared(values(3), "a"), shared(values(3) * 2, "b")
    f = function([], [Out(a + b, borrow=True), a], updates=[(a, b), (b, a)], device=DEVICE)
    for _ in range(3):
        f()
    np.testing.assert_array_equal(a.get_value(), values(3) * 2)
    np.testing.assert_array_equal(b.get_value(), values(3))


def test_a_static_length_that_another_variable_changes() -> None:
    v = shared(values(4), "v")
    fixed = type(v)(T.TensorType("float32", (4,)), None, "fixed", container=v.container)
    change = function([], updates=[(v, v[:3] * 1)], device=DEVICE)
    f = function([], fixed * 2, device=DEVICE)
    np.testing.assert_array_equal(f(), values(4) * 2)
    change()
    with pytest.raises(MisfitError, match="axis 0 has static length 4"):
        f()


def test_a_failed_check_changes_nothing() -> None:
    v, x = shared(values(4), "v"), T.fvector("x")
    f = function([x], updates=[(v, T.exp(v) + x)], device=DEVICE)
    with pytest.raises(ShapeError):
        f(values(3))
    np.testing.assert_array_equal(v.get_value(), values(4))
    f(values(4))
    np.testing.assert_allclose(v.get_value(), np.exp(values(4)) + values(4), rtol=1e-6)


def test_copies_of_variables_and_functions() -> None:
    v = shared(values(4), "v")
    f = function([], v * 1, updates=[(v, v + 1)], device=DEVICE)
    f()
    twin = copy.deepcopy(v)
    restored = pickle.loads(pickle.dumps(v))
    for other in (twin, restored):
        np.testing.assert_array_equal(other.get_value(), values(4) + 1)
    g = pickle.loads(pickle.dumps(f))
    np.testing.assert_array_equal(g(), values(4) + 1)
    fresh = shared(np.zeros(4, "float32"))
    h = f.copy(swap={v: fresh})
    h()
    np.testing.assert_array_equal(h(), np.ones(4))
    np.testing.assert_array_equal(v.get_value(), values(4) + 1)


def test_json() -> None:
    v = shared(values(4), "v")
    function([], v * 1, device=DEVICE)()
    graph = FunctionGraph.from_json(FunctionGraph([v], [v * 3]).to_json(values=True))
    np.testing.assert_array_equal(graph.inputs[0].get_value(), values(4))


# -- outputs ---------------------------------------------------------------------------------------


def test_borrowed_outputs() -> None:
    x = T.fmatrix("x")
    kept, plain = function([x], [Out(x * 2, borrow=True), x + 1], device=DEVICE)(values(2, 3))
    assert isinstance(kept, DeviceArray)
    assert type(plain) is np.ndarray
    np.testing.assert_array_equal(kept.to_host(), values(2, 3) * 2)
    named = function([x], {"a": x + 1, "b": Out(T.exp(x), borrow=True)}, device=DEVICE)(
        values(1, 2)
    )
    assert type(named["a"]) is np.ndarray
    assert isinstance(named["b"], DeviceArray)
    single = function([x], Out(x.sum(), borrow=True), device=DEVICE)(values(2, 2))
    assert isinstance(single, DeviceArray)
    np.testing.assert_allclose(float(single), values(2, 2).sum(), rtol=1e-6)
    product = function([x], Out(T.dot(x, x), borrow=True), device=DEVICE)(values(2, 2))
    assert isinstance(product, DeviceArray)
    np.testing.assert_allclose(product, values(2, 2) @ values(2, 2), rtol=1e-5)
    assert type(function([x], Out(x * 2, borrow=True))(values(1, 1))) is np.ndarray


def test_a_variable_and_an_output_do_not_share_memory() -> None:
    v = shared(values(4), "v")
    f = function([], Out(v, borrow=True), updates=[(v, v * 2)], device=DEVICE)
    first, second = f(), f()
    np.testing.assert_array_equal(first, values(4))
    np.testing.assert_array_equal(second, values(4) * 2)
    np.testing.assert_array_equal(v.get_value(), values(4) * 4)
    assert first.address != v.get_value(borrow=True, return_internal_type=True).address


@pytest.mark.parametrize("shape", [(0,), (0, 3), (1,), (), (2, 1, 3)])
def test_shapes(shape: tuple[int, ...]) -> None:
    v = shared(values(*shape), shape=(None,) * len(shape))
    f = function([], Out(T.exp(v), borrow=True), updates=[(v, v + 1)], device=DEVICE)
    f()
    result = f()
    assert result.shape == shape
    np.testing.assert_allclose(result, np.exp(values(*shape) + 1), rtol=1e-6)
    np.testing.assert_allclose(v.get_value(), values(*shape) + 2, rtol=1e-6)


@pytest.mark.parametrize(
    "dtype", ["bool", "int8", "uint16", "int64", "float16", "float64", "complex64", "complex128"]
)
def test_dtypes(dtype: str) -> None:
    start = np.arange(6).astype(dtype)
    v, x = shared(start), T.tensor("x", dtype, (None,))
    new = T.cast(v * 1, dtype)
    f = function([x], Out(T.cast(v * x, dtype), borrow=True), updates=[(v, new)], device=DEVICE)
    result = f(f(start))
    np.testing.assert_array_equal(result, start * (start * start))
    np.testing.assert_array_equal(v.get_value(), start)
    assert result.dtype == v.get_value().dtype == np.dtype(dtype)


def test_large_constants_are_copied_once() -> None:
    x, table = T.fvector("x"), values(200)
    f = function([x], Out(x * T.constant(table), borrow=True), device=DEVICE)
    assert "to_device, " in host_text(f), "the argument"
    assert host_text(f).count("to_device, ") == 1
    for _ in range(2):
        np.testing.assert_array_equal(f(values(200)), values(200) * table)


# -- arguments -------------------------------------------------------------------------------------


def test_arguments_that_are_there() -> None:
    x, y = T.fmatrix("x"), T.fmatrix("y")
    f = function([x, y], Out(T.tanh(x) + y * 2, borrow=True), device=DEVICE)
    first = f(values(2, 3), values(2, 3))
    second = f(first, values(2, 3))
    third = f(first, second)
    there = np.tanh(values(2, 3)) + values(2, 3) * 2
    np.testing.assert_allclose(first, there, rtol=1e-6)
    np.testing.assert_allclose(third, np.tanh(there) + 2 * (np.tanh(there) + 2 * values(2, 3)),
                               rtol=1e-5)  # fmt: skip
    np.testing.assert_allclose(second, np.tanh(there) + 2 * values(2, 3), rtol=1e-5)


def test_an_argument_that_the_host_reads() -> None:
    """A length, a factor of a product, and an array of another dtype come from the device."""
    x, n = T.fmatrix("x"), T.lscalar("n")
    f = function([x, n], [T.dot(x, x), T.zeros((n,)) + x.sum(), x * 2], device=DEVICE)
    host = values(3, 3)
    for count in (to_device(2, DEVICE), 2):
        product, filled, double = f(to_device(host, DEVICE), count)
        np.testing.assert_allclose(product, host @ host, rtol=1e-5)
        assert filled.shape == (2,)
        np.testing.assert_array_equal(double, host * 2)
    with pytest.raises(MisfitError, match="bad value for input x"):
        f(to_device(host.astype("float64") / 3, DEVICE), 2)
    with pytest.raises(MisfitError, match="wrong number of dims"):
        f(to_device(host[0], DEVICE), 2)


def test_arguments_of_static_shape() -> None:
    x = T.tensor("x", "float32", (3,))
    f = function([x], x * 2, device=DEVICE)
    np.testing.assert_array_equal(f(to_device(values(3), DEVICE)), values(3) * 2)
    with pytest.raises(MisfitError, match="static length 3"):
        f(to_device(values(4), DEVICE))


def test_memory_of_the_host_differs_with_where_arguments_are() -> None:
    x, v = T.fmatrix("x"), shared(values(3))
    f = function([x], [T.sort(x * v, axis=0), T.sort(x, axis=1)], updates=[(v, v + x.sum())],
                 device=DEVICE)  # fmt: skip
    host, there = f(values(2, 3)), f(to_device(values(2, 3), DEVICE))
    np.testing.assert_array_equal(host[1], there[1])
    np.testing.assert_allclose(host[0], np.sort(values(2, 3) * values(3), axis=0), rtol=1e-6)
    after = values(3) + values(2, 3).sum()
    np.testing.assert_allclose(there[0], np.sort(values(2, 3) * after, axis=0), rtol=1e-5)


def test_arguments_are_not_written_to() -> None:
    x = T.fvector("x")
    f = function([x], Out(T.inc_subtensor(x[1:], 1), borrow=True), device=DEVICE)
    argument = to_device(values(5), DEVICE)
    result = f(argument)
    np.testing.assert_array_equal(argument, values(5))
    expected = values(5)
    expected[1:] += 1
    np.testing.assert_allclose(result, expected, rtol=1e-6)


def test_inputs_with_defaults_and_updates() -> None:
    x, total = T.fvector("x"), T.fvector("total")
    f = function([x, In(total, value=np.zeros(3, "float32"), update=total + x)], total * 1,
                 device=DEVICE)  # fmt: skip
    one = to_device(np.ones(3, "float32"), DEVICE)
    f(one)
    np.testing.assert_array_equal(f(np.ones(3, "float32")), np.ones(3))
    np.testing.assert_array_equal(f(one), [2, 2, 2])
    np.testing.assert_array_equal(f[total], [3, 3, 3])


def test_functions_for_the_processor_take_arrays_on_a_device() -> None:
    x = T.fvector("x")
    argument = to_device(values(5), DEVICE)
    for f in (function([x], x + 1), function([x], x + 1, mode="INTERPRET")):
        np.testing.assert_array_equal(f(argument), values(5) + 1)


# -- profiles --------------------------------------------------------------------------------------


def test_profiles_have_kernels_and_copies() -> None:
    x, v = T.fmatrix("x"), shared(values(3), "v")
    f = function([x], T.linalg.inv(T.tanh(x * v)), updates=[(v, v + x.sum(axis=0))], profile=True,
                 device=DEVICE)  # fmt: skip
    f(values(3, 3))
    f(values(3, 3))
    steps = {step.label: step for step in f.profile.steps}
    assert steps["copy of x to the device"].calls == 2
    (routine,) = (step for label, step in steps.items() if label.endswith(", on the host"))
    assert routine.calls == 2
    assert routine.place.startswith("test_devices.py:")
    kernels = [step for label, step in steps.items() if label in kernels_of(f)]
    assert kernels
    for step in kernels:
        assert step.calls == 2
        assert step.seconds > 0
        assert step.place.startswith("test_devices.py:")
    assert "copy of x to the device" in f.profile.summary()
    assert f.profile.seconds > sum(step.seconds for step in steps.values())


def test_profiles_of_arguments_that_are_there() -> None:
    """The code for them has other steps, some of which it has in common."""
    x = T.fvector("x")
    f = function([x], T.tanh(x), profile=True, device=DEVICE)
    f(values(5))
    f(to_device(values(5), DEVICE))
    calls = {step.label: step.calls for step in f.profile.steps}
    assert calls["copy of x to the device"] == 1
    assert calls["copy of out to the host"] == 2


def test_profiles_change_no_program() -> None:
    x = T.fmatrix("x")
    outputs = [T.nnet.softmax(x).sum(axis=0), x - x.mean()]
    plain, measured = (
        function([x], clone(outputs), profile=profile, device=DEVICE, name="f")
        for profile in (False, True)
    )
    text = re.sub(r"\n *ST_ASK\(tick, -?\d+\);", "", host_text(measured))
    assert [line for line in text.splitlines() if line.strip()] == [
        line for line in host_text(plain).splitlines() if line.strip()
    ]


def test_profiles_of_threads_and_failures() -> None:
    x = T.fvector("x")
    f = function([x], T.tanh(x) / x[3], profile=True, device=DEVICE)
    with pytest.raises(IndexError):
        f(values(2))
    assert f.profile.steps == []
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(f, [values(6)] * 20))
    assert {step.calls for step in f.profile.steps} == {20}


def test_profiles_list_what_has_run() -> None:
    """A few long rows are the work of two kernels, others that of one."""
    x = T.fmatrix("x")
    f = function([x], x.sum(axis=1), device=DEVICE, profile=True)
    assert f.profile.steps == []
    for shape, kernels in (((3, 8), 1), ((2, 20_000), 3), ((3, 8), 3)):
        f(np.ones(shape, "float32"))
        assert sum(step.label in kernels_of(f) for step in f.profile.steps) == kernels
        assert all(step.calls for step in f.profile.steps)


# -- calls without Python ----------------------------------------------------------------------


def dispatched(monkeypatch: pytest.MonkeyPatch, f: Function, *args: Any, **kwargs: Any) -> Any:
    """Return the result of a call, which must not go through Python."""

    def fail(*args: Any) -> None:
        raise AssertionError("the call went through Python")

    with monkeypatch.context() as patched:
        patched.setattr(DeviceCall, "__call__", fail)
        return f(*args, **kwargs)


@pytest.mark.needs_cc
def test_calls_without_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """What has been called once is called by the dispatcher, with the same results and errors."""
    x, k, rate = T.fmatrix("x"), T.lvector("k"), T.fscalar("rate")
    start, data, table = values(3, 4), values(5, 3), values(4, 100)
    index = np.array([0, 3, 1])
    both = []
    for device in (DEVICE, "cpu"):
        w, n = shared(start, "w"), shared(np.int64(0), "n")
        hidden = T.tanh(T.dot(x, w) + T.constant(table).sum(axis=1))
        outputs = {"rows": Out(hidden[k], borrow=True), "total": hidden.sum()}
        updates = [(w, w - rate * hidden.mean(axis=0)), (n, n + 1)]
        inputs = [x, k, In(rate, value=np.float32(0.5))]
        f = function(inputs, outputs, updates=updates, device=device)
        f.wait()
        both.append((f, w, n))
    (f, w, n), (g, theirs, _) = both
    there = to_device(data, DEVICE)
    for given in (data, there):
        f(given, index)
        g(data, index)

    def check(mine: Any) -> None:
        its = g(data, index)
        assert mine.keys() == its.keys()
        assert isinstance(mine["rows"], DeviceArray)
        assert type(mine["total"]) is np.ndarray
        for name, value in its.items():
            np.testing.assert_allclose(mine[name], value, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(w.get_value(), theirs.get_value(), rtol=1e-4, atol=1e-5)

    for given in (data, there, data[:, ::-1][:, ::-1], there):
        check(dispatched(monkeypatch, f, given, index))
        check(dispatched(monkeypatch, f, given, k=index))
        check(dispatched(monkeypatch, f, given, index, 0.5))
    with pytest.raises(AssertionError, match="through Python"):
        dispatched(monkeypatch, f, data.tolist(), index)
    check(f(data.tolist(), index.tolist()))
    steps, before = n.get_value(), w.get_value()
    for given in (data, there):
        with pytest.raises(IndexError, match="an index in k is outside axis 0"):
            dispatched(monkeypatch, f, given, np.array([5]))
        with pytest.raises(ShapeError):
            dispatched(monkeypatch, f, to_device(values(5, 2), DEVICE), index)
        with pytest.raises(TypeError, match="missing: k"):
            dispatched(monkeypatch, f, given)
    with pytest.raises(MisfitError, match="bad value for input x"):
        f(to_device(data.astype("float64") / 3, DEVICE), index)
    assert n.get_value() == steps
    np.testing.assert_array_equal(w.get_value(), before)
    w.set_value(before)
    with pytest.raises(AssertionError, match="through Python"):
        dispatched(monkeypatch, f, there, index)
    check(f(there, index))
    check(dispatched(monkeypatch, f, there, index))
    f.free()
    check(dispatched(monkeypatch, f, there, index))


@pytest.mark.needs_cc
def test_threads_without_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """Updates of one variable follow each other, and what is dropped is freed."""
    v, x = shared(np.zeros(3), "v"), T.dvector("x")
    f = function([x], Out(v * 2, borrow=True), updates=[(v, v + x)], device=DEVICE)
    f.wait()
    one = to_device(np.ones(3), DEVICE)
    f(one)

    with monkeypatch.context() as patched:
        patched.setattr(DeviceCall, "__call__", None)
        with ThreadPoolExecutor(4) as pool:
            results = [float(np.asarray(result)[1]) for result in pool.map(f, [one] * 40)]
    assert sorted(results) == [2.0 * k for k in range(1, 41)]
    np.testing.assert_array_equal(v.get_value(), np.full(3, 41.0))
    gone = weakref.ref(f)
    del f
    while gc.collect():
        pass
    assert gone() is None


# -- updates in place --------------------------------------------------------------------------


def address_of(variable: Any) -> int:
    """Return where the value of a shared variable is on the device."""
    return int(variable.container.value.address)


@pytest.mark.needs_cc
def test_updates_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """New values are where the old ones were, unless others have these; errors change none."""
    k, x = T.lvector("k"), T.fmatrix("x")
    both = []
    for device in (DEVICE, "cpu"):
        table, speed, n = shared(values(6, 3)), shared(values(6, 3) * 0), shared(np.float32(0))
        rows = T.tanh(table[k] * x)
        gradient = grad(rows.sum(), table)
        updates = [
            (speed, np.float32(0.5) * speed - gradient),
            (table, T.inc_subtensor(table[k], rows - speed[k])),
            (n, n + x.sum()),
        ]
        with config.change_flags(device_updates="in_place"):
            f = function([k, x], Out(rows, borrow=True), updates=updates, device=device)
        f.wait()
        both.append((f, (table, speed, n)))
    (f, mine), (g, theirs) = both
    index, data = np.array([1, 4, 1]), values(3, 3)

    def check(result: Any, its: Any) -> None:
        np.testing.assert_allclose(np.asarray(result), its, rtol=1e-5, atol=1e-6)
        for one, other in zip(mine, theirs, strict=True):
            np.testing.assert_allclose(one.get_value(), other.get_value(), rtol=1e-4, atol=1e-5)

    check(f(index, data), g(index, data))
    places = [*map(address_of, mine[:2])]  # the last one is a number that the host reads
    for _ in range(3):
        check(dispatched(monkeypatch, f, index, data), g(index, data))
        assert [*map(address_of, mine[:2])] == places
    before = [variable.get_value() for variable in mine]
    for bad in (np.array([1, 6, 1]), np.array([1, 2])):
        with pytest.raises((IndexError, ShapeError)):
            dispatched(monkeypatch, f, bad, data)
    for variable, value in zip(mine, before, strict=True):
        np.testing.assert_array_equal(variable.get_value(), value)
    kept = mine[0].get_value(borrow=True, return_internal_type=True)
    check(f(index, data), g(index, data))
    assert address_of(mine[0]) != kept.address
    np.testing.assert_array_equal(kept, before[0])
    del kept
    check(dispatched(monkeypatch, f, index, data), g(index, data))
    mine[1].set_value(before[1])
    theirs[1].set_value(before[1])
    check(f(index, data), g(index, data))


def test_updates_of_many_kinds_in_place() -> None:
    """The kinds of updates that the processor's functions are tested with, in one function."""
    x, given = T.matrix("x"), np.sin(np.arange(9.0)).reshape(3, 3)
    start = [np.arange(9.0).reshape(3, 3) / 9 + 0.1, np.cos(np.arange(9.0)).reshape(3, 3) + 2]
    both = []
    for device in (DEVICE, "cpu"):
        state = [[shared(value) for value in start] for _ in UPDATES]
        updates = [
            pair
            for (a, b), new in zip(state, UPDATES.values(), strict=True)
            for pair in zip((a, b), new(a, b, x), strict=True)
        ]
        with config.change_flags(device_updates="in_place"):
            f = function([x], Out(x.sum(), borrow=True), updates=updates, device=device)
        f.wait()
        both.append((f, state))
    donors = [donor for _, _, donor in both[0][0]._linked.record.outputs]
    assert len(donors) - donors.count(None) > 15
    for _ in range(4):
        for f, _ in both:
            f(given)
        for which, mine, theirs in zip(UPDATES, both[0][1], both[1][1], strict=True):
            for one, other in zip(mine, theirs, strict=True):
                np.testing.assert_allclose(
                    one.get_value(), other.get_value(), rtol=1e-10, atol=1e-12, err_msg=which
                )


def test_a_variable_that_is_read_under_another_name() -> None:
    v = shared(values(4), "v")
    other = v.clone("other")
    with config.change_flags(device_updates="in_place"):
        f = function([], Out(other * 2, borrow=True), updates=[(v, v + 1)], device=DEVICE)
    f.wait()
    for k in range(3):
        np.testing.assert_allclose(f(), (values(4) + k) * 2, rtol=1e-6)
    with config.change_flags(device_updates="in_place"):
        g = function([], [other.sum(), v.sum()], updates=[(v, v + 1)], device=DEVICE)
    g.wait()
    with ThreadPoolExecutor(3) as pool:
        sums = [float(one) for one, _ in pool.map(lambda _: g(), range(12))]
    np.testing.assert_allclose(sorted(sums), values(4).sum() + 12 + 4 * np.arange(12), rtol=1e-5)


# -- the option, threads ---------------------------------------------------------------------------


def test_the_option() -> None:
    v = shared(values(3), "v")
    with config.change_flags(device=DEVICE):
        f = function([], Out(v + 1, borrow=True))
        there = to_device([1.0, 2.0])
    assert isinstance(f(), DeviceArray)
    assert there.device == DEVICE


def test_threads() -> None:
    v = shared(np.zeros(100), "v")
    f = function([], v.sum(), updates=[(v, v + 1)], device=DEVICE)
    g = function([], v.sum(), device=DEVICE)

    def work(number: int) -> float:
        return float(f() if number % 2 else g())

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(work, range(60)))
    assert {result % 100 for result in results} == {0}
    np.testing.assert_array_equal(v.get_value(), np.full(100, 30.0))


def test_a_graph_in_two_functions() -> None:
    """A borrowed output is part of what tells functions apart in the cache."""
    x = T.fvector("x")
    y = T.exp(x) * 3
    kept = function([x], Out(y, borrow=True), device=DEVICE)(values(3))
    plain = function([x], clone(y), device=DEVICE)(values(3))
    assert isinstance(kept, DeviceArray)
    assert type(plain) is np.ndarray


def test_functions_for_devices_are_no_callbacks() -> None:
    x = T.dscalar("x")
    f = function([x], T.exp(x) + T.arange(3).sum(), device=DEVICE)
    with pytest.raises(NotImplementedError, match="runs on a device"):
        f.low_level_callable()


def test_functions_show_where_they_run() -> None:
    x = T.fvector("x")
    assert repr(function([x], x + 1, name="f", device=DEVICE)) == (
        f"<function f: 1 input; c, fast_run; on {DEVICE}>"
    )
    assert " on " not in repr(function([x], x + 1, device="cpu"))
    assert " on " not in repr(function([x], x + 1, mode="INTERPRET", device=DEVICE))

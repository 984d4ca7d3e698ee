"""function(): inputs, outputs, updates, givens, and the errors it makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, shared
from symtheano.errors import MissingInputError, ShapeError, UnusedInputError
from symtheano.function.making import FunctionRecipe
from symtheano.tensor.type import TensorType
from tests.support.compare import ORACLE, count
from tests.support.layouts import layouts

MODES = [
    pytest.param(Mode(), id="c", marks=pytest.mark.needs_cc),
    pytest.param(Mode("c", "none"), id="c, no rules", marks=pytest.mark.needs_cc),
    pytest.param(Mode("interpret"), id="interpreter"),
]
every_mode = pytest.mark.parametrize("mode", MODES)


# -- outputs -------------------------------------------------------------------------------------


@every_mode
def test_outputs_come_back_as_they_were_given(mode: Mode) -> None:
    x = T.vector("x")
    value = np.arange(3.0)
    single = function([x], x * 2, mode=mode)(value)
    assert single.tolist() == [0, 2, 4]
    many = function([x], [x * 2, x.sum()], mode=mode)(value)
    assert isinstance(many, list)
    assert [item.tolist() for item in many] == [[0, 2, 4], 3]
    named = function([x], {"b": x + 1, "a": x.max()}, mode=mode)(value)
    assert list(named) == ["b", "a"]
    assert named["b"].tolist() == [1, 2, 3]
    assert named["a"].tolist() == 2
    assert function([x], (x + 1,), mode=mode)(value)[0].tolist() == [1, 2, 3]
    assert function([], [], mode=mode)() == []
    assert function([x], on_unused_input="ignore", mode=mode)(value) == []
    assert function([], 7, mode=mode)().tolist() == 7
    assert function([], [[1, 2], T.constant(0.5)], mode=mode)()[0].tolist() == [1, 2]


@every_mode
def test_every_output_is_an_array_of_its_own(mode: Mode) -> None:
    x, c = T.matrix("x"), T.constant(np.arange(3.0))
    y = T.exp(x)
    outputs = [x, x, y, y, x.T, y.T, x[0], y[:, ::-1], x.dimshuffle(0, "x", 1), c, c,
               x.reshape((-1,)),
               y[0], x.T.T, T.specify_shape(x, (2, None)), y.flatten(), x[:], c[1:]]  # fmt: skip
    f = function([x], outputs, mode=mode)
    value = np.arange(6.0).reshape(2, 3)
    results = f(value)
    for number, result in enumerate(results):
        assert result.flags.writeable
        for other in (value, *results[:number], *f(value)):
            assert not np.may_share_memory(result, other)
    e = np.exp(value)
    wanted = [
        value,
        value,
        e,
        e,
        value.T,
        e.T,
        value[0],
        e[:, ::-1],
        value[:, None],
        np.arange(3.0),
    ]
    for result, want in zip(results, wanted, strict=False):
        np.testing.assert_allclose(result, want, rtol=1e-15)
    for result in results:
        result[...] = -1
    np.testing.assert_allclose(f(value)[9], np.arange(3.0))
    assert value.tolist() == [[0, 1, 2], [3, 4, 5]]


@every_mode
def test_numbers_come_back_as_arrays_of_no_dims(mode: Mode) -> None:
    s = T.scalar("s")
    for output in (s, s + 1, T.constant(3.0) * s, s * s):
        result = function([s], output, mode=mode)(2.0)
        assert type(result) is np.ndarray
        assert result.shape == ()


# -- inputs --------------------------------------------------------------------------------------


def test_inputs_that_are_refused() -> None:
    x, y = T.vectors("x", "y")
    with pytest.raises(MissingInputError, match=r"y is needed but is not an input"):
        function([x], x + y)
    with pytest.raises(UnusedInputError, match="input y is not used"):
        function([x, y], x * 2)
    with pytest.warns(UserWarning, match="input y is not used"):
        function([x, y], x * 2, on_unused_input="warn", mode="INTERPRET")
    assert function([x, y], x * 2, on_unused_input="ignore", mode="INTERPRET")([1.0], [2.0]) == [2]
    with pytest.raises(ValueError, match="x is an input twice"):
        function([x, x], x * 2)
    with pytest.raises(TypeError, match="can't be an input"):
        function([T.constant(1.0)], x)
    with pytest.raises(TypeError, match="use givens"):
        function([shared(1.0, "w")], x)
    with pytest.raises(TypeError, match="is not a variable"):
        function([3], x)
    with pytest.raises(ValueError, match="unknown mode 'FAST'"):
        function([x], x, mode="FAST")


def test_the_error_of_a_missing_input_shows_the_users_line() -> None:
    lonely = T.vector("lonely")
    with pytest.raises(MissingInputError) as raised:
        function([], lonely * 2)
    assert 'lonely = T.vector("lonely")' in str(raised.value)
    assert "test_api.py" in str(raised.value)


@every_mode
def test_unused_inputs_may_be_there(mode: Mode) -> None:
    x, y, z = T.vector("x"), T.matrix("y"), T.lscalar("z")
    f = function([x, y, z], x.sum(), on_unused_input="ignore", mode=mode)
    assert f([1.0, 2.0], [[1.0]], 3) == 3


@every_mode
def test_inputs_are_never_written(mode: Mode) -> None:
    x, y = T.matrix("x"), T.vector("y")
    f = function([x, y], [T.set_subtensor(x[0], y), T.exp(x), x + 1, T.inc_subtensor(x[:, 1], 1.0)],
                 mode=mode)  # fmt: skip
    value, row = np.arange(6.0).reshape(2, 3), np.ones(3)
    for _, array in layouts(value):
        before = array.copy()
        first = f(array, row)
        np.testing.assert_array_equal(array, before)
        np.testing.assert_array_equal(first[2], value + 1)


# -- updates -------------------------------------------------------------------------------------


@every_mode
def test_a_counter(mode: Mode) -> None:
    n = shared(0, "n")
    f = function([], n, updates=[(n, n + 1)], mode=mode)
    assert [int(f()) for _ in range(3)] == [0, 1, 2]
    assert int(n.get_value()) == 3
    n.set_value(10)
    assert int(f()) == 10
    assert f.get_shared() == [n]


@every_mode
def test_updates_see_the_old_values(mode: Mode) -> None:
    a, b, c = (shared(np.full(3, float(k)), name) for k, name in enumerate("abc", 1))
    f = function([], [a + b, c], updates={a: b, b: c, c: a + b + c}, mode=mode)
    for _ in range(4):
        old = [v.get_value() for v in (a, b, c)]
        total, third = f()
        np.testing.assert_array_equal(total, old[0] + old[1])
        np.testing.assert_array_equal(third, old[2])
        new = [v.get_value() for v in (a, b, c)]
        np.testing.assert_array_equal(new, [old[1], old[2], sum(old)])


UPDATES: dict[str, Callable[..., list[Any]]] = {
    "swap": lambda a, b, x: [b, a],
    "same": lambda a, b, x: [a, b],
    "both from one": lambda a, b, x: [a + x, a - x],
    "each from itself": lambda a, b, x: [a * 2 + x, T.exp(-b)],
    "each from the other": lambda a, b, x: [b * 2, a * 3],
    "transposed": lambda a, b, x: [a.T, b.T + a],
    "reversed": lambda a, b, x: [a[::-1], b[:, ::-1] + 1],
    "a part": lambda a, b, x: [T.set_subtensor(a[0], b[1]), T.inc_subtensor(b[:, 0], a[0])],
    "shifted": lambda a, b, x: [T.set_subtensor(a[1:], a[:-1]), T.set_subtensor(b[:-1], b[1:])],
    "products": lambda a, b, x: [T.dot(a, b), T.dot(b, a) + b],
    "accumulated products": lambda a, b, x: [a - 0.1 * T.dot(x, b), b + T.dot(b, x)],
    "equal": lambda a, b, x: [a + b, a + b],
    "sums": lambda a, b, x: [a - a.mean(0), b / b.sum()],
    "by broadcasting": lambda a, b, x: [a + a[0], b - b[:, :1][:, 0]],
    "gathered": lambda a, b, x: [a[[1, 0, 2]], T.inc_subtensor(b[[0, 0]], x[:2])],
    "the input": lambda a, b, x: [x, x * 1],
    "the input's transpose": lambda a, b, x: [x.T, a + x.T],
    "constants": lambda a, b, x: [T.zeros_like(a), T.ones((3, 3))],
    "reshaped": lambda a, b, x: [a.T.reshape((3, 3)), b.flatten()[::-1].reshape((3, 3))],
    "softmax": lambda a, b, x: [T.nnet.softmax(a), T.nnet.softmax(b + x, 0)],
    "a chain": lambda a, b, x: [T.tanh(a) + b, T.tanh(T.tanh(a) + b) * a],
}


@pytest.mark.one_in(3)
@every_mode
@pytest.mark.parametrize("shown", [False, True])
@pytest.mark.parametrize("which", UPDATES)
def test_updates_of_many_kinds(which: str, shown: bool, mode: Mode) -> None:
    x = T.matrix("x")
    start = [np.arange(9.0).reshape(3, 3) / 9 + 0.1, np.cos(np.arange(9.0)).reshape(3, 3) + 2]
    given = np.sin(np.arange(9.0)).reshape(3, 3)
    state = [shared(value, name) for value, name in zip(start, "ab", strict=True)]
    plain = [TensorType("float64", (None, None))(name) for name in "ab"]

    def asked(a: Any, b: Any) -> list[Any]:
        """Return new values and outputs; the new values and the old ones are among them."""
        news = UPDATES[which](a, b, x)
        return [*news, *([a, b, a * b, *news, x] if shown else [x.sum()])]

    told = asked(*state)
    f = function([x], told[2:], updates=list(zip(state, told[:2], strict=True)), mode=mode)
    g = function([*plain, x], asked(*plain), mode=ORACLE, on_unused_input="ignore")
    for _ in range(3):
        wanted = g(*(item.get_value() for item in state), given)
        results = f(given)
        held = [item.get_value(borrow=True) for item in state]
        for got, want in zip([*held, *results], wanted, strict=True):
            np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)
            count("updates", want.size)
        for number, new in enumerate(held):
            assert new.flags.c_contiguous
            assert new.flags.writeable
            for other in (*results, given, *held[:number]):
                assert not np.may_share_memory(new, other)
    np.testing.assert_array_equal(given, np.sin(np.arange(9.0)).reshape(3, 3))


@every_mode
def test_an_input_that_is_the_shared_array_itself(mode: Mode) -> None:
    x = T.matrix("x")
    w = shared(np.ones((2, 2)), "w", borrow=True)
    f = function([x], x.sum(), updates={w: w + x}, mode=mode)
    g = function([x], [x * 1, x[0]], updates={w: x.T + w}, mode=mode)
    for k in range(3):
        assert f(w.get_value(borrow=True)) == 4 * 2**k
        assert w.get_value().tolist() == [[2 ** (k + 1)] * 2] * 2
    w.set_value([[1.0, 2.0], [3.0, 4.0]])
    whole, row = g(w.get_value(borrow=True)[:, ::-1])
    assert whole.tolist() == [[2, 1], [4, 3]]
    assert row.tolist() == [2, 1]
    assert w.get_value().tolist() == [[3, 6], [4, 7]]


@every_mode
def test_arrays_handed_out_do_not_change_later(mode: Mode) -> None:
    w = shared(np.zeros(3), "w")
    f = function([], w, updates={w: w + 1}, mode=mode)
    first, copy = f(), w.get_value()
    f()
    assert first.tolist() == [0, 0, 0]
    assert copy.tolist() == [1, 1, 1]


@every_mode
def test_after_an_error_no_shared_variable_has_changed(mode: Mode) -> None:
    x, i = T.vector("x"), T.lvector("i")
    w, v = shared(np.zeros(3), "w"), shared(np.arange(4.0), "v")
    f = function([x, i], T.exp(v)[i], updates={w: w + x, v: T.inc_subtensor(v[i], 1.0)}, mode=mode)
    for size, index, error in ((4, 0, ShapeError), (3, 9, IndexError), (3, -5, IndexError)):
        with pytest.raises(error):
            f(np.ones(size), np.array([index]))
        assert w.get_value().tolist() == [0, 0, 0]
        assert v.get_value().tolist() == [0, 1, 2, 3]
    f(np.ones(3), np.array([0, 0]))
    assert w.get_value().tolist() == [1, 1, 1]
    assert v.get_value().tolist() == [2, 1, 2, 3]


@every_mode
def test_updates_may_change_the_shape(mode: Mode) -> None:
    w = shared(np.arange(3.0), "w")
    grow = function([], w.sum(), updates={w: T.concatenate([w, w[:1]])}, mode=mode)
    for n in (4, 5, 6):
        grow()
        assert w.get_value().shape == (n,)
    shrink = function([], w.shape, updates={w: w[1:]}, mode=mode)
    assert shrink().tolist() == [6]
    assert w.get_value().tolist() == [1, 2, 0, 0, 0]


@every_mode
def test_updates_of_empty_arrays_and_numbers(mode: Mode) -> None:
    w, s = shared(np.zeros((0, 3)), "w"), shared(np.float32(2.0), "s")
    f = function([], [w.sum(), s], updates={w: w * 2, s: s * s}, mode=mode)
    assert [item.tolist() for item in f()] == [0, 2]
    assert w.get_value().shape == (0, 3)
    assert s.get_value().dtype == "float32"
    assert f()[1] == 4


@every_mode
@pytest.mark.parametrize("layout", [name for name, _ in layouts(np.zeros((2, 2)))])
def test_shared_values_of_every_layout(layout: str, mode: Mode) -> None:
    value = dict(layouts(np.arange(6.0).reshape(2, 3)))[layout]
    for borrow in (False, True):
        w = shared(value, "w", borrow=borrow)
        f = function([], w.sum(0), updates={w: w + 1}, mode=mode)
        before = value.copy()
        want = before.sum(0)
        assert f().tolist() == want.tolist()
        assert (w.get_value() == before + 1).all()
        if not borrow:
            assert (value == before).all()
        w.set_value(value, borrow=borrow)
        again = value.sum(0)
        assert f().tolist() == again.tolist()


# -- givens --------------------------------------------------------------------------------------


@every_mode
def test_givens_replace_variables(mode: Mode) -> None:
    x, y, z = T.vectors("x", "y", "z")
    w = shared(np.arange(3.0), "w")
    total = (x * y).sum()
    assert function([x], total, givens={y: x + 1}, mode=mode)([1.0, 2.0]) == 8
    assert function([y], total, givens={x: w}, mode=mode)(np.ones(3)) == 3
    assert function([y], total, givens=[(x, np.ones(2))], mode=mode)([1.0, 2.0]) == 3
    middle = x + y
    out = middle * 2
    assert function([z], out, givens={middle: z}, mode=mode)([1.0]).tolist() == [2]
    assert function([x, y], total, givens={x: y, y: x}, mode=mode)([1.0], [2.0]) == 2
    f = function([z], (w * 2).sum(), givens={w: z}, updates={w: w + z}, mode=mode)
    assert f(np.ones(3)) == 6
    batch = shared(np.arange(6.0).reshape(3, 2), "data")
    i = T.lscalar("i")
    g = function([i], x.sum(), givens={x: batch[i]}, mode=mode)
    assert [float(g(k)) for k in range(3)] == [1, 5, 9]


# -- modes and the function object ---------------------------------------------------------------


@pytest.mark.needs_cc
def test_all_modes_agree() -> None:
    x = T.matrix("x")
    y = T.nnet.softmax(T.tanh(x) * 2 + x.mean(0)).sum(1)
    value = np.linspace(-3, 3, 20).reshape(4, 5)
    results = [
        function([x], y, mode=mode)(value)
        for mode in ("FAST_RUN", "FAST_COMPILE", "INTERPRET", Mode("c", "none"),
        Mode().excluding("blas"))
    ]  # fmt: skip
    for result in results:
        np.testing.assert_allclose(result, results[0], rtol=1e-13)


@pytest.mark.needs_cc
def test_calls_may_run_side_by_side() -> None:
    from concurrent.futures import ThreadPoolExecutor

    x = T.matrix("x")
    f = function([x], [T.nnet.softmax(T.dot(x, x.T)), T.exp(x).sum(0)])
    values = [np.random.default_rng(k).normal(size=(20 + k, 10)) for k in range(16)]
    alone = [f(value) for value in values]
    with ThreadPoolExecutor(4) as pool:
        for together, expected in zip(pool.map(f, values * 3), alone * 3, strict=True):
            for got, want in zip(together, expected, strict=True):
                np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("error", [RuntimeError("can't allocate read lock"), MemoryError()])
def test_missing_memory_is_a_memory_error_with_a_message(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(FunctionRecipe, "make", fail)
    x = T.dvector("x")
    with pytest.raises(MemoryError, match="function: there is not enough memory"):
        function([x], x + 1)


def test_other_errors_of_python_stay_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("something else")

    monkeypatch.setattr(FunctionRecipe, "make", fail)
    x = T.dvector("x")
    with pytest.raises(RuntimeError, match="something else"):
        function([x], x + 1)


def test_values_for_eval_are_a_dict() -> None:
    x = T.dscalar("x")
    values: Any = 1.0
    with pytest.raises(TypeError, match=r"eval: the values of inputs are a dict, not float"):
        (x * 2).eval(values)

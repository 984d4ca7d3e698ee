"""Inputs, outputs, updates and givens in all their forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import In, Mode, OrderedUpdates, Out, function, scan, shared
from symtheano.tensor.random import RandomStreams

MODE = Mode("interpret")


def made(inputs: Any, outputs: Any = None, **options: Any) -> Any:
    return function(inputs, outputs, mode=MODE, **options)


# -- In ------------------------------------------------------------------------------------------


def test_defaults() -> None:
    x, n = T.scalars("x", "n")
    f = made([x, In(n, value=2.0)], x**n)
    assert [f(3), f(3, 3), f(3, n=1), f(n=0, x=5), f(3)] == [9, 27, 3, 1, 9]
    with pytest.raises(TypeError, match=r"takes 2 inputs \(x, n\), got 1; missing: x"):
        f(n=1)
    f[n] = 4
    assert f(2) == 16
    assert f["n"] == 4
    with pytest.raises(TypeError):
        f["n"] = "four"
    assert f[n] == 4


def test_inputs_with_an_update_keep_their_value() -> None:
    x, n = T.scalars("x", "n")
    f = made([In(x, value=1.0, update=x * n), n], x)
    assert [f(n=2), f(n=3), f(n=1)] == [1, 2, 6]
    assert f[x] == 6
    assert f(10, 2) == 10, "a value that is given counts"
    assert f[x] == 20


def test_implicit_inputs_are_not_given() -> None:
    x, n = T.scalars("x", "n")
    f = made([In(x, value=7.0, implicit=True), n], x - n)
    assert f(1) == 6
    f["x"] = 1
    assert f(1) == 0
    with pytest.raises(TypeError, match=r"takes 1 input \(n\), got 2"):
        f(1, 2)
    with pytest.raises(TypeError, match="no input named 'x'"):
        f(1, x=2)


def test_theanos_short_forms() -> None:
    x, n = T.scalars("x", "n")
    assert made([x, (n, 3.0)], x - n)(1) == -2
    assert made([x, ("m", n, 3.0)], x - n)(1, m=0) == 1
    assert made([(x,), ("m", n)], x - n)(1, m=1) == 0
    f = made([((x, x + n), 10.0), n], x)
    assert [f(n=1), f(n=1)] == [10, 11]
    for wrong in ([], ["n"], (x, 1.0, 2.0), [[x, n, n], 1.0]):
        with pytest.raises(TypeError):
            made([wrong], x)


def test_containers_are_shared_where_they_are_given() -> None:
    x, w = T.scalar("x"), shared(5.0, "w")
    f = made([In(x, value=w)], x * 2)
    assert f() == 10
    w.set_value(6.0)
    assert f() == 12
    g = made([In(x, value=w.container, update=x + 1)], x)
    assert [g(), f(), w.get_value()] == [6, 14, 7]


def test_names_and_permissions() -> None:
    x = T.fvector("x")
    f = made([In(x, name="y", strict=True)], x)
    assert f(y=np.ones(1, np.float32)) == [1]
    with pytest.raises(TypeError, match="no input named 'x'"):
        f(x=np.ones(1, np.float32))
    with pytest.raises(TypeError, match="strict"):
        f([1.0])
    generous = made([In(x, allow_downcast=True)], x, allow_input_downcast=False)
    assert generous(np.array([0.1])) == np.float32(0.1)
    with pytest.raises(TypeError, match="without losing precision"):
        made([In(x, allow_downcast=False)], x, allow_input_downcast=True)(np.array([0.1]))


def test_in_refuses_nonsense() -> None:
    x = T.scalar("x")
    with pytest.raises(TypeError, match="pass value="):
        In(x, implicit=True)
    with pytest.raises(TypeError, match="no initial value"):
        In(x, update=x + 1)
    with pytest.raises(TypeError, match="is not a variable"):
        In(3)


# -- outputs -------------------------------------------------------------------------------------


def test_outputs_may_be_wrapped() -> None:
    x = T.scalar("x")
    assert made([x], Out(x * 2, borrow=True))(1) == 2
    assert made([x], [Out(x), x + 1])(1) == [1, 2]
    assert made([x], {"a": Out(x)})(1) == {"a": 1}
    assert made([x], {}, on_unused_input="ignore")(1) == []


# -- updates -------------------------------------------------------------------------------------


def test_ordered_updates() -> None:
    w, b = shared(0.0, "w"), shared(0.0, "b")
    updates = OrderedUpdates([(b, b + 1)])
    updates[w] = w + b
    assert list(updates) == [b, w]
    f = made([], [], updates=updates)
    f()
    f()
    assert [w.get_value(), b.get_value()] == [1, 2]
    assert list(OrderedUpdates({w: 1}) + {b: 2}) == [w, b]
    pairs: Any = [(w, 1)]
    assert list(pairs + OrderedUpdates({b: 2})) == [w, b]
    assert isinstance(updates.copy(), OrderedUpdates)
    with pytest.raises(KeyError, match="two new values"):
        updates.update({w: w})
    updates.update({w: updates[w]})
    with pytest.raises(TypeError, match="not a shared variable"):
        updates[T.scalar()] = 1
    with pytest.raises(TypeError, match="not names"):
        OrderedUpdates(w=1)


def test_updates_in_every_form() -> None:
    for form in (dict, list, tuple, OrderedUpdates, iter):
        w = shared(1.0, "w")
        pairs = [(w, w * 3)]
        made([], [], updates=form(pairs))()  # type: ignore[operator]
        assert w.get_value() == 3


def test_updates_that_are_refused_change_nothing() -> None:
    w = shared(1.0, "w")
    with pytest.raises(ValueError, match="w is updated twice"):
        made([], updates=[(w, w + 1), (w, w + 2)])
    with pytest.raises(TypeError, match="is updated but is not a shared variable"):
        made([], updates=[(T.scalar("x"), w)])
    with pytest.raises(ValueError, match="pairs"):
        made([], updates=[w])
    with pytest.raises(TypeError, match="another type"):
        made([], updates=[(w, T.ones(3))])
    assert w.get_value() == 1


# -- givens --------------------------------------------------------------------------------------


def test_givens_in_every_form() -> None:
    x, y, w = T.scalar("x"), T.scalar("y"), shared(4.0, "w")
    z = x * y
    inner = x + 1
    for form in (dict, list, tuple):
        assert made([y], z, givens=form([(x, y + 1)]))(2) == 6  # type: ignore[operator]
    assert made([y], z, givens={x: w})(2) == 8
    assert made([y], z, givens={x: 3})(2) == 6
    assert made([y], z, givens={x: np.float64(3)})(2) == 6
    assert made([x], w * x, givens={w: x + x})(3) == 18
    assert made([y], inner * 2, givens={inner: y})(3) == 6
    assert made([x, y], z, givens={x: y, y: x})(2, 3) == 6
    assert made([], [], updates={w: w + x}, givens={x: w})() == []
    assert w.get_value() == 8


def test_givens_of_another_type() -> None:
    x, y = T.fscalar("x"), T.dscalar("y")
    with pytest.raises(TypeError, match="another type"):
        made([y], x * 2, givens={x: y})
    result = made([y], x * 2, givens={x: y}, rebuild_strict=False)(0.1)
    assert result == 0.2
    assert result.dtype == np.float64
    with pytest.raises(ValueError, match="replace x twice"):
        made([y], x * 2, givens=[(x, 1), (x, 2)])
    with pytest.raises(TypeError, match="givens can only replace variables"):
        made([y], x * 2, givens=[("x", 1)])


def test_what_computes_an_input_is_not_part_of_the_function() -> None:
    x, srng = T.vector("x"), RandomStreams(3)
    noise = srng.normal(x.shape)
    z = x + noise
    state = srng.state_updates[0][0]
    before = state.get_value().bit_generator.state
    f = made([z], z * 2)
    assert f([1.0, 2.0]).tolist() == [2, 4]
    fixed = srng.normal((2,))
    total = x + fixed
    g = made([total], total.sum())
    assert g([1.0, 2.0]) == 3
    assert g.shared == f.shared == []
    assert state.get_value().bit_generator.state == before
    h = made([x], z)
    assert h.shared == [state]
    h([1.0, 2.0])
    assert state.get_value().bit_generator.state != before


def test_givens_do_not_change_a_computed_input() -> None:
    x, y = T.scalars("x", "y")
    middle = x * 2
    f = made([middle, x], middle + x, givens={x: x + 10})
    assert f(1.0, 5.0) == 16
    assert made([middle, y], middle * x, givens={x: y})(3.0, 4.0) == 12
    assert made([x], x * 2, givens={x: x + 1})(1.0) == 4


def test_a_loop_behind_an_input_updates_nothing() -> None:
    srng = RandomStreams(5)
    rows, _ = scan(lambda: srng.normal((2,)), n_steps=3)
    f = made([rows], rows.sum())
    assert f.request.updates == []
    assert f(np.ones((3, 2))) == 6


def test_keys_of_outputs_may_be_variables() -> None:
    x = T.scalar("x")
    found = made([x], {x: x + 1, 2: x * 2, "c": x})(3.0)
    assert found == {x: 4, 2: 6, "c": 3}


def test_names_are_texts() -> None:
    with pytest.raises(TypeError, match="name of x is a text, not list"):
        In(T.scalar("x"), name=[])  # type: ignore[arg-type]

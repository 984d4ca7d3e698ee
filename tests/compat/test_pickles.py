"""Pickles that Theano 1.0.5 has written: ``data/`` has some, with the values that it computed."""

from __future__ import annotations

import io
import lzma
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano.compat import pickles

DATA = Path(__file__).parent / "data"
VALUE = np.array([[0.0, 1.0], [1.0, 0.5], [-1.0, 2.0]])
"""What Theano's function was called with."""


def read(name: str) -> Any:
    with (DATA / name).open("rb") as file:
        return pickle.load(file)


def test_shared_variables(theano: Any) -> None:
    stored = read("shared.pkl")
    w, b, count = stored["w"], stored["b"], stored["count"]
    assert [item.name for item in (w, b, count)] == ["w", "b", "count"]
    assert w.type == theano.tensor.dmatrix
    assert b.dtype == "float32"
    np.testing.assert_array_equal(w.get_value(), np.arange(6.0).reshape(2, 3))
    f = theano.function([], w.sum(), updates=[(count, count + 1)])
    assert float(f()) == 15.0
    assert int(count.get_value()) == 1
    w.set_value(np.ones((1, 1)))
    assert float(f()) == 1.0


def test_an_expression_has_theanos_values(theano: Any) -> None:
    x, loss, place = read("expression.pkl")
    assert x.name == "x"
    f = theano.function([x], [loss, place])
    value, places = f(VALUE)
    np.testing.assert_allclose(value, -3413.842790356675, rtol=1e-12)
    assert places.tolist() == [2, 2, 2]
    assert theano.tensor.grad(loss, x).type == x.type
    again = pickle.loads(pickle.dumps((x, loss)))
    np.testing.assert_allclose(theano.function([again[0]], again[1])(VALUE), value)


def test_a_function_has_its_defaults_and_updates(theano: Any) -> None:
    f = read("function.pkl")
    for _ in range(2):
        top, loss = f(VALUE)
        np.testing.assert_allclose(
            top, [0.33393691575815176, 0.34422876940243, 0.3333348334723975], rtol=1e-12
        )
        np.testing.assert_allclose(loss, -3413.842790356675, rtol=1e-12)
    (count,) = [item for item in f.get_shared() if item.name == "count"]
    assert int(count.get_value()) >= 2


def test_archives(theano: Any) -> None:
    from theano.misc import pkl_utils

    with (DATA / "parameters.zip").open("rb") as file:
        w, b = pkl_utils.load(file)
    np.testing.assert_array_equal(w.get_value(), np.arange(6.0).reshape(2, 3))
    assert b.name == "b"
    written = io.BytesIO()
    pkl_utils.dump([w, w, np.arange(3)], written)
    written.seek(0)
    assert sorted(np.load(written).files) == ["array_0", "pkl", "w"]
    written.seek(0)
    first, second, array = pkl_utils.load(written)
    assert first is second
    assert array.tolist() == [0, 1, 2]


def test_loops_and_their_gradients_have_theanos_values(theano: Any) -> None:
    with lzma.open(DATA / "loops.pkl.xz") as file:
        stored = pickle.load(file)
    # Taps of a sequence and of two states, a parameter, and a loop that ends by a condition.
    f = theano.function([stored["x"]], stored["results"])
    cost, by_x, by_w, powers = f(np.arange(10.0).reshape(5, 2) / 7)
    np.testing.assert_allclose(cost, 8.343698723943938, rtol=1e-12)
    wanted = [
        [-1.168405136870557, -0.6504789642790701],
        [1.4353633808182376, 0.7283237699060446],
        [1.156166138337384, 0.7334748112927876],
        [0.7493707157631514, 0.02350831916280249],
        [1.0881691585071736, 1.6001573857200102],
    ]
    np.testing.assert_allclose(by_x, wanted, rtol=1e-12)
    np.testing.assert_allclose(by_w, [1.9053605116510677, 1.5101242762703784], rtol=1e-12)
    assert powers.tolist() == [2.0, 4.0, 8.0, 16.0, 32.0]


def test_draws_have_theanos_numbers(theano: Any) -> None:
    with lzma.open(DATA / "loops.pkl.xz") as file:
        stored = pickle.load(file)
    f = theano.function([], stored["draws"])
    f()
    normal, order, uniform = f()
    wanted = [-0.786899848972806, -0.1695308875622082, 0.47170838944529264, 1.0087058331544483]
    assert normal.ravel().tolist() == wanted
    assert order.tolist() == [[3, 1, 2, 0], [1, 0, 2, 3]]
    wanted = [0.00956428004428744, 0.946116616949439, 0.45005689933896065]
    np.testing.assert_allclose(uniform, wanted, rtol=1e-14)
    walk = theano.function([], stored["walk"], updates=stored["walk_updates"])
    assert walk()[-1].tolist() == [1.3648254717403538, 1.5846691076666055]
    assert walk()[-1].tolist() == [2.5363508400755355, 0.882409768921515]


def test_states_of_draws_need_a_program_of_theano() -> None:
    with (
        lzma.open(DATA / "loops.pkl.xz") as file,
        pytest.raises(NotImplementedError, match="Random"),
    ):
        pickles.load(file)


def test_what_is_not_known_can_be_read_but_not_computed(theano: Any) -> None:
    data = (DATA / "expression.pkl").read_bytes().replace(b"\nSoftmax\n", b"\nHardmax\n")
    x, loss, _ = pickle.loads(data)
    with pytest.raises(NotImplementedError, match=r"theano\.tensor\.nnet\.nnet\.Hardmax"):
        theano.function([x], loss)(VALUE)


def test_pickles_of_python_2() -> None:
    array = np.arange(3.0)
    reduced = array.__reduce__()
    assert reduced[2][4] == array.tobytes()
    # Protocol 0 of Python 2 has bytes as texts.
    old = b"(dp0\nS'weights'\np1\nS'\\xff\\x00\\xe9'\np2\ns."
    assert pickles.loads(old) == {"weights": "\xff\x00\xe9"}
    assert pickles.loads(old.decode("latin1")) == {"weights": "\xff\x00\xe9"}


def test_a_broken_pickle_leaves_nothing_behind() -> None:
    from symtheano.compat.pickles.variables import nodes_read

    data = (DATA / "expression.pkl").read_bytes()
    with pytest.raises((pickle.UnpicklingError, EOFError)):
        pickles.loads(data[:-20])
    assert nodes_read() == 0


def test_only_within_a_program_of_theano() -> None:
    with pytest.raises((ImportError, AttributeError)):
        read("shared.pkl")

"""as_op: Python functions inside compiled ones, and what happens if they break their promises."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, grad
from symtheano.errors import NullTypeGradError
from symtheano.tensor.as_op import FromFunctionOp, as_op
from tests.support.compare import Array

MODES = ["FAST_RUN", "FAST_COMPILE", "INTERPRET"]


@as_op(itypes=[T.dmatrix, T.lscalar], otypes=[T.dvector, T.lvector])
def ranked(x: Array, column: Any) -> tuple[Array, Array]:
    """Sort by a column."""
    order = np.argsort(x[:, int(column)])
    return x[order, int(column)], order


@as_op(T.dvector, T.dvector, infer_shape=lambda node, shapes: [(shapes[0][0] + 1,)])
def padded(x: Array) -> Array:
    """Put a zero behind."""
    return np.append(x, 0.0)


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", MODES)
def test_functions_run_inside_compiled_ones(mode: str) -> None:
    x, k = T.dmatrix("x"), T.lscalar("k")
    values, order = ranked(T.exp(x), k)
    wider = padded(values) * 2
    f = function([x, k], [values, order, wider, wider.shape[0]], mode=mode)
    a = np.array([[3.0, 1.0], [1.0, 2.0], [2.0, 0.0]])
    got = f(a, 0)
    np.testing.assert_allclose(got[0], np.exp([1.0, 2.0, 3.0]))
    np.testing.assert_array_equal(got[1], [1, 2, 0])
    np.testing.assert_allclose(got[2], [*(2 * got[0]), 0.0])
    assert got[3] == 4
    assert f(np.zeros((0, 2)), 1)[2].shape == (1,)


def test_the_shape_is_known_before_the_function_has_run() -> None:
    called = []

    @as_op([T.dvector], [T.dvector], lambda node, shapes: shapes)
    def noted(x: Array) -> Array:
        called.append(x)
        return x * 2

    x = T.dvector("x")
    for mode in MODES[:2]:
        assert function([x], noted(x).shape[0], mode=mode)([1.0, 2.0]) == 2
    assert not called
    assert function([x], noted(x), mode="INTERPRET")([1.0])[0] == 2
    assert len(called) == 1


def test_numbers_become_constants_and_other_types_are_refused() -> None:
    x = T.dmatrix("x")
    assert ranked(x, 1)[1].type == T.lvector
    with pytest.raises(TypeError, match=r"the inputs do not have the types in itypes") as caught:
        ranked(T.fmatrix("f"), 0)
    message = str(caught.value)
    assert "wanted TensorType(float64, matrix)" in message
    assert 'ranked(T.fmatrix("f"), 0)' in message
    with pytest.raises(ValueError, match="takes 2 inputs, got 1"):
        ranked(x)
    with pytest.raises(TypeError, match="itypes contains function"):
        as_op([T.matrix], [T.dmatrix])
    with pytest.raises(TypeError, match="otypes contains str 'float64'"):
        as_op([T.dmatrix], "float64")
    with pytest.raises(TypeError, match="infer_shape int 3 can't be called"):
        as_op([T.dmatrix], [T.dmatrix], infer_shape=3)  # type: ignore[arg-type]


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", MODES[::2])
def test_results_other_than_promised(mode: str) -> None:
    results = {
        "two of them": (
            [np.ones(2), np.ones(2)],
            ValueError,
            "returned 2 results, but otypes has 1",
        ),
        "more dims": (np.ones((2, 2)), TypeError, "takes 1, got 2 with shape"),
        "complex": (np.ones(2, "complex128"), TypeError, "can't take complex numbers"),
        "fractions": (np.array([0.5, 1.5]), TypeError, "float64.* can't become int64"),
        "nothing": (None, TypeError, "NoneType"),
    }
    for name, (result, kind, words) in results.items():
        dtype = T.lvector if name == "fractions" else T.dvector
        op = as_op([T.dvector], [dtype])(lambda x, result=result: result)
        x = T.dvector("x")
        with pytest.raises(kind, match=words) as caught:
            function([x], op(x) * 2, mode=mode)(np.ones(2))
        assert "function([x], op(x) * 2, mode=mode)" in str(caught.value)


@pytest.mark.needs_cc
def test_numbers_and_lists_are_taken_and_precision_follows_the_type() -> None:
    number = as_op([T.dvector], [T.dscalar])(lambda x: float(x.sum()))
    listed = as_op([T.dvector], [T.fvector])(lambda x: x / 3)
    x = T.dvector("x")
    total, third = function([x], [number(x), listed(x)])([1.0, 2.0])
    assert total == 3
    assert third.dtype == "float32"
    np.testing.assert_array_equal(third, np.array([1 / 3, 2 / 3], "float32"))


@pytest.mark.needs_cc
@pytest.mark.parametrize("mode", MODES[::2])
def test_an_input_may_be_returned_as_it_is(mode: str) -> None:
    same = as_op([T.dvector], [T.dvector])(lambda x: x)
    x = T.dvector("x")
    a = np.array([1.0, 2.0])
    result, other = function([x], [same(x), x + 0], mode=mode)(a)
    result[0] = 9
    np.testing.assert_array_equal(a, [1, 2])
    np.testing.assert_array_equal(other, [1, 2])


def test_there_is_no_gradient() -> None:
    x = T.dvector("x")
    with pytest.raises(NullTypeGradError, match="padded"):
        grad(padded(x).sum(), x)


def test_equality_names_and_pickles() -> None:
    def plain(x: Array) -> Array:
        return x

    first = as_op([T.dvector], [T.dvector])(plain)
    assert first == as_op(T.dvector, T.dvector)(plain)
    assert hash(first) == hash(as_op(T.dvector, T.dvector)(plain))
    assert first != as_op(T.fvector, T.dvector)(plain)
    assert str(padded) == "FromFunctionOp{padded}"
    assert padded.__doc__ == "Put a zero behind."
    assert pickle.loads(pickle.dumps(ranked)) is ranked
    x = T.dvector("x")
    twin = pickle.loads(pickle.dumps(padded(x)))
    assert twin.owner.op is padded
    assert isinstance(padded, FromFunctionOp)
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(first)
    renamed = pickle.dumps(ranked).replace(b"ranked", b"absent")
    with pytest.raises(AttributeError, match=r"the op 'absent' of the module .* is not there"):
        pickle.loads(renamed)


def test_equal_calls_are_one() -> None:
    called = []

    @as_op([T.dvector], [T.dvector])
    def counted(x: Array) -> Array:
        called.append(1)
        return x * 2

    x = T.dvector("x")
    function([x], [counted(x) + counted(x)], mode="INTERPRET")([1.0])
    assert len(called) == 1

"""Conditions checked in every call."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.graph.encode import graph_digest
from symtheano.tensor.assertion import Assert, AssertOrRaise, assert_op, required
from symtheano.tensor.vectorize import vectorize_graph
from tests.support.compare import check, compiled, oracle, outcome

pytestmark = pytest.mark.needs_cc


def test_conditions_that_hold_change_nothing() -> None:
    x, n = T.matrix("x"), T.lscalar("n")
    outputs = [
        assert_op(x, n > 0), Assert("no")(x * 2, T.all(x > 0), n).sum(0), assert_op(x),
        assert_op(x, x > 0) + 1, assert_op(x, True), assert_op(n, n > 0) * 2,
    ]  # fmt: skip
    value = np.ones((2, 3))
    check(
        [x, n], outputs, [[value, np.array(3)]],
        lambda x, n: [x, (x * 2).sum(0), x, x + 1, x, n * 2], kind="assertions",
    )  # fmt: skip


def test_conditions_that_fail() -> None:
    x, n = T.matrix("x"), T.lscalar("n")
    for output in (Assert("n is positive")(x, n > 0), Assert("n is positive")(x, x > 0, n)):
        f, g = compiled([x, n], output), oracle([x, n], output)
        for h in (f, g):
            with pytest.raises(AssertionError, match="n is positive"):
                h(np.ones((1, 2)), 0)
        assert f(np.ones((1, 2)), 1).tolist() == [[1, 1]]
    y = required(x, n > 0, "f: n is positive")
    for h in (compiled([x, n], y), oracle([x, n], y)):
        assert outcome(h, [np.ones((1, 2)), np.array(0)]) == (ValueError, "f: n is positive")


def test_errors_of_another_class() -> None:
    x, n = T.matrix("x"), T.lscalar("n")
    op = AssertOrRaise("n is positive", "builtins", "LookupError")
    assert op == AssertOrRaise("n is positive", "builtins", "LookupError")
    assert op != AssertOrRaise("n is positive", "builtins", "KeyError")
    y = op(x, n > 0)
    assert graph_digest([x, n], [y]) is not None
    for h in (compiled([x, n], y), oracle([x, n], y)):
        with pytest.raises(LookupError, match="n is positive"):
            h(np.ones((1, 2)), 0)
        assert h(np.ones((1, 2)), 1).tolist() == [[1, 1]]


def test_conditions_are_compiled_in_the_form_of_what_is_computed() -> None:
    x = T.vector("x")
    for y in (T.special.softmax(x), T.special.log_softmax(x), T.special.logsumexp(x)):
        f = function([x], assert_op(y, T.all(T.isfinite(y))) * 2)
        assert f._linked is not None
        assert not f._linked.python
        assert f([0.0, 0.0]).tolist() == (2 * y.eval({x: [0.0, 0.0]})).tolist()
        with pytest.raises(AssertionError):
            f([np.nan, 0.0])


def test_conditions_known_to_fail_fail_in_the_call() -> None:
    x = T.vector("x")
    for make in (compiled, oracle):
        f = make([x], Assert("never")(T.constant([3.0]), T.constant(False)) + x)
        with pytest.raises(AssertionError, match="never"):
            f([1.0])


def test_gradients_pass_through() -> None:
    point = np.array([1.0, 2.0])
    verify_grad(lambda x: assert_op(x, x > 0) ** 2, [point])
    verify_rop(lambda x: assert_op(x, x > 0) ** 2, [point])


def test_conditions_of_batches() -> None:
    x, xs, n, ns = T.vector("x"), T.matrix("xs"), T.lscalar("n"), T.lvector("ns")
    y = vectorize_graph(assert_op(x, n > 0) * 2, {x: xs, n: ns})
    assert y.eval({xs: [[1.0], [2.0]], ns: [1, 2]}).tolist() == [[2.0], [4.0]]
    with pytest.raises(AssertionError, match="a condition does not hold"):
        y.eval({xs: [[1.0], [2.0]], ns: [1, 0]})

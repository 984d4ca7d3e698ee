"""What an expression was made from counts as used, though nothing in its graph leads there."""

from collections.abc import Callable
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import Lop, Rop, function, grad, gradient
from symtheano.errors import UnusedInputError
from symtheano.graph.sources import differentiated, expressed_by, gradients_of, made_from

FORMS: dict[str, tuple[Any, Callable[[Any], Any], Any]] = {
    "gradient of a line": (T.dscalar, lambda s: grad(2 * s, s), 2.0),
    "gradient of a step": (T.dscalar, lambda s: grad(T.floor(s), s), 0.0),
    "zero gradient": (T.dscalar, lambda s: grad(gradient.zero_grad(s), s), 0.0),
    "gradient of an integer": (T.lscalar, lambda n: grad(n * 1.0, n), 1.0),
    "second derivative": (T.dscalar, lambda s: grad(grad(3 * s, s) * 1.0 + 0 * s, s), 0.0),
    "Rop": (T.dscalar, lambda s: Rop(2 * s, s, T.constant(1.0)), 2.0),
    "Lop": (T.dscalar, lambda s: Lop(2 * s, s, T.constant(1.0)), 2.0),
    "Jacobian": (T.dscalar, lambda s: T.jacobian(2 * s, s), 2.0),
    "size": (T.dscalar, lambda s: s.size, 1),
    "size in an expression": (T.dscalar, lambda s: 2 * s.size + 1, 3),
    "shape": (T.dscalar, lambda s: s.shape, []),
    "shape of a number": (T.dmatrix, lambda m: T.nlinalg.det(m).shape, []),
    "shape of a shape": (T.dvector, lambda v: v.shape.shape, [1]),
    "known length": (T.drow, lambda r: r.shape[0] * 2, 2),
    "ones": (T.dscalar, lambda s: T.ones_like(s), 1.0),
    "mean of ones": (T.dscalar, lambda s: T.ones_like(s).mean(), 1.0),
    "zeros of a shape": (T.dscalar, lambda s: T.zeros(s.shape), 0.0),
    "full": (T.dscalar, lambda s: T.full_like(s, 7), 7.0),
    "range": (T.dscalar, lambda s: T.arange(s.size), [0]),
    "sum of nothing": (T.dscalar, lambda s: T.prod(s.shape), 1),
    "what cancels": (T.dscalar, lambda s: s - s, 0.0),
}
VALUES = {0: 3, 1: [3.0, 4.0], 2: [[2.0]]}


@pytest.mark.parametrize("form", FORMS)
def test_an_input_that_only_the_expression_was_made_from_is_used(form: str) -> None:
    make, express, wanted = FORMS[form]
    x = make("x")
    f = function([x], express(x), mode="INTERPRET")
    assert f(VALUES[x.ndim]).tolist() == wanted


def test_known_lengths_and_zeros_of_known_shape() -> None:
    x = T.TensorType("float64", (2, 3))("x")
    made = [x.shape, x.shape[0], x.size, T.zeros_like(x), T.zeros(x.shape), x.zeros_like(),
            T.jacobian(2 * x, x).sum()]  # fmt: skip
    for expression in made:
        assert x in set(expressed_by([expression]))


def test_other_inputs_are_still_unused() -> None:
    s, t = T.dscalars("s", "t")
    for expression in (grad(2 * s, s), s.size, T.ones_like(s), s + 1):
        with pytest.raises(UnusedInputError, match="t"):
            function([s, t], expression)
    # What is computed elsewhere from an input does not make it used here.
    t.ones_like()
    with pytest.raises(UnusedInputError, match="t"):
        function([s, t], s)


def test_what_stands_for_a_used_input_is_used() -> None:
    s, t, u = T.dscalars("s", "t", "u")
    f = function([t], grad(2 * s, s), givens={s: t + 1}, mode="INTERPRET")
    assert f(1.0) == 2.0
    with pytest.raises(UnusedInputError, match="u"):
        function([t, u], s, givens={s: t, grad(2 * s, s): u})


def test_inputs_that_are_computed_elsewhere_hide_what_they_were_made_from() -> None:
    s = T.dscalar("s")
    double = 2 * s
    with pytest.raises(UnusedInputError):
        function([s, double], grad(double**2, double))


def test_a_variable_of_the_users_is_made_from_nothing() -> None:
    s, t = T.dscalars("s", "t")
    point = t * 2
    assert made_from(s, [t]) is s
    assert set(expressed_by([s])) == {s}
    assert Lop(s, s, point) is point
    assert s not in set(expressed_by([point]))


def test_a_gradient_knows_by_what_and_of_what_it_is() -> None:
    x, y = T.dvectors("x", "y")
    cost = T.sqr(x * 2 + y).sum()
    by_x, by_y = grad(cost, [x, y])
    assert gradients_of(by_x) == [(x, cost)]
    assert gradients_of(by_y) == [(y, cost)]
    # The gradient by an inner sum is that by one of its terms.
    inner = x + y
    outer = T.exp(inner).sum()
    first, second = grad(outer, [inner, x])
    assert first is second
    assert gradients_of(first) == [(inner, outer), (x, outer)]
    assert differentiated(first) is inner
    assert gradients_of(cost) == gradients_of(x) == []
    assert gradients_of(grad(None, y, known_grads={cost: T.constant(1.0)})) == []

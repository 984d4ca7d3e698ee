"""Random variables with NumPy's order of arguments have NumPy's numbers."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.tensor.random.generator import Generator, default_rng

CASES = [
    "random(3)", "uniform(-1.0, 2.0, 4)", "normal(10.0, 2.0, (2, 3))", "standard_normal(5)",
    "exponential(2.0, 3)", "gamma(3.0, 2.0, 3)", "laplace(1.0, 2.0, 3)", "integers(5, size=8)",
    "integers(2, 5, 8)", "integers(2, 5, 8, endpoint=True)", "binomial(9, 0.5, 4)",
    "poisson(3.0, 5)", "permutation(6)", "normal(0.0, 1.0, 0)", "normal(size=(1, 1))",
]  # fmt: skip


@pytest.mark.parametrize("text", CASES)
def test_the_numbers_are_those_of_numpy(text: str) -> None:
    f = function([], eval(f"rng.{text}", {"rng": default_rng(7)}), mode="INTERPRET")
    plain = np.random.default_rng(7)
    for _ in range(2):
        want = eval(f"rng.{text}", {"rng": plain})
        got = f()
        assert got.shape == np.shape(want)
        if "permutation" in text or "laplace" in text:
            continue  # of the same distribution, by another method
        np.testing.assert_allclose(got, want, rtol=1e-12)


def test_shapes_and_values_of_the_others() -> None:
    rng = default_rng(3)
    items = np.array([1.5, 2.5, 4.0])
    made = [
        rng.beta(2.0, 3.0, 50), rng.multinomial(9, [0.5, 0.25, 0.25], 4), rng.choice(items, 20),
        rng.choice(5, 5, replace=False), rng.choice(items, 20, p=[0.0, 1.0, 0.0]),
        rng.permutation(items), rng.permutation(7), rng.laplace(0.0, 1.0, 20000),
    ]  # fmt: skip
    beta, counts, some, all_five, same, shuffled, order, laplace = function(
        [], made, mode="INTERPRET"
    )()
    assert ((beta > 0) & (beta < 1)).all()
    assert counts.sum(1).tolist() == [9] * 4
    assert set(some) <= set(items)
    assert some.dtype == "float64"
    assert sorted(all_five) == [0, 1, 2, 3, 4]
    assert set(same) == {2.5}
    assert sorted(shuffled) == sorted(items)
    assert sorted(order) == list(range(7))
    assert abs(laplace.var() - 2) < 0.1


def test_parameters_and_sizes_may_be_symbolic() -> None:
    mean, n = T.dvector("mean"), T.iscalar("n")
    rng = default_rng(1)
    f = function([mean, n], [rng.normal(mean), rng.normal(size=(n, 2))], mode="INTERPRET")
    first, second = f([0.0, 1000.0], 3)
    assert first[1] > 900 > first[0]
    assert second.shape == (3, 2)
    g = function([mean], rng.permutation(mean), mode="INTERPRET")
    assert sorted(g([3.0, 1.0])) == [1.0, 3.0]


def test_one_variable_has_one_value_in_a_call_and_another_one_in_the_next() -> None:
    x = T.random.normal(size=4)
    f = function([], [x, x + 0, T.random.normal(size=4)], mode="INTERPRET")
    first, same, other = f()
    assert (first == same).all()
    assert (first != other).all()
    assert (f()[0] != first).all()


def test_gradients_go_through_parameters() -> None:
    mean, std = T.dscalar(), T.dscalar()
    x = default_rng(0).normal(mean, std, 3, dtype="float64")
    slopes = function([mean, std], T.grad(x.sum(), [mean, std]), mode="INTERPRET")(5.0, 2.0)
    standard = np.random.default_rng(0).normal(size=3)
    np.testing.assert_allclose(slopes, [3.0, standard.sum()])


def test_the_generator_of_the_process_can_be_seeded() -> None:
    def drawn() -> Any:
        T.random.seed(11)
        return function([], [T.random.uniform(size=2), T.random.random(2)], mode="INTERPRET")()

    first, second = drawn(), drawn()
    assert np.array_equal(first, second)
    assert not np.array_equal(first[0], first[1])
    np.testing.assert_array_equal(first[0], np.random.default_rng(11).uniform(size=2))


def test_a_generator_does_not_hold_its_variables() -> None:
    rng = Generator(0)
    reference = weakref.ref(rng.normal(size=3).owner)
    gc.collect()
    assert reference() is None


def test_names_and_arguments_of_tensorflow() -> None:
    f = function(
        [], [T.random.random_normal((2, 3), 1.0, 2.0, seed=4), T.random.random_uniform(5, seed=4)],
        mode="INTERPRET",
    )  # fmt: skip
    normal, uniform = f()
    np.testing.assert_allclose(normal, np.random.default_rng(4).normal(1.0, 2.0, (2, 3)))
    np.testing.assert_allclose(uniform, np.random.default_rng(4).uniform(size=5))
    assert T.random.random_normal(dtype="float32").type == T.fscalar
    assert T.random.random_uniform((2,), 1, 2).type.shape == (2,)

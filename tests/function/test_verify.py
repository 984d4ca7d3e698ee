"""numeric_grad: central differences of Python functions, and errors of gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Apply, Op
from symtheano.errors import GradientError
from symtheano.function.verify import numeric_grad, verify_grad, verify_rop
from symtheano.gradient import grad_scale, zero_grad


def test_an_array_and_a_list() -> None:
    x, y = np.array([[0.3, -0.5]]), np.array(2.0)
    one = numeric_grad(lambda a: np.sin(a).sum(), x)
    np.testing.assert_allclose(one.gf, np.cos(x), 1e-8)
    both = numeric_grad(lambda a, b: (a**2 * b).sum(), [x, y])
    assert isinstance(both.gf, list)
    np.testing.assert_allclose(both.gf[0], 4 * x, 1e-8)
    np.testing.assert_allclose(both.gf[1], (x**2).sum(), 1e-8)
    assert numeric_grad(lambda a: a.sum(), np.zeros((0, 2))).gf.shape == (0, 2)


def test_coarse_dtypes_take_larger_steps() -> None:
    x = np.array([0.3, -0.5], "float32")
    found = numeric_grad(lambda a: (a**3).sum(), x)
    assert found.gf.dtype == "float32"
    np.testing.assert_allclose(found.gf, 3 * x**2, 1e-3)
    coarse = numeric_grad(
        lambda a: (a**3).sum().astype("float32"), x.astype("float64"), out_type="float32"
    )
    np.testing.assert_allclose(coarse.gf, 3 * x**2, 1e-3)
    exact = numeric_grad(lambda a: (a**2).sum(), np.array([1.0]), eps=0.5)
    assert exact.gf.tolist() == [2.0]


def test_complex_points() -> None:
    z = np.array([1 + 2j])
    found = numeric_grad(lambda a: float(np.abs(a[0]) ** 2), z)
    np.testing.assert_allclose(found.gf, 2 * z, 1e-6)


def test_where_a_gradient_is_off_most() -> None:
    x, y = np.array([1.0, 2.0, 3.0]), np.array([1.0])
    found = numeric_grad(lambda a, b: (a**2).sum() * b[0], [x, y])
    good = [2 * x, np.array([14.0])]
    assert found.max_err(good, 1e-4, 1e-4)[2] < 1e-6
    bad = [2 * x + np.array([0.0, 0.5, 0.1]), good[1]]
    argument, place, absolute, relative = found.max_err(bad, 1e-4, 1e-4)
    assert (argument, place) == (0, 1)
    assert absolute == pytest.approx(0.5)
    assert relative == pytest.approx(0.5 / 8.5)
    lost = [good[0], np.array([np.nan])]
    assert found.max_err(lost, 1e-4, 1e-4)[:2] == (1, 0)
    with pytest.raises(ValueError, match="1 gradients for 2 arguments"):
        found.max_err([x], 1, 1)
    with pytest.raises(ValueError, match=r"has shape \(3,\), but the argument has shape \(1,\)"):
        found.max_err([x, x], 1, 1)


def test_integers_are_refused() -> None:
    with pytest.raises(TypeError, match="points must be float or complex, got int64"):
        numeric_grad(lambda a: a.sum(), np.arange(3))


def uniform(*shape: int, low: float = -1.0) -> np.ndarray:
    return np.random.default_rng(0).uniform(low, 1, shape)


def test_verify_grad_finds_a_wrong_gradient() -> None:
    points = [uniform(3, low=0.5), uniform(3)]
    with pytest.raises(GradientError, match="argument 1 is wrong at 3 of 3 places"):
        verify_grad(lambda x, y: x * grad_scale(y, 1.01), points, mode="INTERPRET")
    with pytest.raises(GradientError, match="wrong at 1 of 4"):
        verify_grad(
            lambda x: T.set_subtensor(x[:1], zero_grad(x[:1])), [uniform(4)], mode="INTERPRET"
        )
    with pytest.raises(TypeError, match="points must be float or complex"):
        verify_grad(T.exp, [np.arange(3)])
    with pytest.raises(TypeError, match="has no gradient"):
        verify_grad(lambda x: x > 0, [uniform(3)])
    assert T.verify_grad is verify_grad


def test_right_gradients_pass_in_every_dtype() -> None:
    for dtype in ("float16", "float32", "float64"):
        x = np.array([0.5, -0.3]).astype(dtype)
        verify_grad(lambda x: T.tanh(x) ** 2, [x], n_tests=1, mode="INTERPRET")
    verify_grad(lambda z: z * z.conj(), [np.array([1 + 2j])], n_tests=1, mode="INTERPRET")
    verify_grad(lambda x, y: T.dot(x, y), [uniform(2, 3), uniform(3, 1)], mode="INTERPRET")


def test_the_message_shows_the_largest_difference() -> None:
    with pytest.raises(
        GradientError, match=r"(?s)gradient at \(1,\).*finite differences"
    ) as caught:
        verify_grad(
            lambda x: x[0] + x[1] ** 2 + zero_grad(x[1]) * 3, [np.array([0.2, 0.5])],
            mode="INTERPRET",
        )  # fmt: skip
    assert "test_verify.py" in str(caught.value)


def test_tolerances_of_ones_own() -> None:
    def wrong(x: object) -> object:
        return T.exp(x) * grad_scale(x, 1.01)

    points = [np.array([0.5])]
    with pytest.raises(GradientError):
        verify_grad(wrong, points, mode="INTERPRET")
    verify_grad(wrong, points, mode="INTERPRET", rel_tol=0.05)
    verify_grad(wrong, points, mode="INTERPRET", abs_tol=1.0)
    verify_grad(wrong, points, mode="INTERPRET", eps=1e-4, abs_tol=1.0, rng=3)


class Doubled(Op):
    """Twice an array, with a wrong gradient and a right derivative in a direction."""

    __props__ = ()

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type()])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[Any]:
        return shapes

    def perform(self, node: Apply, inputs: Any, output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = inputs[0] * 2

    def grad(self, inputs: Any, output_gradients: Any) -> list[Any]:
        return [output_gradients[0] * 3]

    def R_op(self, inputs: Any, eval_points: Any) -> list[Any]:
        return [eval_points[0] * 2]


def test_forward_and_backward_derivatives_are_compared() -> None:
    verify_rop(lambda x: T.tanh(x) ** 2, [uniform(3)], mode="INTERPRET")
    with pytest.raises(GradientError, match="forward and backward derivatives differ"):
        verify_rop(lambda x: Doubled()(x), [uniform(3)], mode="INTERPRET")
    with pytest.raises(TypeError, match="points must be float or complex"):
        verify_rop(T.exp, [np.arange(3)])

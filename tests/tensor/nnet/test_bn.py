"""Batch normalization: statistics, axes, few visits to memory, gradients, bad arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import grad, verify_grad
from tests.support.compare import check, compiled

pytestmark = pytest.mark.needs_cc


def steps(outputs: Any, inputs: Any) -> int:
    """Return how many loop nests visit images."""
    from symtheano.printing.schedule import schedule_text

    lines = schedule_text(compiled(inputs, outputs)).splitlines()
    return sum("nest over" in line and "x_d3" in line for line in lines)


def test_training_and_its_gradient_are_one_nest_over_images_each() -> None:
    x, g = T.ftensor4("x"), T.ftensor4("g")
    a, b, mean, var = (T.fvector(name) for name in ("a", "b", "mean", "var"))
    results = T.nnet.batch_normalization_train(
        x, a, b, "spatial", running_mean=mean, running_var=var
    )
    assert [item.dtype for item in results] == ["float32"] * 5
    assert steps(results, [x, a, b, mean, var]) == 1
    assert steps(grad((results[0] * g).sum(), [x, a, b]), [x, a, b, g]) == 1


def test_one_element_leaves_the_running_variance() -> None:
    x = np.array([[2.0, 4.0]])
    mean, var = np.array([1.0, 1.0]), np.array([3.0, 5.0])
    results = T.nnet.batch_normalization_train(
        x, np.ones(2), np.zeros(2), running_mean=mean, running_var=var
    )
    assert results[3].eval().tolist() == [1.1, 1.3]
    assert results[4].eval().tolist() == [3.0, 5.0]


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_far_means_do_not_cancel(dtype: str) -> None:
    random = np.random.default_rng(2)
    x = T.tensor4("x", dtype)
    ones, zeros = np.ones(3, dtype), np.zeros(3, dtype)
    results = T.nnet.batch_normalization_train(x, ones, zeros, "spatial", epsilon=0)
    far = {"float64": 1e6, "float32": 1e3, "float16": 20}[dtype]
    value = (random.normal(size=(8, 3, 5, 4)) + far).astype(dtype)
    f = check([x], results, [[value]], kind="nnet", tolerance={"float16": 2e-2}.get(dtype, 1e-4))
    y, mean, invstd = (item.astype("float64") for item in f(value))
    wide = value.astype("float64")
    np.testing.assert_allclose(mean, wide.mean((0, 2, 3)), rtol=1e-3)
    np.testing.assert_allclose(1 / invstd, wide.std((0, 2, 3)), rtol=2e-3)
    np.testing.assert_allclose(y.mean((0, 2, 3)), 0, atol=2e-2 if dtype == "float16" else 1e-4)


@pytest.mark.parametrize(("axes", "shape"), [("spatial", (3,)), ((0, 2), (1, 3, 1)), (0, (3, 4)),
                                             ((1,), (5, 1, 4)), ((0, 1, 2), ())])  # fmt: skip
def test_gradients_of_parameters_without_or_with_all_axes(axes: Any, shape: Any) -> None:
    random = np.random.default_rng(3)
    points = [random.normal(size=(5, 3, 4)), random.normal(size=shape), random.normal(size=shape)]

    def one(x: Any, gamma: Any, beta: Any) -> Any:
        y, mean, invstd = T.nnet.batch_normalization_train(x, gamma, beta, axes)
        return (y**3).sum() + (mean**2).sum() + invstd.sum()

    verify_grad(one, points, rng=random)
    x, gamma, beta = T.dtensor3("x"), *(T.TensorType("float64", shape)(n) for n in "ab")
    _, mean, invstd = T.nnet.batch_normalization_train(x, gamma, beta, axes)
    assert mean.ndim == invstd.ndim == len(shape)


def test_gradient_of_a_gradient() -> None:
    random = np.random.default_rng(4)
    gamma, beta = np.array([0.5, 2.0]), np.array([1.0, -1.0])

    def slope(x: Any) -> Any:
        y = T.nnet.batch_normalization_train(x, gamma, beta)[0]
        return grad((y**3).sum(), x)

    verify_grad(slope, [random.normal(size=(6, 2))], rng=random)


def test_running_statistics_in_shared_variables_come_to_those_of_the_data() -> None:
    random = np.random.default_rng(5)
    x = T.dmatrix("x")
    mean, var = symtheano.shared(np.zeros(2), "mean"), symtheano.shared(np.ones(2), "var")
    y, _, _, new_mean, new_var = T.nnet.batch_normalization_train(
        x, np.ones(2), np.zeros(2), running_mean=mean, running_var=var
    )
    f = symtheano.function([x], y, updates=[(mean, new_mean), (var, new_var)])
    for _ in range(200):
        f(random.normal([3.0, -1.0], [2.0, 0.5], (64, 2)))
    np.testing.assert_allclose(mean.get_value(), [3.0, -1.0], atol=0.3)
    np.testing.assert_allclose(np.sqrt(var.get_value()), [2.0, 0.5], rtol=0.1)


def test_bad_arguments_are_refused() -> None:
    x, v = T.dmatrix("x"), T.dvector("v")
    with pytest.raises(ValueError, match="'spatial'"):
        T.nnet.batch_normalization_train(x, v, v, "channels")
    with pytest.raises(ValueError, match="'spatial'"):
        T.nnet.batch_normalization_train(v, v, v, "spatial")
    with pytest.raises(ValueError, match="at least one axis"):
        T.nnet.batch_normalization_train(x, v, v, ())
    with pytest.raises(TypeError, match="belong together"):
        T.nnet.batch_normalization_train(x, v, v, running_mean=v)
    with pytest.raises(ValueError, match="has 1 or 3 axes"):
        T.nnet.batch_normalization_test(T.dtensor3("y"), x, v, v, v, (0, 2))
    with pytest.raises(ValueError, match="low_mem"):
        T.nnet.batch_normalization(x, v, v, v, v, mode="fast")

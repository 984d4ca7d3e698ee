"""Norms of single items: large and equal values, loop nests, groups that do not divide."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import grad, verify_grad
from tests.support.compare import compiled
from tests.support.gradients import verify_slopes

pytestmark = pytest.mark.needs_cc


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16"])
def test_equal_and_large_items(dtype: str) -> None:
    x = T.matrix("x", dtype)
    made = [T.nnet.layer_normalization(x), T.nnet.rms_normalization(x)]
    assert [item.dtype for item in made] == [dtype, dtype]
    rows = np.array([[3, 3, 3, 3], [1000, 1000, -1000, -1000], [0, 0, 0, 0]], dtype)
    f = compiled([x], [*made, *(grad((item**3).sum(), x) for item in made)])
    layer, root, *slopes = f(rows)
    np.testing.assert_allclose(layer, [[0] * 4, [1, 1, -1, -1], [0] * 4], atol=2e-3)
    np.testing.assert_allclose(root, [[1] * 4, [1, 1, -1, -1], [0] * 4], atol=2e-3)
    for slope in slopes:
        assert np.isfinite(slope).all()


def test_parameters_and_slopes_by_differences() -> None:
    random = np.random.default_rng(6)
    image, vector = random.normal(size=(2, 4, 3, 2)), random.normal(size=4)
    for number, function in enumerate((
        lambda x, a: T.nnet.layer_normalization(x, a.dimshuffle(0, "x", "x"), axes=(1, 2, 3)),
        lambda x, a: T.nnet.instance_normalization(x, a, a),
        lambda x, a: T.nnet.group_normalization(x, 2, a, a),
        lambda x, a: T.nnet.group_normalization(x, 4, 2.0, 1.0) * a.dimshuffle(0, "x", "x"),
        lambda x, a: T.nnet.rms_normalization(x.dimshuffle(0, 2, 3, 1), a),
        lambda x, a: T.nnet.local_response_normalization(x, alpha=0.3, n=3) * a.sum(),
    )):  # fmt: skip
        points = [image, vector]
        if number < 2:
            verify_grad(lambda x, a, f=function: f(x, a) ** 3, points, rng=random)
        else:
            verify_slopes(lambda x, a, f=function: f(x, a) ** 3, points, random, "INTERPRET")


def test_the_layers_norm_and_its_gradient_are_one_nest() -> None:
    from symtheano.printing.schedule import schedule_text

    x, g, a, b = T.fmatrix("x"), T.fmatrix("g"), T.fvector("a"), T.fvector("b")
    y = T.nnet.layer_normalization(x, a, b)
    for inputs, outputs in (([x, a, b], y), ([x, a, b, g], grad((y * g).sum(), [x, a, b]))):
        assert schedule_text(compiled(inputs, outputs)).count("nest over") == 1


def test_bad_arguments_are_refused() -> None:
    x = T.dmatrix("x")
    with pytest.raises(ValueError, match="three axes"):
        T.nnet.instance_normalization(x)
    with pytest.raises(ValueError, match="no 2 equal groups"):
        T.nnet.group_normalization(T.TensorType("float64", (None, 3))("y"), 2)
    with pytest.raises(ValueError, match="one group"):
        T.nnet.group_normalization(x, 0)
    with pytest.raises(ValueError, match="odd n"):
        T.nnet.local_response_normalization(x, n=4)
    f = compiled([x], T.nnet.group_normalization(x, 2))
    with pytest.raises(ValueError, match="the channels are no 2 equal groups"):
        f(np.zeros((2, 3)))


@pytest.mark.parametrize("count", [4, None])
def test_lengths_of_parameters_are_named(count: int | None) -> None:
    x = T.tensor("float64", shape=(None, count, None), name="x")
    wrong, right = T.dvector("wrong"), T.dvector("right")
    calls = {
        "batch_normalization_train": lambda f: f(x, wrong, right, "spatial")[0],
        "batch_normalization_test": lambda f: f(x, right, right, right, wrong, "spatial"),
        "group_normalization": lambda f: f(x, 2, right, wrong),
        "instance_normalization": lambda f: f(x, wrong),
        "layer_normalization": lambda f: f(x, right, wrong, axes=1),
        "rms_normalization": lambda f: f(x, wrong, axes=1),
    }
    for name, call in calls.items():
        y = call(getattr(T.nnet, name))
        f = symtheano.function([x, wrong, right], y, mode="INTERPRET", on_unused_input="ignore")
        message = rf"{name}: axis 0 has length 5, but must have length 4\n(.*\n)+  wrong: Tensor"
        with pytest.raises(ValueError, match=message):
            f(np.ones((2, 4, 3)), np.ones(5), np.ones(4))
    with pytest.raises(ValueError, match="batch_normalization_train: axis 0 has length 5"):
        T.nnet.batch_normalization_train(np.ones((2, 4)), np.ones(5), np.zeros(5))

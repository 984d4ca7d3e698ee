"""Arguments of layers: what is accepted, what dtypes they give, and messages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano.tensor as T
from symtheano import nn
from tests.nn.layers.cases import CASES, FLAT, IMAGE


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if case.dtype == "float64"])
def test_float32_stays(name: str) -> None:
    case = replace(CASES[name], dtype="float32")
    y = case.make()(*case.values())
    assert (y.train.dtype, y.test.dtype) == ("float32", "float32")


def test_hard_sigmoid_is_that_of_keras_and_torch() -> None:
    x = np.array([-4.0, -1.5, 0.0, 1.5, 4.0])
    y = nn.activations.get("hard_sigmoid")(T.constant(x)).eval()
    assert_allclose(y, [0, 0.25, 0.5, 0.75, 1], atol=1e-15)


def test_numbers_of_numpy() -> None:
    y = nn.Conv2D(np.int64(2), np.int64(3), strides=np.int32(2))(nn.Input((1, np.int64(8), 8)))
    assert y.shape == (2, 3, 3)
    assert nn.Dense(np.int64(3))(y).layer.config()["units"] == 3  # type: ignore[union-attr]


MESSAGES: dict[str, tuple[Callable[[], Any], str]] = {
    "units": (lambda: nn.Dense(2.5), "Dense 'dense': units must be a positive integer, not 2.5"),  # type: ignore[arg-type]
    "no units": (lambda: nn.LSTM(0), "units must be a positive integer, not 0"),
    "filters": (lambda: nn.Conv2D(0, 3), "filters must be a positive integer, not 0"),
    "groups": (lambda: nn.Conv2D(2, 3, groups=0), "groups must be a positive integer"),
    "heads": (lambda: nn.MultiHeadAttention(0, 2), "heads must be a positive integer"),
    "rows": (lambda: nn.Embedding(0, 2), "input_dim must be a positive integer"),
    "times": (lambda: nn.RepeatVector(-1), "times must be a positive integer"),
    "window": (lambda: nn.Conv2D(1, 3.0)(nn.Input(IMAGE)), "or one for each of 2 axes"),
    "padding": (lambda: nn.Conv2D(1, 3, padding=1.5)(nn.Input(IMAGE)), "a pair for each of 2 axes"),
    "rate": (lambda: nn.GaussianDropout(1.0), "the rate must be at least 0 and below 1"),
    "rate of a word": (lambda: nn.Dropout("half"), "must be at least 0 and below 1, not 'half'"),  # type: ignore[arg-type]
    "connections": (lambda: nn.DropConnect(2, rate=1.0), "must be at least 0 and below 1"),
    "noise": (lambda: nn.GaussianNoise(-1.0), "stddev must be a number of at least 0"),
    "momentum": (lambda: nn.BatchNorm(momentum=2.0), "momentum must be between 0 and 1"),
    "shape": (lambda: nn.Reshape((-1, -1)), "at most one of which is -1"),
    "axes of dot": (lambda: nn.Dot(3)(*2 * [nn.Input(FLAT)]), "have no axis 3"),
    "axis of norm": (lambda: nn.UnitNormalization(5)(nn.Input(FLAT)), "have no axis 5"),
    "shared axes": (lambda: nn.PReLU(shared_axes=(5,))(nn.Input(FLAT)), r"have no axis \(5,\)"),
    "no axes": (lambda: nn.Dense(2)(nn.Input(())), r"single numbers: use x\[:, np.newaxis\]"),
    "part": (lambda: nn.TimeDistributed("dense"), "takes a layer, not 'dense'"),  # type: ignore[arg-type]
    "shape of lambda": (
        lambda: nn.Lambda(lambda x: x.sum(axis=1, keepdims=True), (3,))(nn.Input(FLAT)),
        r"declares the shape \(n, 3\): declare the right shape, with shape= of nn.Lambda",
    ),
}


@pytest.mark.parametrize("name", MESSAGES)
def test_messages(name: str) -> None:
    make, message = MESSAGES[name]
    with pytest.raises(ValueError, match=message):
        make()


WRONG_TYPES: dict[str, tuple[Callable[[], Any], str]] = {
    "class": (lambda: nn.Dense(2, nn.ReLU)(nn.Input(FLAT)), "layer without parameters, not ReLU"),
    "parameters": (lambda: nn.Dense(2, nn.PReLU())(nn.Input(FLAT)), "PReLU has parameters"),
    "nothing": (lambda: nn.Dense(2, lambda x: None)(nn.Input(FLAT)), "must return an expression"),
    "nothing of lambda": (lambda: nn.Lambda(lambda x: None)(nn.Input(FLAT)), "symbolic array"),
    "function": (lambda: nn.Dense(2)(lambda x: x), "takes outputs of layers, symbolic arrays"),
    "dtype": (lambda: nn.Input(FLAT, "float31"), "float31"),
}


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_wrong_types(name: str) -> None:
    make, message = WRONG_TYPES[name]
    with pytest.raises(TypeError, match=message):
        make()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: nn.Dense(3, "relux"), "Dense 'dense': activation: .*did you mean 'relu'"),
        (lambda: nn.Dense(3, activation=7), "Dense 'dense': activation: .*not 7"),
        (lambda: nn.Dense(3, kernel_initializer="he_norm"), "kernel_initializer: .*'he_normal'"),
        (lambda: nn.Dense(3, bias_regularizer="l3"), "Dense 'dense': bias_regularizer: unknown"),
        (lambda: nn.Dense(3, kernel_constraint="max"), "kernel_constraint: unknown"),
        (lambda: nn.LSTM(3, activation="tanj"), "LSTM 'lstm': activation: .*'tanh'"),
        (lambda: nn.Conv2D(4, 0, name="c"), "Conv2D 'c': kernel_size must be one positive"),
        (lambda: nn.Conv1D(4, 3, strides=0), "Conv1D 'conv1d': strides must be"),
        (lambda: nn.Conv2D(4, 3, dilation_rate=0), "Conv2D 'conv2d': dilation_rate must be"),
        (
            lambda: nn.Conv2D(4, 3, padding="SAME"),
            "'conv2d': padding must be .*not 'SAME'; it is 'same'",
        ),
        (lambda: nn.Conv2D(4, 3, padding=-1), "'conv2d': padding must be"),
        (lambda: nn.Conv2DTranspose(4, 0), "'conv2d_transpose': kernel_size"),
        (lambda: nn.DepthwiseConv2D(0), "'depthwise_conv2d': kernel_size must be"),
        (lambda: nn.SeparableConv2D(3, 3, strides=0), "'separable_conv2d': strides must be"),
        (lambda: nn.MaxPool2D(0), "MaxPool2D 'max_pool2d': pool_size must be"),
        (
            lambda: nn.MaxPool2D(2, padding="Valid"),
            "'max_pool2d': padding must be .*; it is 'valid'",
        ),
        (lambda: nn.UpSampling2D(0), "'up_sampling2d': size must be"),
        (lambda: nn.ZeroPadding2D("a"), "ZeroPadding2D 'zero_padding2d': padding takes"),
        (lambda: nn.Cropping2D(-1), "Cropping2D 'cropping2d': cropping must be"),
    ],
)
def test_arguments_are_checked_when_a_layer_is_made(make: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        make()


def test_same_padding_with_strides_names_the_layer_that_needs_lengths() -> None:
    with pytest.raises(ValueError, match="'conv2d': padding: 'same' with strides above 1"):
        nn.Conv2D(4, 3, strides=2, padding="same")(nn.Input((1, None, None)))


@pytest.mark.parametrize(
    ("function", "given", "expected"),
    [
        (lambda x: x[:, :1], (4,), (1,)),
        (lambda x: x.sum(axis=1), (None, 3), (3,)),
        (lambda x: T.concatenate([x, x], axis=2), (None, 3), (None, 6)),
        (lambda x: x.reshape((x.shape[0], 2, -1)), (6,), (2, 3)),
        (lambda x: x * 2, (None, 3), (None, 3)),
    ],
)
def test_the_shape_of_a_function_follows_from_its_result(
    function: Any, given: tuple[int | None, ...], expected: tuple[int | None, ...]
) -> None:
    assert nn.Lambda(function)(nn.Input(given)).shape == expected

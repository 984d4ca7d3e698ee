"""Channels first and last: equal values, few transpositions, warnings and messages."""

from __future__ import annotations

import inspect
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

import symtheano
import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.layers.configuration import LAYERS, layer_from
from symtheano.nn.layers.images import ImageLayer
from tests.nn.layers.cases import CHANNELS_LAST, OF_IMAGES
from tests.nn.layers.channels import FIRST, LAST
from tests.nn.recorded import load

RECORDED = {
    name: row
    for name, row in load("layers").items()
    if issubclass(LAYERS[row["class"]], ImageLayer)
}


BOTH = [name for name in OF_IMAGES if OF_IMAGES[name].make().config().get("axis") != -1]


def to_last(array: Any) -> Any:
    return np.moveaxis(array, 1, -1)


def to_first(array: Any) -> Any:
    return np.moveaxis(array, -1, 1) if array.ndim > 2 else array


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", BOTH)
def test_values_and_gradients_of_both(name: str, dtype: str) -> None:
    found = []
    arrays = [a.astype(dtype) for a in OF_IMAGES[name].arrays(3)]
    for case, change in (
        (OF_IMAGES[name], np.asarray),
        (CHANNELS_LAST[name + "_of_last"], to_last),
    ):
        case.dtype = dtype
        layer, (x,) = case.make(), case.values()
        y = layer(x)
        output = y.train if y.updates or y.train is y.test else y.test
        weights = T.cos(T.sum(T.constant(1.7, dtype=dtype) * output)) + output
        cost = T.sum(weights * output)
        grads = symtheano.grad(cost, [x.test, *y.parameters], disconnected_inputs="ignore")
        outputs = [output, y.test, *grads, *(new for _, new in y.updates)]
        f = symtheano.function([x.test], outputs, mode="INTERPRET", no_default_updates=True)
        found.append([f(change(arrays[0])), f(change(arrays[0][:0])), y.shape])
        case.dtype = "float64"
    (first, nothing, shape), (last, nothing_last, shape_last) = found
    tolerance = (
        {"rtol": 1e-11, "atol": 1e-11} if dtype == "float64" else {"rtol": 2e-3, "atol": 2e-3}
    )
    assert first[0].dtype == last[0].dtype == dtype
    assert shape_last == ((*shape[1:], shape[0]) if len(shape) > 1 else shape)
    assert nothing_last[0].shape[0] == 0
    for k, (left, right) in enumerate(zip(first, last, strict=True)):
        assert_allclose(left, to_first(right) if k < 3 else right, **tolerance)
    for k, (left, right) in enumerate(zip(nothing, nothing_last, strict=True)):
        assert left.shape == (to_first(right) if k < 3 else right).shape


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_numbers(name: str) -> None:
    row = RECORDED[name]
    layer = layer_from({"class": row["class"], **row["arguments"], **LAST})
    array = to_last(np.array(row["inputs"][0]))
    x = nn.Input(array.shape[1:], "float64")
    y = layer(x)
    own = {p.name: p.variable for p in layer.parameters}
    for key, weight in row["weights"].items():
        own[key].set_value(np.array(weight))
    output = y.test.eval({x.test: array})
    assert output.shape[1:] == y.shape
    assert_allclose(output, to_last(np.array(row["output"])), rtol=2e-5, atol=1e-6)


def transpositions(f: Any) -> list[Any]:
    """Return the nodes that move axes of images, of which at most one has length 1."""
    moved = []
    for node in f.maker.fgraph.toposort():
        order = [a for a in getattr(node.op, "new_order", ()) if a != "x"]
        ones = sum(n == 1 for n in node.outputs[0].type.shape)
        if order != sorted(order) and len(order) > 3 and ones < 2:
            moved.append(node)
    return moved


def chain(x: Any, **options: Any) -> Any:
    h = nn.Conv2D(8, 3, padding="same", **options)(x)
    h = nn.ReLU()(h)
    h = nn.MaxPool2D(2, **options)(h)
    h = nn.BatchNorm(**options)(h)
    h = nn.SpatialDropout2D(0.2, **options)(h)
    h = nn.GroupNorm(2, **options)(h)
    h = nn.UpSampling2D(2, **options)(h)
    again = nn.SeparableConv2D(8, 3, padding="same", activation="tanh", **options)(h)
    return nn.Conv2D(4, 3, **options)(h + nn.InstanceNorm(**options)(again))


def test_a_chain_is_transposed_at_its_ends_only() -> None:
    x = nn.Input((12, 10, 3), seed=0)
    h = nn.Conv2D(8, 3, **LAST)(x)
    h = nn.MaxPool2D(2, **LAST)(nn.ReLU()(h))
    short = symtheano.function([x.test], nn.Conv2D(4, 3, **LAST)(h).test, mode="INTERPRET")
    orders = [node.op.new_order for node in transpositions(short)]
    assert orders == [(0, 3, 1, 2), (0, 2, 3, 1)]
    y = chain(x, **LAST)
    at_test = symtheano.function([x.test], y.test, mode="INTERPRET")
    assert [n.op.new_order for n in transpositions(at_test)] == orders


def test_so_is_a_step_of_training() -> None:
    x = nn.Input((12, 10, 3), seed=0)
    y = chain(x, **LAST)
    cost = T.sum(T.sqr(nn.GlobalAveragePool(**LAST)(y).train))
    outputs = [cost, *symtheano.grad(cost, y.parameters)]
    step = symtheano.function([x.test], outputs, updates=y.updates, mode="INTERPRET")
    assert [node.op.new_order for node in transpositions(step)] == [(0, 3, 1, 2)]


def test_joined_channels_stay_where_they_are() -> None:
    x = nn.Input((12, 10, 8), seed=0)
    h = nn.Conv2D(8, 3, padding="same", activation="relu", **LAST)(x)
    again = nn.Conv2D(4, 3, padding="same", activation="elu", **LAST)(h)
    h = nn.Concatenate(-1)(h, again)
    y = nn.GlobalMaxPool(**LAST)(nn.Conv2D(8, 3, **LAST)(h))
    step = symtheano.function([x.test], y.test, mode="INTERPRET")
    assert [node.op.new_order for node in transpositions(step)] == [(0, 3, 1, 2)]


@pytest.mark.parametrize("phase", ["test", "train"])
def test_a_compiled_chain_of_both(phase: str) -> None:
    data = np.random.default_rng(3).normal(size=(3, 3, 12, 10)).astype("float32")
    found = []
    for options, array in ((FIRST, data), (LAST, to_last(data))):
        x = nn.Input(array.shape[1:], seed=0)
        y = chain(x, **options)
        output = getattr(y, phase) if phase == "test" else y.test
        cost = T.sum(T.sqr(output))
        grads = symtheano.grad(cost, y.parameters) if phase == "train" else []
        found.append(symtheano.function([x.test], [output, *grads])(array))
    for k, (left, right) in enumerate(zip(*found, strict=True)):
        assert_allclose(left, right if k else to_first(right), rtol=2e-3, atol=2e-3)


LOOKS_LAST: dict[str, Any] = {
    "gray": lambda **more: nn.Conv2D(8, 3, padding="same", **more)(nn.Input((28, 28, 1))),
    "colors": lambda **more: nn.Conv2D(8, 3, padding="same", **more)(nn.Input((32, 32, 3))),
    "opacity": lambda **more: nn.MaxPool2D(1, **more)(nn.Input((32, 30, 4))),
    "sounds": lambda **more: nn.Conv1D(8, 3, padding="same", **more)(nn.Input((128, 1))),
    "volumes": lambda **more: nn.AveragePool3D(1, **more)(nn.Input((16, 16, 16, 1))),
    "unknown": lambda **more: nn.UpSampling2D(2, **more)(nn.Input((None, None, 3))),
    "reshaped": lambda **more: nn.Conv2D(8, 3, padding="same", **more)(
        nn.Reshape((28, 28, 1))(nn.Input(784))
    ),
    "after_an_activation": lambda **more: nn.GlobalMaxPool(**more)(
        nn.Dropout()(nn.ReLU()(nn.Input((28, 28, 3))))
    ),
    "placeholder": lambda **more: nn.ZeroPadding2D(**more)(
        T.tensor("float32", shape=(None, 28, 28, 3))
    ),
    "function": lambda **more: nn.conv(nn.Input((28, 28, 3)), 8, 3, padding="same", **more),
    "chain": lambda **more: (
        nn.Sequential([nn.Input((28, 28, 3))]).conv2d(8, 3, padding="same", **more).summary()
    ),
}


@pytest.mark.filterwarnings("ignore:.*the axes of samples of shape")
@pytest.mark.parametrize("name", LOOKS_LAST)
def test_channels_that_look_last(name: str) -> None:
    first = inspect.getsourcelines(LOOKS_LAST[name])[1]
    with pytest.warns(
        UserWarning, match=r"the axes of samples of shape \(n, .*\(n, channels"
    ) as it:
        LOOKS_LAST[name]()
    assert Path(it[0].filename) == Path(__file__)
    assert first <= it[0].lineno <= first + 2
    for options in (FIRST, LAST):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            LOOKS_LAST[name](**options)


def test_the_text_of_the_warning() -> None:
    x = nn.Input((32, 32, 3))
    with pytest.warns(UserWarning, match="stem") as it:
        nn.Conv2D(8, 3, name="stem")(x)
    assert str(it[0].message) == (
        "Conv2D 'stem': the axes of samples of shape (n, 32, 32, 3) are (n, channels, rows, "
        "columns), so these have 32 channels; if the last axis is that of the 3 channels, pass "
        'data_format="channels_last", else pass data_format="channels_first" to silence this '
        "warning"
    )


SOUND = {
    "images": lambda: nn.Conv2D(8, 3)(nn.Input((3, 32, 32))),
    "short": lambda: nn.Conv2D(8, 2)(nn.Input((1, 4, 4))),
    "features": lambda: nn.Conv2D(8, 3)(nn.Input((64, 4, 4))),
    "deep": lambda: nn.Conv2D(8, 3, padding="same")(nn.Conv2D(64, (5, 30))(nn.Input((3, 32, 32)))),
    "long": lambda: nn.Conv1D(8, 3)(nn.Input((16, 100))),
    "single": lambda: nn.GlobalAveragePool()(nn.Input((64, 1, 1))),
    "numbers": lambda: nn.GroupNorm(4)(nn.Input(64)),
    "used_again": lambda: used_again(),
}


def used_again() -> None:
    layer = nn.MaxPool2D(1)
    layer(nn.Input((3, None, None)))
    layer(nn.Input((3, 8, 3)))


@pytest.mark.parametrize("name", SOUND)
def test_sound_programs_do_not_warn(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        SOUND[name]()


def test_messages() -> None:
    with pytest.raises(ValueError, match="data_format must be 'channels_first' or 'channels_last'"):
        nn.Conv2D(8, 3, data_format="NHWC")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="data_format must be 'channels_first' or 'channels_last'"):
        nn.SpatialDropout2D(data_format="last")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"\(n, rows, columns, channels\), not \(n, 5, 3\); nn"):
        nn.Conv2D(8, 3, **LAST)(nn.Input((5, 3)))
    with pytest.raises(ValueError, match=r"shape \(n, depth, rows, columns, channels\), not"):
        nn.MaxPool3D(**LAST)(nn.Input((5, 3)))
    with pytest.raises(ValueError, match=r"\(n, 9, 2, 3\), whose axes are \(n, rows, columns, ch"):
        nn.Conv2D(8, 3, **LAST)(nn.Input((9, 2, 3)))
    with pytest.raises(ValueError, match=r"\(n, rows, columns, channels\), with a known number of"):
        nn.Conv2D(8, 3, **LAST)(nn.Input((9, 9, None)))
    with pytest.raises(
        ValueError, match=r"\(n, 28, 28, 2\), whose .* pass data_format=\"channels_l"
    ):
        nn.Conv2D(8, 3)(nn.Input((28, 28, 2)))
    with pytest.raises(
        ValueError,
        match=r"not \(n, \?, \?, 3\); if the channels .* pass data_format=\"",
    ):
        nn.Conv2D(8, 3, **FIRST)(nn.Input((None, None, 3)))
    with pytest.raises(
        ValueError, match=r"groups=4 must divide .* \(n, 4, 6\), whose axes are \(n, ..."
    ):
        nn.GroupNorm(4, **LAST)(nn.Input((4, 6)))
    with pytest.raises(ValueError, match=r"of samples of shape \(n, 3, 9, 2\)"):
        nn.Cropping2D(2, **LAST)(nn.Input((3, 9, 2)))
    with pytest.raises(
        ValueError, match="data_format='channels_last' means axis=-1, but axis is 2"
    ):
        nn.BatchNorm(axis=2, **LAST)


def test_whole_channels_are_dropped() -> None:
    x = nn.Input((4, 5, 30), seed=1)
    found = nn.SpatialDropout2D(0.5, **LAST)(x).train.eval({x.test: np.ones((2, 4, 5, 30), "f")})
    assert (found == found[:, :1, :1]).all()
    assert set(np.unique(found)) == {0, 2}


def test_wrapped_layers() -> None:
    data = np.random.default_rng(0).normal(size=(2, 3, 6, 5, 4))
    x = nn.Input((3, 6, 5, 4), "float64", seed=0)
    y = nn.TimeDistributed(nn.Conv2D(2, 3, **LAST))(x)
    assert y.test.eval({x.test: data}).shape == (2, 3, 4, 3, 2)
    assert y.shape == (3, 4, 3, 2)
    x = nn.Input((6, 5, 4), "float64", seed=0)
    left, right = (
        nn.WeightNorm(nn.Conv2D(2, 3, **LAST))(x),
        nn.WeightNorm(nn.Conv2D(2, 3))(nn.Input((4, 6, 5), "float64", seed=0)),
    )
    one = left.test.eval({x.test: data[0]})
    other = right.test.eval({right.inputs[0].test: to_first(data[0])})
    assert_allclose(to_first(one), other, rtol=1e-12)


def test_a_model_of_a_file(tmp_path: Path) -> None:
    data = np.random.default_rng(0).normal(size=(4, 8, 6, 3)).astype("float32")
    model = nn.Sequential([nn.Input((8, 6, 3))], seed=0)
    model.conv2d(4, 3, activation="relu", **LAST).max_pool2d(2, **LAST).batch_norm(**LAST)
    model.flatten().dense(2, "softmax").loss("categorical_crossentropy").optimizer("adam")
    model.train(data, np.array([0, 1, 1, 0]), epochs=2)
    model.save(tmp_path / "model")
    again = nn.Model.load(tmp_path / "model")
    assert [getattr(layer, "data_format", None) for layer in again.layers[:3]] == [
        *LAST.values()
    ] * 3
    assert_array_equal(again.predict(data), model.predict(data))

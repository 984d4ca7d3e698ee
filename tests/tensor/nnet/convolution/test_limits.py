"""Convolutions whose borders, strides and distances are as large as integers can be.

Results are those of plain loops, or the call fails with an error; nothing outside of arrays is read
or written. Graphs and models from files can have such numbers, too.
"""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load, save

import symtheano.tensor as T
from symtheano import FunctionGraph, function, nn
from symtheano.codegen.runtime.tables import wait_for_kernels
from symtheano.gradient import grad
from symtheano.tensor.nnet.convolution.ops import Convolution
from tests.codegen.convolutions.harness import Shape
from tests.codegen.convolutions.plain import maps
from tests.support.extent import TIMES

MOST = 2**31 - 1
MODES = [pytest.param(None, marks=pytest.mark.needs_cc), "INTERPRET"]


def compiled(inputs: Any, outputs: Any, mode: str | None) -> Any:
    """Return a function whose kernels are there."""
    made = function(inputs, outputs, mode=mode)
    wait_for_kernels()
    return made


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("far", [2**20 - 1, 2**30, MOST])
@pytest.mark.parametrize("dims", [1, 2, 3])
def test_far_elements(mode: str | None, far: int, dims: int) -> None:
    """Of a filter whose elements are far apart, the middle one meets the only pixel."""
    axes = (None,) * (2 + dims)
    x, w = T.TensorType("float32", axes)("x"), T.TensorType("float32", axes)("w")
    op = Convolution("result", (far,) * dims, (1,) * dims, (far,) * dims)
    y = op(x, w)
    f = compiled([x, w], [y, *grad(y.sum(), [x, w])], mode)
    pixel = np.full((2, 1, *(1,) * dims), 3, "float32")
    filters = np.random.default_rng(0).normal(size=(4, 1, *(3,) * dims)).astype("float32")
    middle = (slice(None), slice(None), *(1,) * dims)
    made, of_image, of_filter = f(pixel, filters)
    np.testing.assert_allclose(made[..., 0].ravel(), np.tile(3 * filters[middle].ravel(), 2))
    np.testing.assert_allclose(of_image.ravel(), [filters[middle].sum()] * 2, rtol=1e-6)
    expected = np.zeros_like(filters)
    expected[middle] = 6
    np.testing.assert_array_equal(of_filter, expected)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("stride", [2**30, MOST])
def test_far_positions(mode: str | None, stride: int) -> None:
    x, w = T.TensorType("float64", (None,) * 4)("x"), T.TensorType("float64", (None,) * 4)("w")
    border = ((stride, stride), (0, 1))
    y = T.nnet.conv2d(x, w, border_mode=border, subsample=(stride, stride))
    f = compiled([x, w], [y, *grad((y * y).sum(), [x, w])], mode)
    made, of_image, of_filter = f(np.full((2, 1, 1, 2), 3.0), np.full((1, 1, 1, 1), 2.0))
    np.testing.assert_array_equal(made[:, 0, :, 0], [[0, 6, 0]] * 2)
    np.testing.assert_array_equal(of_image.ravel(), [24, 0] * 2)
    np.testing.assert_array_equal(of_filter.ravel(), [72])


@pytest.mark.parametrize("mode", MODES)
def test_results_that_cannot_exist(mode: str | None) -> None:
    x, w = T.dtensor4("x"), T.dtensor4("w")
    y = T.nnet.conv2d(x, w, border_mode=MOST)
    one, none = np.ones((1, 1, 1, 1)), np.ones((0, 1, 1, 1))
    for image in (one, none):
        with pytest.raises(MemoryError):
            compiled([x, w], y, mode)(image, one)
    far = T.nnet.conv2d(x, w, border_mode="full", filter_dilation=(MOST, MOST))
    with pytest.raises(MemoryError, match=r"too large|not enough memory"):
        compiled([x, w], far, mode)(one, np.ones((1, 1, 2, 2)))
    far = T.nnet.conv2d(x, w, filter_dilation=(MOST, MOST))
    with pytest.raises(ValueError, match="the filter is larger than the image"):
        compiled([x, w], far, mode)(one, np.ones((1, 1, 2, 2)))


LENGTHS = (-(2**63), -1, 0, 1, 2, 3, 2**31 - 1, 2**31, 2**60, 2**60 + 1, 2**62, 2**63 - 1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("wanted", ["image", "filter"])
@pytest.mark.parametrize("number", [(1, 1, 0), (MOST, 1, 0), (1, MOST, 0), (2, 3, 0)])
def test_lengths_of_gradients(mode: str | None, wanted: Any, number: tuple[int, ...]) -> None:
    """Lengths that are given to a gradient are refused, or give what the definition says."""
    stride, apart, border = number
    op = Convolution(wanted, (border,), (stride,), (apart,))
    a, b, n = T.dtensor3("a"), T.dtensor3("b"), T.lscalar("n")
    f = compiled([a, b, n], op(a, b, n), mode)
    taken, refused = 0, []
    for length in LENGTHS:
        for items in (0, 1):
            given = [np.ones((items if wanted == "filter" else 1, 1, 1)), np.ones((items, 1, 1))]
            try:
                made = f(*given, length)
            except (ValueError, MemoryError) as error:
                refused.append(str(error))
                continue
            assert made.shape == ((1 if wanted == "filter" else items), 1, length)
            assert (made == 0).sum() >= made.size - 1
            taken += 1
    assert taken
    assert all("conv1d" in message or "memory" in message for message in refused)


GRAPH = """{"format": "symtheano graph", "version": 1,
"ops": {"c": {"op": "Convolution", "module": "symtheano.tensor.nnet.convolution.ops",
 "props": {"wanted": "result", "border": %s, "subsample": [1, 1], "dilation": [%d, %d],
 "groups": 1, "flip": true, "unshared": false}}},
"types": {"t": {"type": "TensorType", "module": "symtheano.tensor.type",
 "fields": {"dtype": "float64", "name": null, "shape": [null, null, null, null]}}},
"inputs": [{"name": "x", "type": "t"}, {"name": "w", "type": "t"}],
"nodes": [{"op": "c", "inputs": ["i0", "i1"], "types": ["t"]}],
"outputs": ["n0"]}"""


@pytest.mark.parametrize("mode", MODES)
def test_graph_of_a_file(mode: str | None) -> None:
    graph = FunctionGraph.from_json(GRAPH % ([[MOST, MOST]] * 2, MOST, MOST))
    f = compiled(graph.inputs, graph.outputs[0], mode)
    filters = np.arange(9.0).reshape(1, 1, 3, 3)
    np.testing.assert_array_equal(f(np.ones((1, 1, 1, 1)), filters), [[[[4.0]]]])
    for border, apart in (([[2**31, 0]] * 2, 1), ([[0, -1]] * 2, 1), ([[0, 0]] * 2, 2**63)):
        with pytest.raises(ValueError, match=r"border_mode|filter_dilation"):
            FunctionGraph.from_json(GRAPH % (border, apart, apart))


@pytest.mark.needs_cc
def test_layers_of_models() -> None:
    """Far borders and distances have values; files in which they are farther still are refused."""
    pixels, image = nn.Input((1, 1, 1)), np.full((2, 1, 1, 1), 2, "float32")

    def made(far: int) -> nn.Model:
        layer = nn.Conv2D(
            1, 3, padding=far, dilation_rate=far, kernel_initializer="ones", name="layer"
        )
        return nn.Model(pixels, layer(pixels))

    content = made(2).to_bytes()
    size = int.from_bytes(content[:8], "little")
    text = json.loads(content[8 : 8 + size])["__metadata__"]["symtheano.nn"]

    def read(far: int) -> nn.Model:
        described = json.loads(text)
        described["network"]["layers"][0].update(padding=far, dilation_rate=far)
        return nn.Model.from_bytes(save(load(content), {"symtheano.nn": json.dumps(described)}))

    for model in (made(MOST), read(2**24 - 1)):
        model.predict(image)
        wait_for_kernels()
        np.testing.assert_array_equal(model.predict(image).ravel(), [2, 2])
    with pytest.raises(ValueError, match=str(MOST)):
        read(MOST)


OPS = 40 * TIMES or 2
LARGE = (2**10, 2**20 - 1, 2**21 - 1, 2**30, 2**31 - 2, MOST)


def _drawn(rng: np.random.Generator) -> Convolution:
    """Return an op whose numbers are large, some of them."""
    dims = int(rng.integers(1, 4))

    def number(least: int) -> int:
        return int(rng.choice(LARGE) if rng.random() < 0.4 else rng.integers(least, 4))

    apart = [number(1) for _ in range(dims)]
    borders = ["full", "half", "causal", "valid", *((d, d) for d in apart)]
    border = []
    for _ in range(dims):
        named = borders[int(rng.integers(len(borders)))]
        border.append(named if rng.random() < 0.7 else (number(0), number(0)))
    steps = [number(1) for _ in range(dims)]
    return Convolution("result", tuple(border), steps, apart, 1, bool(rng.integers(2)))


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64", "int32"])
def test_random_numbers(dtype: str) -> None:
    """Results and gradients are those of plain loops, or the call fails with an error."""
    rng = np.random.default_rng(["float32", "float64", "int32"].index(dtype))
    values = 0
    for _ in range(OPS):
        op = _drawn(rng)
        axes = (None,) * (2 + op.at.dims)
        x, w, y = (T.TensorType(dtype, axes)(name) for name in "xwy")
        lengths = [[v.shape[2 + k] for k in range(op.at.dims)] for v in (x, w)]
        outputs = [op(x, w), op.for_the("image")(w, y, *lengths[0])]
        outputs.append(op.for_the("filter")(x, y, *lengths[1]))
        functions = [
            function(given, made)
            for given, made in zip(([x, w], [x, w, y], [x, w, y]), outputs, strict=True)
        ]
        wait_for_kernels()
        for _ in range(20):
            values += _called(op, functions, dtype, rng)
    assert values


def _called(op: Convolution, functions: list[Any], dtype: str, rng: np.random.Generator) -> int:
    """Call the three maps for random arrays; return how many had a value."""
    dims = op.at.dims
    n, c, o = (int(m) for m in rng.integers((0, 1, 1), (3, 4, 4)))
    i, k = (tuple(int(m) for m in rng.integers(least, 6, dims)) for least in (0, 1))
    t = op.at.positions((n, c, *i), (o, c, *k))
    before = tuple(op.at.before((o, c, *k)))
    behind = tuple(op.at.around((o, c, *k), axis)[1] for axis in range(dims))
    shape = Shape(n, 1, c, o, i, k, before, op.subsample, op.dilation, op.flip, behind)
    assert shape.t == t
    x, w = (rng.integers(-4, 5, m).astype(dtype) for m in ((n, c, *i), (o, c, *k)))
    if min(t) < 1 or math.prod(t) > 10**5:
        if math.prod(t) > 2**40 or min(t) < 1:  # smaller ones might have memory
            with pytest.raises((ValueError, MemoryError)):
                functions[0](x, w)
        return 0
    y = rng.integers(-4, 5, (n, o, *t)).astype(dtype)
    for made, expected in zip(
        (functions[0](x, w), *(f(x, w, y) for f in functions[1:])),
        maps(shape, x, w, y),
        strict=True,
    ):
        np.testing.assert_allclose(made, expected, rtol=1e-5, err_msg=f"{op.__dict__} {shape}")
    return 1

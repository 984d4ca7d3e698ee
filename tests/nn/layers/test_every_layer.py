"""What holds for every layer: shapes, gradients, configurations, freezing and sharing."""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano
import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.layers.base import Layer
from symtheano.nn.layers.configuration import LAYERS, layer_from
from tests.nn.layers.cases import CASES, Case
from tests.support.compare import one_text

Array = Any


def cost(y: Any) -> Any:
    """Return a number in which all elements have different shares."""
    factors = T.cos(T.arange(y.size)).reshape(y.shape, ndim=y.ndim)
    return T.sum(factors * y)


class Applied:
    """A layer applied to inputs: its costs, outputs and their gradients."""

    def __init__(self, case: Case, only_training: bool = False) -> None:
        self.layer, self.values = case.make(), case.values()
        self.y = self.layer(*self.values)
        arrays = [self.y.test] if self.y.train is self.y.test else [self.y.test, self.y.train]
        arrays = arrays[-1:] if only_training else arrays
        variables = [p.variable for p in self.layer.parameters if p.trains]
        self.parameters = variables
        self.inputs = [v.test for v in self.values]
        wrt = variables + [x for x in self.inputs if x.dtype == "float64"]
        self.count = len(wrt)
        self.outputs: list[Any] = []
        for array in arrays:
            total = cost(array) + T.cast(self.y.penalty, "float64")
            grads = symtheano.grad(total, wrt, disconnected_inputs="ignore") if wrt else []
            self.outputs += [total, array, *grads]
        self.kinds = len(arrays)

    @cached_property
    def interpreted(self) -> symtheano.Function:
        """The function that the interpreter runs."""
        return made(self.inputs, self.outputs, "INTERPRET")

    def __call__(self, arrays: list[Array]) -> list[tuple[Array, Array, list[Array]]]:
        """Return for test and training: the cost, the output, the gradients."""
        found = self.interpreted(*arrays)
        size = len(found) // self.kinds
        parts = [found[k * size : (k + 1) * size] for k in range(self.kinds)]
        return [(part[0], part[1], part[2:]) for part in parts]


def made(inputs: list[Any], outputs: list[Any], mode: str | None = None) -> symtheano.Function:
    """Return a function without default updates: dropout draws the same numbers in all calls."""
    return symtheano.function(
        inputs, outputs, mode=mode, no_default_updates=True, on_unused_input="ignore"
    )


def settle(layer: Layer) -> None:
    """Let a power iteration be at its end: only there, its vector is no part of the gradient."""
    if isinstance(layer, nn.SpectralNorm):
        kernel = layer.layer.kernel.get_value()
        matrix = np.moveaxis(kernel, layer.output_axis, 0).reshape(
            layer.vector.get_value().size, -1
        )
        layer.vector.set_value(np.linalg.svd(matrix)[0][:, 0])


@pytest.mark.parametrize("name", CASES)
def test_shapes_and_gradients(name: str) -> None:
    case = CASES[name]
    applied = Applied(case)
    expected = applied.y.shape
    for samples in (3, 1, 0):
        for _, output, _ in applied(case.arrays(samples)):
            assert output.dtype == applied.y.dtype
            lengths = zip(output.shape[1:], expected, strict=True)
            known = tuple(n if m is not None else None for n, m in lengths)
            assert (len(output), known) == (samples, expected)
    rng, arrays = np.random.default_rng(5), case.arrays(3)
    starts = [v.get_value() for v in applied.parameters]
    moved = starts + [a for a in arrays if a.dtype == "float64"]
    settle(applied.layer)
    found, step = applied(arrays), 1e-6 if applied.y.dtype == "float64" else 1e-2
    for k, array in enumerate(moved):
        direction = rng.normal(size=array.shape)
        ends = []
        for sign in (1, -1):
            changed = (array + sign * step * direction).astype(array.dtype)
            given = list(arrays)
            if k < len(starts):
                applied.parameters[k].set_value(changed)
            else:
                given[k - len(starts)] = changed
            ends.append([part[0] for part in applied(given)])
        if k < len(starts):
            applied.parameters[k].set_value(array)
        for (_, _, gradients), plus, minus in zip(found, *ends, strict=True):
            slope = float((gradients[k] * direction).sum())
            assert_allclose(slope, (plus - minus) / (2 * step), rtol=2e-5, atol=2e-7)


# A layer alone is a small program: several are compiled at once. They are of different kinds.
GROUPS = [list(CASES)[start::18] for start in range(18)]


@pytest.mark.parametrize("names", GROUPS, ids=lambda names: names[0])
@pytest.mark.one_in(12)
def test_compiled(names: list[str]) -> None:
    cases = [CASES[name] for name in names]
    layers = [Applied(case, only_training=True) for case in cases]
    inputs = [x for layer in layers for x in layer.inputs]
    outputs = [y for layer in layers for y in layer.outputs]
    with one_text():
        compiled = made(inputs, outputs)
    for samples in (3, 1, 0):
        calls = [case.arrays(samples) for case in cases]
        found = iter(compiled(*(array for arrays in calls for array in arrays)))
        for name, layer, arrays in zip(names, layers, calls, strict=True):
            for wanted in layer.interpreted(*arrays):
                assert_allclose(next(found), wanted, rtol=1e-9, atol=1e-11, err_msg=name)


@pytest.mark.parametrize("name", CASES)
def test_config_is_data_of_an_equal_layer(name: str) -> None:
    case = CASES[name]
    layer = case.make()
    if not case.is_data:
        with pytest.raises(TypeError, match="which is not JSON data"):
            layer.config()
        return
    text = json.dumps(layer.config())
    again = layer_from(json.loads(text))
    assert type(again) is type(layer)
    assert json.dumps(again.config()) == text
    values = case.values()
    y, z = layer(*values), again(*values)
    assert y.shape == z.shape
    assert [p.name for p in layer.parameters] == [p.name for p in again.parameters]
    for mine, other in zip(layer.parameters, again.parameters, strict=True):
        other.variable.set_value(mine.variable.get_value())
        assert mine.trainable == other.trainable
        assert repr((mine.regularizer, mine.constraint)) == repr(
            (other.regularizer, other.constraint)
        )
    arrays = [v.test for v in values]
    f = symtheano.function(arrays, [y.test, z.test], mode="INTERPRET", on_unused_input="ignore")
    left, right = f(*case.arrays(2))
    assert left.tobytes() == right.tobytes()


@pytest.mark.parametrize("name", CASES)
def test_shared_and_frozen(name: str) -> None:
    case = CASES[name]
    layer = case.make()
    first = layer(*case.values())
    parameters = list(layer.parameters)
    second = layer(*case.values(2))
    assert layer.parameters == parameters
    assert second.shape == first.shape
    assert [p.variable for p in parameters if p.trains] == second.parameters
    layer.trainable = False
    frozen = layer(*case.values())
    assert frozen.parameters == []
    if isinstance(layer, nn.BatchNorm | nn.SpectralNorm):
        assert frozen.train is frozen.test
        assert frozen.updates == []


@pytest.mark.parametrize("name", CASES)
def test_names_of_parameters(name: str) -> None:
    layer = CASES[name].make()
    layer(*CASES[name].values())
    layer.rename("other")
    names = [p.variable.name for p in layer.parameters]
    assert names == [f"other/{p.name}" for p in layer.parameters]
    assert len(set(names)) == len(names)


def test_every_layer_is_here() -> None:
    public = {name for name in nn.__all__ if name in LAYERS and name != "Layer"}
    assert {type(case.make()).__name__ for case in CASES.values()} == public


def test_inputs_are_checked() -> None:
    with pytest.raises(TypeError, match="takes outputs of layers, symbolic arrays"):
        nn.Dense(2)(np.ones((1, 2)))  # type: ignore[arg-type]
    x = nn.Input((3,))
    with pytest.raises(TypeError, match="Subtract 'subtract' takes 2 values, not 1"):
        nn.Subtract()(x)
    with pytest.raises(NotImplementedError, match="defines neither call nor apply"):
        Layer()(x)
    layer = nn.Dense(2)
    layer(x)
    with pytest.raises(ValueError, match=r"was built for inputs of shape \(n, 3\).*\(n, 4\)"):
        layer(nn.Input((4,)))
    with pytest.raises(ValueError, match="takes a layer that was not called yet"):
        nn.TimeDistributed(layer)(nn.Input((4, 3)))

"""Layers compute what those of Keras and torch do: numbers that ``data/record_layers.py`` wrote.

Keras computes parts of its layers in single precision, also those of float64.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

import symtheano
import symtheano.tensor as T
from symtheano import nn
from symtheano.nn.layers.configuration import layer_from
from tests.nn.recorded import load

RECORDED = load("layers")


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_numbers(name: str) -> None:
    row = RECORDED[name]
    layer = layer_from({"class": row["class"], **row["arguments"]})
    arrays = [np.array(x) for x in row["inputs"]]
    values = [nn.Input(x.shape[1:], "float64") for x in arrays]
    given: dict[Any, Any] = {v.test: x for v, x in zip(values, arrays, strict=True)}
    for key, k in (("mask", 0), ("value_mask", 1)):
        if row.get(key) is not None:
            mask = T.matrix(dtype="bool")
            values[k].masks = (mask, mask)
            given[mask] = np.array(row[key])
    y = layer(*values)
    own = {p.name: p.variable for p in layer.parameters}
    assert set(own) == set(row["weights"])
    for key, weight in row["weights"].items():
        assert own[key].get_value().shape == np.shape(weight)
        own[key].set_value(np.array(weight))
    outputs = [y, *(y.states if "states" in row else ())]
    f = symtheano.function(list(given), [v.test for v in outputs], mode="INTERPRET")
    found = f(*given.values())
    assert found[0].shape[1:] == y.shape
    for array, expected in zip(found, [row["output"], *row.get("states", [])], strict=True):
        assert_allclose(array, np.array(expected), rtol=2e-5, atol=1e-6)

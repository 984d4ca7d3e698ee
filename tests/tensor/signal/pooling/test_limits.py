"""Pooling whose windows, distances and borders are as large as integers can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import FunctionGraph, function
from symtheano.codegen.runtime.tables import wait_for_kernels
from symtheano.gradient import grad
from symtheano.tensor.signal.pooling.ops import Pooling
from tests.codegen.pooling.plain import computed

MOST = 2**31 - 1
MODES = [pytest.param(None, marks=pytest.mark.needs_cc), "INTERPRET"]
WINDOWS: list[dict[str, Any]] = [
    {"ws": (MOST, 2), "ignore_border": False},
    {"ws": (MOST, MOST), "ignore_border": False, "stride": (1, MOST)},
    {"ws": (2, 2), "stride": (MOST, 1)},
    {"ws": (MOST, 2), "pad": (MOST - 3, 1), "stride": (MOST, 2)},
    {"ws": (2**30, MOST), "pad": (2**30 - 2, MOST - 1), "stride": (2**30 - 1, MOST)},
    {"ws": (MOST, 1), "pad": (MOST - 1, 0), "stride": (2**20, 1)},
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ["max", "sum", "average_inc_pad", "average_exc_pad"])
@pytest.mark.parametrize("windows", WINDOWS, ids=lambda w: "-".join(map(str, w["ws"])))
def test_windows_at_the_limits(mode: str | None, kind: Any, windows: dict[str, Any]) -> None:
    op = Pooling("result", mode=kind, **windows)
    x = T.dtensor3("x")
    y = op(x)
    f = function([x], [y, grad(y.sum(), x)], mode=mode)
    image = np.random.default_rng(0).permutation(24).reshape(2, 3, 4).astype("float64")
    f(image)
    wait_for_kernels()
    made, slope = f(image)
    counted = {"sum": 0, "max": 0, "average_inc_pad": 1, "average_exc_pad": 2}[kind]
    name = "max" if kind == "max" else "sum"
    ones = np.ones((2, *op.at.lengths(image.shape[1:])))
    given = {"x": image, "y": ones, "g": ones, "v": image}
    expected = computed(name, op.at, given, counted)
    np.testing.assert_allclose(made, expected)
    given["y"] = expected
    np.testing.assert_allclose(slope, computed(f"{name}_image", op.at, given, counted))


@pytest.mark.parametrize("mode", MODES)
def test_lengths_of_a_gradient(mode: str | None) -> None:
    """Lengths that are given are refused, or give what the definition says."""
    a, n = T.dmatrix("a"), T.lscalar("n")
    for windows in (
        {"ws": (2,)},
        {"ws": (MOST,), "ignore_border": False},
        {"ws": (3,), "pad": (2,)},
    ):
        f = function([a, n], Pooling("image", mode="sum", **windows)(a, n), mode=mode)
        taken, refused = [], []
        for length in (-(2**63), -1, 0, 1, 2, 3, 2**31, 2**60, 2**62, 2**63 - 1):
            for items in (0, 1):
                try:
                    made = f(np.ones((items, 1)), length)
                except (ValueError, MemoryError) as error:
                    refused.append(str(error))
                    continue
                taken.append(made)
        assert taken
        assert all(made.shape[1] > 0 for made in taken)
        assert all(("Pool" in text or "pool" in text or "memory" in text) for text in refused)


def test_graph_of_a_file() -> None:
    """Numbers beyond the limits are refused when a graph is read."""
    x = T.dtensor3("x")
    text = FunctionGraph([x], [Pooling("result", (2, 3), mode="sum")(x)]).to_json()
    assert '"ws": [2, 3]' in text
    for number in (0, -1, 2**31, 2**63, 2**64):
        with pytest.raises(ValueError, match="pooling: ws"):
            FunctionGraph.from_json(text.replace('"ws": [2, 3]', f'"ws": [{number}, 3]'))

"""The layers of a ziggurat have equal areas; tests/tensor/random compares the drawn bits."""

from __future__ import annotations

import re
from math import erfc, exp, pi, sqrt

import pytest

from symtheano.codegen.routines.random.ziggurat import (
    LAYERS,
    Ziggurat,
    exponential_ziggurat,
    normal_ziggurat,
    table_text,
)


@pytest.mark.parametrize("ziggurat", [normal_ziggurat(), exponential_ziggurat()])
def test_layers_have_equal_areas(ziggurat: Ziggurat) -> None:
    x, f = [float(item) for item in ziggurat.positions], ziggurat.heights()
    assert len(x) == len(f) == LAYERS
    area = x[0] * f[255]
    assert all(x[i] * (f[i - 1] - f[i]) == pytest.approx(area, rel=1e-12) for i in range(2, 256))
    assert x[1] * (1 - f[1]) == pytest.approx(area, rel=1e-9)


def test_base_holds_the_tail() -> None:
    normal, exponential = normal_ziggurat(), exponential_ziggurat()
    r, q = float(normal.positions[255]), float(exponential.positions[255])
    tail = sqrt(pi / 2) * erfc(r / sqrt(2))
    base = float(normal.positions[0])
    assert base * normal.heights()[255] == pytest.approx(r * exp(-r * r / 2) + tail)
    assert float(exponential.positions[0]) == pytest.approx(q + 1)


def test_layer_that_is_rounded_up_is_within_one_unit() -> None:
    ziggurat = normal_ziggurat()
    x = float(ziggurat.positions[38])
    assert 0 < ziggurat.heights()[38] - exp(-0.5 * x * x) < 2e-16


@pytest.mark.parametrize("kind", ["normal", "exponential"])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_bounds_are_ratios_of_positions(kind: str, dtype: str) -> None:
    text = table_text(kind, dtype)
    tables = [re.findall(r"-?0x[\w.+-]+", table) for table in text.split("static ")[1:]]
    bounds, factors, heights = tables
    sides = 2 if kind == "normal" else 1
    assert len(bounds) == len(factors) == sides * len(heights) == sides * LAYERS
    if kind == "normal":
        assert bounds[LAYERS:] == bounds[:LAYERS]
        assert factors[LAYERS:] == [f"-{item}" for item in factors[:LAYERS]]
    k = [int(item, 16) for item in bounds[:LAYERS]]
    w = [float.fromhex(item.rstrip("f")) for item in factors[:LAYERS]]
    bits = {("normal", "float64"): 52, ("exponential", "float64"): 53}.get((kind, dtype), 23)
    assert k[1] == 0
    assert k[2:] == [
        pytest.approx(w[i - 1] / w[i] * 2**bits, abs=2 if bits == 23 else 32)
        for i in range(2, LAYERS)
    ]

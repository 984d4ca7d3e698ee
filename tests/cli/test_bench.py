"""bench: fitting inputs, sensible numbers, and one line about what does not fit."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.cli.bench import Rates, input_values, measure
from tests.cli.conftest import Run

QUICK = ("--seconds", "0.02")


def test_rates_of_two_modes(run: Run) -> None:
    status, out, _ = run("bench", *QUICK, "--mode", "INTERPRET", "--shapes", "x=7", "model.py:y")
    assert status == 0
    lines = out.splitlines()
    assert lines[0] == "y(x: float64 7)"
    assert lines[2].split() == [
        "calls", "per", "second", "median", "25%", "75%", "worst", "us/call", "first", "is",
    ]  # fmt: skip
    assert [line.split()[:1] for line in lines[3:]] == [["INTERPRET"], ["INTERPRET"]]
    assert lines[3].endswith("1.00x")
    assert max(map(len, lines)) <= 80


@pytest.mark.needs_cc
def test_json(run: Run) -> None:
    status, out, _ = run("bench", *QUICK, "--json", "model.py:cost", "--shapes", "x=3")
    shown = json.loads(out)
    assert status == 0
    assert shown["inputs"] == [{"name": "x", "dtype": "float64", "shape": [3]}]
    rates = shown["calls_per_second"]
    assert list(rates) == ["FAST_RUN", "INTERPRET"]
    for rate in rates.values():
        assert 0 < rate["worst"] <= rate["lower_quartile"] <= rate["median"]
        assert rate["median"] <= rate["upper_quartile"]


def test_a_compiled_function(run: Run) -> None:
    status, out, _ = run("bench", *QUICK, "--json", "--against", "none", "model.py:compiled")
    assert status == 0
    assert list(json.loads(out)["calls_per_second"]) == ["interpret"]


def test_updates_are_measured_on_both_sides(run: Run, tmp_path: Path) -> None:
    (tmp_path / "count.py").write_text(
        "import symtheano, symtheano.tensor as T\nn = symtheano.shared(0.0, name='n')\n"
        "x = T.dscalar('x')\n"
        "step = symtheano.function([x], n, updates=[(n, n + x)], mode='INTERPRET')\n"
    )
    status, out, _ = run("bench", *QUICK, "--json", "--against", "FAST_COMPILE", "count.py:step")
    assert status == 0
    assert list(json.loads(out)["calls_per_second"]) == ["interpret", "FAST_COMPILE"]


@pytest.mark.parametrize(
    ("args", "text"),
    [
        (["--shapes", "z=3"], "--shapes: there is no input z; the inputs are x"),
        (["--shapes", "x=3x3"], "--shapes: x has 1 dims, x=3x3 gives 2"),
        (["--shapes", "x:3"], "--shapes: 'x:3' is not like x=100x10"),
        (["--shapes", "x=-3"], "--shapes: 'x=-3' is not like x=100x10"),
    ],
)
def test_bad_shapes(run: Run, args: list[str], text: str) -> None:
    status, out, err = run("bench", "--mode", "INTERPRET", *args, "model.py:y")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1] == f"symtheano: {text}"


def test_shapes_that_do_not_fit_the_expression(run: Run) -> None:
    status, out, err = run("bench", "--mode", "INTERPRET", "--shapes", "x=5", "model.py:cost")
    assert (status, out) == (2, "")
    assert "Traceback" not in err
    assert err.splitlines()[-1].strip() == "hint: give fitting shapes with --shapes or --size"


def test_values_have_the_inputs_types() -> None:
    inputs = [T.imatrix("i"), T.vector("u", dtype="uint8"), T.cvector("c"), T.bvector("b")]
    inputs += [T.fscalar("s"), T.TensorType("bool", (None,))("t"), T.TensorType("int8", (4,))("k")]
    values = input_values(inputs, {"i": (2, 3)}, 5)
    assert [value.dtype.name for value in values] == [variable.dtype for variable in inputs]
    assert [value.shape for value in values] == [(2, 3), (5,), (5,), (5,), (), (5,), (4,)]
    for value in values:
        if value.dtype.kind in "iu":
            assert value.min() >= 0
            assert value.max() < 10
    again = input_values(inputs, {"i": (2, 3)}, 5)
    for first, second in zip(values, again, strict=True):
        np.testing.assert_array_equal(first, second)


def test_blocks_alternate() -> None:
    made: list[str] = []
    rates = measure([lambda: made.append("a"), lambda: made.append("b")], 0.002)
    assert {len(own) for own in rates} == {20}
    changes = sum(one != other for one, other in pairwise(made))
    assert changes >= 2 * 20 - 1
    assert Rates.of(rates[0]).worst == min(rates[0])

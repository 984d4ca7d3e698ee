"""Each pass alone, all without each, and random lists of passes: values do not change."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

import symtheano.tensor as T
from symtheano import Mode, function
from symtheano.codegen.passes import run_passes
from symtheano.codegen.passes.vectorize import vectorize
from symtheano.codegen.processors import CPU
from symtheano.codegen.targets import Pass
from tests.codegen.passes.kernels import PROGRAMS, assert_same_values, kernels_of, text_after_each

# A program in which each pass finds something to do.
FIRES = {
    "collapse": "sum",
    "unroll": "channels",
    "tile": "transposed",
    "interchange": "distances",
    "unroll_rows": "points",
    "narrow": "squares",
    "stage": "shares",
    "promote": "points",
    "hoist": "gather",
    "rotate": "rolled",
    "strips": "orbits",
    "search": "positions",
    "chunk": "columns",
    "lanes": "softmax",
    "row_functions": "scores",
    "prefetch_rows": "softmax",
    "terms": "entropy",
    "jam": "rows",
    "sink": "norms",
    "split": "sum",
    "skip_empty": "columns",
    "accumulators": "sum",
    "prefetch_stream": "float32_rows",
    "contract": "sum",
    "unswitch": "corrected",
    "peel": "labels",
    "prefetch_gathers": "gather",
    "share": "two_rows",
    "parallelize": "gather",
    "vectorize": "elementwise",
    "blend": "chosen",
    "quotients": "shares_of_six",
    "partial_sums": "float32_rows",
    "partial_columns": "float32_sums",
    "widen": "wide_rows",
    "announce": "scatter",
    "polls": "orbits",
}
each_pass = pytest.mark.parametrize("each", CPU.passes, ids=lambda each: each.__name__)


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_passes(name: str) -> None:
    assert_same_values(name)
    assert_same_values(name, finished=True)


@pytest.mark.parametrize("name", PROGRAMS)
def test_one_pass(name: str) -> None:
    for each in CPU.passes:
        assert_same_values(name, [each], lengths=[(7, 5, 2)])


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_but_one(name: str) -> None:
    for left_out in CPU.passes:
        passes = [each for each in CPU.passes if each is not left_out]
        assert_same_values(name, passes, lengths=[(6, 3, 4)], finished=True)


@settings(max_examples=20)
@given(
    st.sampled_from(sorted(PROGRAMS)),
    st.lists(st.sampled_from(CPU.passes), max_size=8, unique=True),
)
def test_lists_of_passes(name: str, passes: list[Pass]) -> None:
    chosen = [each for each in passes if each is not vectorize]  # what it did is not undone
    assert_same_values(name, chosen, lengths=[(7, 5, 2)])


@each_pass
def test_pass_fires(each: Pass) -> None:
    kernels, names = kernels_of(FIRES[each.__name__])
    before = run_passes(kernels[-1], names, CPU.passes[: CPU.passes.index(each)], CPU)
    assert run_passes(before, names, [each], CPU) != before


@pytest.mark.parametrize(
    "name",
    [
        "softmax",
        "columns",
        "labels",
        "transposed",
        "positions",
        "middle",
        "channels",
        "distances",
        "points",
        "squares",
        "shares",
        "norms",
    ],
)
def test_text_after_each_pass(name: str, golden: Callable[[str, str], None]) -> None:
    golden(text_after_each(name), f"loopir/passes/{name}.txt")


@pytest.mark.needs_cc
def test_a_mode_leaves_passes_out() -> None:
    x = T.dmatrix("x")
    plain = function([x], T.nnet.softmax(x), mode=Mode().excluding("lanes", "prefetch_rows"))
    usual = function([x], T.nnet.softmax(x))
    assert "for lane " in str(usual.lowered.program)
    assert "for lane " not in str(plain.lowered.program)
    value = np.arange(12.0).reshape(4, 3)
    np.testing.assert_allclose(plain(value), usual(value), 1e-12)


@pytest.mark.parametrize(
    ("length", "terms", "lanes"), [(None, 1, True), (None, 9, False), (10, 9, True), (20, 1, False)]
)
def test_lanes_of_rows_of_unknown_length(length: int | None, terms: int, lanes: bool) -> None:
    a = T.TensorType("float64", (None, length))("a")
    centered = a - a.mean(1, keepdims=True)
    result = sum((T.sin(number * centered) for number in range(1, terms)), T.exp(centered))
    made = function([a], result, mode="INTERPRET")
    assert ("for lane " in str(made.lowered.program)) == lanes

"""The naive writer: the plainest loops of small nests, by hand."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano.tensor as T
from symtheano.codegen.nests.writer import NestWriter
from symtheano.loopir import Builder
from symtheano.loopir.text import statements_text
from tests.codegen.nests.test_access import Around
from tests.support.plans import planned

x, v = T.matrix("x"), T.vector("v")


def written(inputs: list[Any], outputs: list[Any]) -> list[str]:
    """Return the lines of the only nest's kernel, without the user's lines."""
    plan = planned(inputs, outputs)
    (nest,) = plan.nests
    kernel = NestWriter(plan.nests[nest], Around(plan), Builder()).write("k")
    return [line.split("  #")[0] for line in statements_text(kernel.body).splitlines()]


@pytest.mark.parametrize(
    ("output", "lines"),
    [
        (
            T.exp(v) * v,
            [
                "for i = 0 .. v_d0, independent:",
                "  v_i = v[i] : float64",
                "  v = exp(v_i) : float64",
                "  v_2 = mul(v, v_i) : float64",
                "  out[i] = v_2",
            ],
        ),
        (
            x.sum(axis=1),
            [
                "for i = 0 .. x_d0, independent:",
                "  var sum = 0.0:float64 : float64",
                "  for j = 0 .. x_d1, reduce:",
                "    x_i = x[i*x_d1 + j] : float64",
                "    sum add= x_i",
                "  out[i] = sum",
            ],
        ),
        (
            x.sum(axis=0),
            [
                "for j = 0 .. x_d1, independent:",
                "  out[j] = 0.0:float64",
                "for i = 0 .. x_d0, reduce:",
                "  for j_2 = 0 .. x_d1, independent:",
                "    x_i = x[i*x_d1 + j_2] : float64",
                "    out[j_2] add= x_i",
            ],
        ),
    ],
    ids=["points", "rows", "columns"],
)
def test_loops_by_hand(output: Any, lines: list[str]) -> None:
    assert written([x, v], [output]) == lines


def test_a_full_reduction_is_a_result_of_the_kernel() -> None:
    plan = planned([v], [T.sqr(v).sum()])
    (nest,) = plan.nests
    writer = NestWriter(plan.nests[nest], Around(plan), Builder())
    kernel = writer.write("k")
    (total,) = kernel.results
    assert (total.name, total.dtype) == ("sum", "float64")
    assert list(writer.results.values()) == [total]
    assert writer.title() == "sqr, sum over v_d0"
    assert writer.wish(3) == "kernel_3_sqr_sum"


def test_a_softmax_has_a_loop_for_each_stage() -> None:
    lines = written([x], [T.nnet.softmax(x)])
    loops = [line.strip() for line in lines if line.lstrip().startswith("for")]
    assert len(loops) == 4
    assert loops[0].startswith("for i")
    assert ["reduce" in loop for loop in loops] == [False, True, True, False]

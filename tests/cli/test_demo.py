"""demo: the output that it shows is real."""

from __future__ import annotations

import re

import pytest

import symtheano
from symtheano.cli.demo import STEPS
from tests.cli.conftest import Run


@pytest.mark.needs_cc
def test_tour(run: Run) -> None:
    status, out, err = run("demo")
    assert (status, err) == (0, "")
    for number, (heading, text) in enumerate(STEPS, 1):
        assert f"{number}. {heading}" in out
        for line in text.splitlines():
            assert f"  > {line}".rstrip() in out
    assert "softplus" in out
    assert "for (int64_t" in out
    costs = [float(found) for found in re.findall(r"cost (\d+\.\d+)", out)]
    assert costs == sorted(costs, reverse=True)
    fitted = re.findall(r"cost \S+, (\S+) u (\S+)", out)[-1]
    assert abs(float(fitted[0]) - 3) < 0.05
    assert abs(float(fitted[1]) + 1) < 0.05


def test_tour_without_a_compiler(run: Run) -> None:
    with symtheano.config.change_flags(mode="INTERPRET"):
        status, out, err = run("demo")
    assert (status, err) == (0, "")
    assert "no C" in out
    assert "step 100: cost" in out

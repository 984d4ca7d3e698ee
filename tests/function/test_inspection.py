"""What compiled functions show of their stages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function


@pytest.mark.needs_cc
def test_what_a_function_knows(tmp_path: Path) -> None:
    x = T.vector("x")
    with config.change_flags(cache_dir=str(tmp_path)):  # all stages run if nothing is kept
        f = function([x], T.log(1 + T.exp(x)), name="soft")
    assert "soft" in repr(f)
    assert f.c_source is not None
    assert "soft" in f.c_source
    assert f.maker.fgraph is f.graph
    assert {"rewrite", "lower", "print", "compile", "load", "total"} <= set(f.times)
    assert f.trace is not None
    plain = function([x], x, mode="INTERPRET")
    assert plain.c_source is None
    assert float(T.exp(x).sum().eval({x: np.zeros(4)})) == 4
    assert float((x * 2).sum().eval({"x": np.ones(4)})) == 8


@pytest.mark.needs_cc
def test_texts_and_memory() -> None:
    x = T.vector("x")
    f = function([x], T.sqr(x)[1:] * x[0])
    assert f.user_graph.to_json() != f.graph.to_json()
    assert "x_d0" in str(f.lowered.program)
    assert f.c_messages is not None
    assert "st_" in f.c_messages
    assert f.memory.peak(np.ones(5)) >= 4 * 8
    assert function([x], x, mode="INTERPRET").c_messages is None

"""Parallelize: threads share the outermost independent loops."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.chunk import chunk
from symtheano.codegen.passes.parallelize import parallelize
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import v, x


def test_rows_are_shared(golden: Golden) -> None:
    golden(change(parallelize, [x], x * 2).text, "passes/parallelize.txt")


def test_columns_are_reduced_in_order() -> None:
    found = change(parallelize, [x], x.sum(0))
    assert found.reasons == ("j: not, it is 1 deep, and others are 2", "i: not, it is reduce")
    assert found.after == found.before


def test_chunks_are_shared_with_their_work() -> None:
    found = change(parallelize, [v], v.sum(), first=[chunk])
    assert "chunk: threads share it, with work of v_d0*2 additions" in found.reasons
    assert found.kinds == ["parallel", "reduce", "serial"]


def test_little_work_is_not_shared() -> None:
    short = T.TensorType("float64", (None, 50))("short")
    few = T.TensorType("float64", (40, 50))("few")
    assert change(parallelize, [short], T.exp(short)).kinds[0] == "parallel"
    found = change(parallelize, [few], T.exp(few))
    assert found.kinds == ["independent", "independent"]
    assert found.reasons[0].startswith("i: not, its work is only ")

"""Search: a position is searched only in the block that contains the extremum."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano.codegen.passes.search import extrema, search
from symtheano.codegen.processors import CPU
from symtheano.loopir import For, Locate
from symtheano.loopir.names import walk
from symtheano.scalar.table import scalar_op
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import k, v, x


def test_positions_of_rows(golden: Golden) -> None:
    golden(change(search, [x], x.argmax(1)).text, "passes/search.txt")


def test_blocks_are_as_long_as_memory_delivers_twice() -> None:
    for vector, size in ((v, 8), (k, 8), (v.astype("float32"), 4)):
        found = change(search, [v, k], vector.argmin(), shapes=[(7,)])
        (block, *_) = (s for s in walk(found.after.body) if isinstance(s, For))
        assert block.step == 2 * CPU.caches.burst // size
        assert not any(isinstance(s, Locate) for s in walk(found.after.body))


def test_an_extremum_without_its_position_is_left_alone() -> None:
    change(search, [x], x.max(1)).assert_refused("not, no loop locates an extremum")


@pytest.mark.parametrize("op", ["argmax", "argmin"])
@pytest.mark.parametrize("dtype", ["float32", "int16", "bool"])
def test_rows_of_the_table_accumulate_what_numpy_finds(op: str, dtype: str) -> None:
    values = np.array([3, 0, 5, 1, 5, 0]).astype(dtype)
    for row in extrema(op, dtype)[:1]:
        total = values[0]
        for value in values[1:]:
            total = np.asarray(scalar_op(row).numpy(total, value)).astype(dtype)[()]
        assert total == (values.max() if op == "argmax" else values.min())

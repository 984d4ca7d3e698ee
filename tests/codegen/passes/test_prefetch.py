"""Prefetch: rows, blocks and gathered rows are asked for before they are read."""

from __future__ import annotations

import symtheano.tensor as T
from symtheano.codegen.passes.hoist import hoist
from symtheano.codegen.passes.prefetch import prefetch_gathers, prefetch_rows
from symtheano.loopir import Prefetch
from symtheano.loopir.names import walk
from tests.codegen.passes.change import Change, Golden, change
from tests.codegen.passes.kernels import k, v, x, y, z


def asked(found: Change) -> list[tuple[str, str, bool]]:
    """Return what is asked for: buffers, elements, and whether they will be written."""
    return [
        (s.buffer.name, str(s.index), s.write)
        for s in walk(found.after.body)
        if isinstance(s, Prefetch)
    ]


def test_the_second_loop_asks_for_the_next_row(golden: Golden) -> None:
    found = change(prefetch_rows, [x], x - x.max(1, keepdims=True))
    golden(found.text, "passes/prefetch_rows.txt")


def test_rows_that_are_visited_once() -> None:
    change(prefetch_rows, [x], x.max(1)).assert_refused("not, no loop visits rows more than once")


def test_rows_that_outer_loops_visit_again() -> None:
    rows = x - x.max(1, keepdims=True)
    found = change(prefetch_rows, [x, z], T.exp(z - rows.sum(1)[:, None, None]).sum((0, 2)))
    assert all(name != "x" for name, _, _ in asked(found))


def test_gathered_rows_are_asked_for_ahead(golden: Golden) -> None:
    found = change(prefetch_gathers, [y, k], y[k] * 2, first=[hoist])
    golden(found.text, "passes/prefetch_gathers.txt")


def test_rows_in_order_need_no_request() -> None:
    found = change(prefetch_gathers, [y, v], y * v[:, None], first=[hoist])
    found.assert_refused("not, no row is selected by an index that is loaded")

"""Share: what a block, or one around it, computes twice is computed once."""

from __future__ import annotations

from symtheano.codegen.passes.jam import jam
from symtheano.codegen.passes.share import share
from tests.codegen.passes.change import Golden, change
from tests.codegen.passes.kernels import v, x


def test_jammed_rows_read_a_vector_once(golden: Golden) -> None:
    golden(change(share, [x, v], (x * v).sum(1), first=[jam]).text, "passes/share.txt")


def test_nothing_is_repeated() -> None:
    change(share, [x], x * 2).assert_refused("not, nothing is computed twice")


def test_what_is_written_is_read_again() -> None:
    """The accumulators of columns change between two loads."""
    found = change(share, [x], x.sum(0), first=[jam])
    assert found.after == found.before

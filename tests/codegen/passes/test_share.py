"""Share: what a block, or one around it, computes twice is computed once."""

from __future__ import annotations

from symtheano.codegen.passes.jam import jam
from symtheano.codegen.passes.share import share
from symtheano.loopir import Buffer, Builder, Index, Kernel, Literal, View
from tests.codegen.passes.change import Golden, change, changed
from tests.codegen.passes.kernels import v, x


def test_jammed_rows_read_a_vector_once(golden: Golden) -> None:
    golden(change(share, [x, v], (x * v).sum(1), first=[jam]).text, "passes/share.txt")


def test_nothing_is_repeated() -> None:
    change(share, [x], x * 2).assert_refused("not, nothing is computed twice")


def test_what_is_written_is_read_again() -> None:
    """The accumulators of columns change between two loads."""
    found = change(share, [x], x.sum(0), first=[jam])
    assert found.after == found.before


def test_an_element_is_loaded_again_after_it_was_written() -> None:
    two = Index.of(2)
    out = View.contiguous(Buffer("out", "float64", "output", two, 0), (two,))
    b = Builder()
    b.names.fresh("out")
    for place in (0, 1):
        element = b.load(out, [0])
        b.store(out, [place], b.let("add", "float64", [element, Literal(1.0, "float64")]))
    found = changed(share, Kernel("twice", "", b.statements()), b.names)
    found.assert_refused("not, nothing is computed twice")

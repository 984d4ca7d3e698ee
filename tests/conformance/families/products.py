"""Products: of vectors, matrices and batches of them, over named axes, and einsum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

import numpy as np

from tests.conformance.draws import square, within
from tests.conformance.row import Arg, Row


def args(*dims: str, edges: bool = True) -> dict[str, Arg]:
    """Return arguments x, y, z … of the given dims."""
    return {name: Arg(item, edges=edges) for name, item in zip("xyzw", dims, strict=False)}


def reordered(*dims: str) -> dict[str, Arg]:
    """Return arguments for products in whatever order: none vanishes, none is infinite."""
    positive = within(1, 4)
    return {name: replace(arg, draw=positive) for name, arg in args(*dims, edges=False).items()}


def pairs() -> Iterator[Row]:
    """Yield rows of products of two arrays."""
    for x, y in [
        ("", ""), ("", "n m"), ("n", ""), ("n", "n"), ("n m", "m"), ("n", "n m"), ("n m", "m k"),
        ("n m k", "k l"), ("n m k", "k"), ("n m", "l m k"),
    ]:  # fmt: skip
        yield Row("T.dot(x, y)", args(x, y))
    yield Row("x.dot(y)", args("n m", "m k"))
    yield Row("T.dot(x.T, y[::-1])", args("m n", "m k"), plain="np.dot(x.T, y[::-1])")
    for x, y in [
        ("n", "n"), ("n m", "m"), ("n", "n m"), ("n m", "m k"), ("k n m", "m l"), ("k n m", "m"),
        ("n", "k n m"), ("n m", "k m l"), ("k n m", "k m l"), ("1 n m", "k m l"),
        ("k n m", "1 m l"), ("2 k n m", "k m l"),
    ]:  # fmt: skip
        yield Row("T.matmul(x, y)", args(x, y))
    yield Row("x @ y", args("n m", "m k"))
    yield Row("x @ y", args("k n m", "k m l"))
    for x, y in [("", ""), ("", "n"), ("n", "n"), ("n m", "m"), ("n m", "k m"), ("n m k", "l k")]:
        yield Row("T.inner(x, y)", args(x, y))
    for x, y in [("n", "m"), ("n m", "k"), ("", "n")]:
        yield Row("T.outer(x, y)", args(x, y))
    for x, y in [("", ""), ("n", "n"), ("n m", "n m")]:
        yield Row("T.vdot(x, y)", args(x, y))
    for x, y in [("n", "m"), ("n m", "k l"), ("n", "m k"), ("n 2 k", "3 n")]:
        yield Row("T.kron(x, y)", args(x, y))


def over_axes() -> Iterator[Row]:
    """Yield rows of products over axes that are named."""
    for text, x, y in [
        ("T.tensordot(x, y)", "n m k", "m k l"),
        ("T.tensordot(x, y, 0)", "n m", "k"),
        ("T.tensordot(x, y, axes=1)", "n m", "m k"),
        ("T.tensordot(x, y, axes=[1, 0])", "n m", "m k"),
        ("T.tensordot(x, y, axes=[[0, 2], [2, 0]])", "n m k", "k l n"),
        ("T.tensordot(x, y, axes=([-1], [1]))", "n m", "k m"),
    ]:
        yield Row(text, args(x, y))
    yield Row("T.tensordot(x, y, axes=3)", reordered("n m k", "n m k"))
    for x, y, subscripts in [
        ("b", "b", "b,b->b"),
        ("b n", "b n", "bn,bn->b"),
        ("b n m", "b m", "bnm,bm->bn"),
        ("b n", "b n m", "bn,bnm->bm"),
        ("b n m", "b m k", "bnm,bmk->bnk"),
        ("b", "b n m", "b,bnm->bnm"),
    ]:
        yield Row("T.batched_dot(x, y)", args(x, y), plain=f"np.einsum({subscripts!r}, x, y)")
    for text, x, y, subscripts in [
        ("T.batched_tensordot(x, y)", "b n m k", "b m k", "bnmk,bmk->bn"),
        ("T.batched_tensordot(x, y, 1)", "b n m", "b m k", "bnm,bmk->bnk"),
        ("T.batched_tensordot(x, y, axes=[[1], [2]])", "b n m", "b k n", "bnm,bkn->bmk"),
        ("T.batched_tensordot(x, y, axes=[[1, 2], [2, 1]])", "b n m", "b m n", "bnm,bmn->b"),
    ]:
        yield Row(text, args(x, y), plain=f"np.einsum({subscripts!r}, x, y)")


def sums() -> Iterator[Row]:
    """Yield rows of einsum."""
    for subscripts, *dims in [
        ("i->i", "n"), ("i->", "n"), ("ij->ji", "n m"), ("ij", "n m"), ("ji", "n m"),
        ("ijk->kij", "n m k"), ("ijk->j", "n m k"), ("->", ""),
        ("ii->i", "n n"), ("ii", "n n"), ("iij->ji", "n n m"), ("iji->j", "n m n"),
        ("ijij->ij", "n m n m"), ("iii->i", "n n n"),
        ("...i->...", "n m k"), ("i...->...i", "n m k"), ("...", "n m"),
        ("i,i", "n", "n"), ("i,j->ij", "n", "m"), ("i,j->ji", "n", "m"), (",i->i", "", "n"),
        ("ij,jk", "n m", "m k"), ("ij,jk->ki", "n m", "m k"), ("ij,kj->ik", "n m", "k m"),
        ("ij,ij->", "n m", "n m"), ("ij,ij->j", "n m", "n m"), ("ij,j->ij", "n m", "m"),
        ("bij,bjk->bik", "b n m", "b m k"), ("bij,bkj->bki", "b n m", "b k m"),
        ("bij,bj->bi", "b n m", "b m"), ("ijb,jkb->ikb", "n m b", "m k b"),
        ("ijk,jkl->il", "n m 2", "m 2 l"), ("ijk,kj->i", "n m k", "k m"),
        ("ii,ij->j", "n n", "n m"),
        ("...ij,...jk->...ik", "b n m", "b m k"), ("...ij,jk->...ik", "b n m", "m k"),
        ("...ij,...jk", "1 n m", "b m k"), ("i...,i...->...", "n m", "n m"),
        ("ij...,jk->ik...", "n m b", "m k"),
    ]:  # fmt: skip
        names = ", ".join("xyzw"[: len(dims)])
        yield Row(f"T.einsum({subscripts!r}, {names})", args(*dims))
    for subscripts, *dims in [
        ("ij,kk->ij", "n m", "k k"), ("ij,k->i", "n m", "k"),
        ("ij,jk,kl->il", "n m", "m k", "k l"), ("i,ij,j->", "n", "n m", "m"),
        ("ij,jk,ik->i", "n m", "m k", "n k"), ("bi,ij,bj->b", "b n", "n m", "b m"),
        ("ab,cb,dc,ad->", "n m", "k m", "l k", "n l"),
    ]:  # fmt: skip
        names = ", ".join("xyzw"[: len(dims)])
        yield Row(f"T.einsum({subscripts!r}, {names})", reordered(*dims), "biuFc")
    three = reordered("n m", "m k", "k l")
    for options in ("optimize=False", "optimize='greedy'", "optimize='optimal'"):
        yield Row(f"T.einsum('ij,jk,kl->li', x, y, z, {options})", three, "biuFc")
    yield Row("T.einsum('ab,bc,cd->ad', x, y, z)", three, "h", tolerance=1e-2)
    yield Row("T.einsum(x, [0, 1], y, [1, 2], [2, 0])", args("n m", "m k"))
    yield Row("T.einsum(x, [0, 1], y, [1, 2])", args("n m", "m k"))
    yield Row("T.einsum(x, [Ellipsis, 0], y, [0, 5], [Ellipsis, 5])", args("b n m", "m k"))
    yield Row("T.einsum('ij,jk->ik', x, y, dtype='float64')", args("n m", "m k"), "biuf")
    yield Row("T.einsum('ij,jk->ik', x, y)", {"x": Arg("n m"), "y": Arg("m k", "float32")}, "biF")


def several() -> Iterator[Row]:
    """Yield rows of products of several matrices, and of powers."""
    three = args("n m", "m k", "k l")
    yield Row("T.nlinalg.multi_dot([x, y])", args("n m", "m k"))
    yield Row("T.nlinalg.multi_dot([x, y, z])", three)
    yield Row("T.nlinalg.multi_dot([x, y, z])", reordered("n", "n m", "m"), "biuFc")
    yield Row("T.nlinalg.multi_dot([x, y, z, w])", args("n m", "m k", "k l", "l"))
    yield Row("T.nlinalg.matrix_dot(x, y, z)", three, plain=lambda *items: reduce(np.dot, items))
    yield Row("T.nlinalg.matrix_dot(x)", args("n m"), plain="x")
    for n in (0, 1, 2):
        yield Row(f"T.nlinalg.matrix_power(x, {n})", {"x": Arg("n n")}, slope=n > 0)
    yield Row("T.nlinalg.matrix_power(x, 3)", reordered("k n n"), "biuFc")
    yield Row("T.nlinalg.matrix_power(x, 5)", reordered("n n"), "biuFc")
    one = {"x": Arg("n n", draw=square)}
    yield Row("T.nlinalg.matrix_power(x, -2)", one, "Fc", edges=False, tolerance=1e-5)


ROWS: list[Row] = [*pairs(), *over_axes(), *sums(), *several()]

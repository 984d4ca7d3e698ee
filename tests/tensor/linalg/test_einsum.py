"""einsum against NumPy's: spellings, orders, lengths, dtypes, gradients, and errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.errors import ShapeError
from symtheano.function.verify import verify_grad, verify_rop
from symtheano.tensor.linalg.einsum import einsum
from symtheano.tensor.type import TensorType
from tests.support.arrays import random_array
from tests.support.compare import assert_same, check, count, oracle

KIND = "einsum"
CASES: list[tuple[str, list[tuple[int, ...]]]] = [
    ("ij,jk->ik", [(2, 3), (3, 4)]), ("ij,jk", [(2, 3), (3, 4)]), ("ii", [(3, 3)]),
    ("ii->i", [(3, 3)]), ("iij->j", [(3, 3, 2)]), ("iji->j", [(3, 2, 3)]), ("iii->i", [(3, 3, 3)]),
    ("ij->ji", [(2, 3)]), ("ba", [(2, 3)]), ("ij->", [(2, 3)]), ("ijk->ki", [(2, 3, 4)]),
    ("i,i", [(3,), (3,)]), ("i,j", [(3,), (2,)]), (" i , j -> j i ", [(3,), (2,)]),
    ("bij,bjk->bik", [(2, 3, 4), (2, 4, 5)]), ("bij,bj->bi", [(2, 3, 4), (2, 4)]),
    ("bij,bij->b", [(2, 3, 4), (2, 3, 4)]), ("bij,bkj->bik", [(2, 3, 4), (2, 5, 4)]),
    ("abcd,cdef->abef", [(2, 3, 4, 5), (4, 5, 2, 2)]),
    ("abcd,bdce->ae", [(2, 3, 4, 5), (3, 5, 4, 2)]),
    ("abcd,abce->abde", [(2, 3, 4, 5), (2, 3, 4, 2)]),
    ("...ij,...jk->...ik", [(2, 3, 4), (4, 5)]), ("...ij,...jk", [(2, 2, 3, 4), (2, 2, 4, 5)]),
    ("i...->...", [(2, 3, 4)]), ("...", [(2, 3)]), ("...i->i...", [(2, 3, 4)]),
    ("b...i,b...j->bij...", [(2, 3, 4), (2, 3, 5)]), (",ij->ij", [(), (2, 3)]), ("->", [()]),
    ("ij,jk,kl,lm->im", [(2, 3), (3, 4), (4, 5), (5, 2)]), ("ij,jk,kl", [(0, 3), (3, 4), (4, 5)]),
    ("ij,jk->ik", [(2, 0), (0, 4)]), ("ij,kl->", [(2, 3), (4, 5)]), ("ij,jk->", [(2, 3), (3, 4)]),
    ("ea,fb,abcd,gc,hd->efgh", [(2, 2), (2, 2), (2, 2, 2, 2), (2, 2), (2, 2)]),
    ("ij,ij,ij->ij", [(2, 3)] * 3), ("abc,abd,acd->bc", [(2, 3, 4), (2, 3, 5), (2, 4, 5)]),
    ("i,j,k->ijk", [(2,), (3,), (4,)]), ("ij,j,i", [(2, 3), (3,), (2,)]),
    ("a,b,c,d,e,f,g->", [(2,)] * 7),
]  # fmt: skip


def given(dtype: str, shapes: list[tuple[int, ...]]) -> list[Any]:
    random = np.random.default_rng(5)
    return [random_array(random, dtype, shape) for shape in shapes]


def variables(arrays: list[Any], static: bool = False) -> list[Any]:
    return [
        TensorType(a.dtype.name, a.shape if static else (None,) * a.ndim).make_variable()
        for a in arrays
    ]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("subscripts", "shapes"), CASES)
def test_values_and_gradients(subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    arrays = given("float64", shapes)
    wanted = np.asarray(np.einsum(subscripts, *arrays))
    for static in (False, True):
        inputs = variables(arrays, static)
        for optimize in (True, False, "greedy", "optimal"):
            output = einsum(subscripts, *inputs, optimize=optimize)
            assert_same(oracle(inputs, output)(*arrays), wanted, 1e-12)
            count(KIND, wanted.size)
        if static:
            assert output.type.shape == wanted.shape
    if all(array.size for array in arrays):
        verify_grad(lambda *x: einsum(subscripts, *x), arrays, n_tests=1, mode="INTERPRET")
        verify_rop(lambda *x: einsum(subscripts, *x), arrays, mode="INTERPRET")


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float64", "complex64", "int16"])
def test_compiled(dtype: str) -> None:
    chosen = [case for case in CASES if case[0] != "->"][::3]
    arrays, inputs, outputs = [], [], []
    for subscripts, shapes in chosen:
        values = given(dtype, shapes)
        names = variables(values)
        arrays += values
        inputs += names
        outputs.append(einsum(subscripts, *names))

    def reference(*values: Any) -> list[Any]:
        rest = list(values)
        return [np.einsum(text, *[rest.pop(0) for _ in shapes]) for text, shapes in chosen]

    check(inputs, outputs, [arrays], reference, kind=KIND, tolerance=1e-5)


def test_labels_as_integers() -> None:
    a, b = given("float64", [(2, 3, 4), (4, 3)])
    x, y = variables([a, b])
    for extra in ([[0, 2]], [[2, 0]], []):
        wanted = np.einsum(a, [0, 1, 2], b, [2, 1], *extra)
        got = oracle([x, y], einsum(x, [0, 1, 2], y, [2, 1], *extra))(a, b)
        assert_same(got, np.asarray(wanted), 1e-12)
    wanted = np.einsum(a, [30, 2, 1], b, [1, 2])
    assert_same(oracle([x, y], einsum(x, [30, 2, 1], y, [1, 2]))(a, b), wanted, 1e-12)
    wanted = np.einsum(a, [..., 1], b, [1, 0], [..., 0])
    assert_same(oracle([x, y], einsum(x, [..., 1], y, [1, 0], [..., 0]))(a, b), wanted, 1e-12)


def test_axes_of_length_one_are_repeated() -> None:
    a, b = given("float64", [(1, 3), (2, 3)])
    x, y = TensorType("float64", (1, None))("x"), T.matrix("y")
    for text in ("ij,ij->ij", "ij,ij->i", "ij,ij", "ij,ij->j"):
        for args, values in (((x, y), (a, b)), ((y, x), (b, a))):
            got = oracle([x, y], einsum(text, *args))(a, b)
            assert_same(got, np.asarray(np.einsum(text, *values)), 1e-12)


def test_a_path_of_numpy() -> None:
    arrays = given("float64", [(2, 3), (3, 4), (4, 5)])
    inputs = variables(arrays)
    path = np.einsum_path("ij,jk,kl->il", *arrays)[0]
    got = oracle(inputs, einsum("ij,jk,kl->il", *inputs, optimize=path))(*arrays)
    assert_same(got, np.einsum("ij,jk,kl->il", *arrays), 1e-12)


def test_dtypes() -> None:
    a, b = given("int8", [(2, 3), (3, 2)])
    x, y = variables([a, b])
    assert_same(oracle([x, y], einsum("ij,jk", x, y))(a, b), np.einsum("ij,jk", a, b))
    assert einsum("ij->j", x).dtype == "int8"
    wide = einsum("ij,jk", x, y, dtype="float64")
    assert_same(oracle([x, y], wide)(a, b), np.einsum("ij,jk", a, b, dtype="float64"))
    assert einsum("i,i", T.fvector(), T.dvector()).dtype == "float64"


@pytest.mark.needs_cc
def test_products_are_blas_calls() -> None:
    x, y, z = T.tensor3("x"), T.tensor3("y"), T.matrix("z")
    f = function([x, y], einsum("bij,bjk->bik", x, y))
    assert "gemm" in f.c_source
    f = function([x, z], einsum("abc,cd->abd", x, z))
    assert "gemm" in f.c_source
    f = function([z], einsum("ij,ij->ij", z, z))
    assert "gemm" not in f.c_source


def test_the_order_is_the_cheap_one() -> None:
    thin = TensorType("float64", (1000, 2))("thin")
    wide = TensorType("float64", (2, 1000))("wide")
    output = einsum("ij,jk,kl->il", thin, wide, thin)
    small = output.owner.inputs
    shapes = {item.type.shape for item in small}
    assert (2, 2) in shapes


def test_lengths_that_differ() -> None:
    x, y = T.matrix("x"), T.matrix("y")
    f = oracle([x, y], einsum("ij,jk", x, y))
    with pytest.raises(ShapeError, match="einsum: axis 0 has length 4, but must have length 3"):
        f(np.ones((2, 3)), np.ones((4, 2)))
    swapped = oracle([x, y], einsum("ij,ij->", x, y))
    with pytest.raises(ShapeError, match="einsum: axis 0 has length 3, but must have length 2"):
        swapped(np.ones((2, 3)), np.ones((3, 2)))
    with pytest.raises(ShapeError, match="axes of one label have different lengths"):
        einsum("ij,jk", TensorType("float64", (2, 3))("x"), TensorType("float64", (4, 3))("y"))
    with pytest.raises(ShapeError, match="axis 1 has length 3, but must have length 2"):
        oracle([x], einsum("ii", x))(np.ones((2, 3)))


BAD: list[tuple[str, str]] = [
    ("ij,jk,kl", "3 terms for 2 operands"), ("ij,j", "'j' does not label 2 axes"),
    ("ijk,jk", "'ijk' does not label 2 axes"), ("ij,jk->il", "no operand has the label 'l'"),
    ("ij,jk->ii", "twice in the result: the label 'i'"),
    ("i1,jk", "'1' in 'i1' is not a letter"),
    ("i...,jk->ijk", "the result needs '...' too"), ("i..j,jk", "is not a letter"),
]  # fmt: skip


@pytest.mark.parametrize(("subscripts", "message"), BAD)
def test_subscripts_that_mean_nothing(subscripts: str, message: str) -> None:
    with pytest.raises(ValueError, match=message.replace(".", "\\.")):
        einsum(subscripts, T.matrix("x"), T.matrix("y"))


def test_labels_that_mean_nothing() -> None:
    with pytest.raises(ValueError, match="is not an integer from 0 to 51"):
        einsum(T.matrix("x"), ["i", "j"])

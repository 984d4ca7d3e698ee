"""Numbers of the entry point: they are computed after their operands."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.loopir import Let
from symtheano.sparse.segments import Starts
from symtheano.tensor.indexing.advanced import checked_index
from symtheano.tensor.shapes.shape import as_dim
from tests.support.compare import check, compiled

pytestmark = pytest.mark.needs_cc

X, N = T.matrix("x"), T.lscalar("n")


def test_an_element_of_arange_at_a_computed_index() -> None:
    x, n, y, i = T.vector("x"), T.lscalar("n"), T.lvector("y"), T.lvector("i")
    part = T.arange(x.shape[0])[n.dimshuffle("x")]
    outputs = [part, part + 1, T.eq(y[i], part[T.zeros_like(i)])]
    args = [np.zeros(5), np.array(-1), np.array([0, 4, 2]), np.array([0, 2, 1])]
    for output, want in zip(outputs, ([4], [5], [False, False, True]), strict=True):
        check([x, n, y, i], [output], [args], lambda *_, want=want: [np.array(want)])


def test_lengths_that_an_element_needs_are_known_before_it() -> None:
    n, x = T.lscalar("n"), T.lvector("x")
    one = checked_index(T.constant([1]), n, as_dim(1))
    check([n, x], [x[one]], [[np.array(4), np.arange(5)]], lambda n, x: [x[[1]]])
    check([n], [Starts()(one)[0]], [[np.array(4)]], lambda n: [np.array([0, 1])])


def test_no_element_is_read_before_its_index_is_checked() -> None:
    x, n, k = T.vector("x"), T.lscalar("n"), T.lvector("k")
    far = 1 << 50
    for part in (x[n], x[n.dimshuffle("x")], T.exp(x[n]) + 1, x[T.stack([n])], x[::-1][n]):
        f = compiled([x, n], part)
        for index in (2, -3, far, -far):
            with pytest.raises(IndexError, match="outside"):
                f([1.0, 2.0], index)
        assert f([1.0, 2.0], -1).size == 1
    g = compiled([x, k], x[T.cumsum(k)[-1]])
    assert g([1.0, 2.0], [-1, 2]) == 2
    for found in ([far], [far, 1 - far, 1], []):
        with pytest.raises(IndexError):
            g([1.0, 2.0], found)


@pytest.mark.parametrize(
    ("number", "rows"),
    [
        (lambda: X.shape[0] // 2, ["trunc_div"]),
        (lambda: X.shape[0] % 2, ["trunc_mod"]),
        (lambda: (X.shape[0] % 4 + X.shape[1]) // 3, ["trunc_mod", "trunc_div"]),
        (lambda: T.maximum(N, 0) // (X.shape[0] + 1), ["trunc_div"]),
        (lambda: X.shape[0] // X.shape[1], ["int_div"]),
        (lambda: (X.shape[0] - 1) // 2, ["int_div"]),
        (lambda: X.shape[0] // -2, ["int_div"]),
        (lambda: N % 4, ["mod"]),
        (lambda: -N % (X.shape[0] + 1), ["mod"]),
    ],
)
def test_lengths_are_divided_as_c_divides(number: Callable[[], Any], rows: list[str]) -> None:
    made = function([X, N], number(), on_unused_input="ignore")
    names = "int_div", "mod", "trunc_div", "trunc_mod"
    body = made.lowered.program.body
    assert [s.op for s in body if isinstance(s, Let) and s.op in names] == rows
    plain = function([X, N], number(), mode="INTERPRET", on_unused_input="ignore")
    for shape in ((0, 0), (1, 3), (5, 2), (12, 0)):
        for n in (-5, -1, 0, 1, 7, -(2**63), 2**63 - 1):
            assert made(np.zeros(shape), n) == plain(np.zeros(shape), n)

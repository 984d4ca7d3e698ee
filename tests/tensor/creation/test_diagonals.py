"""Diagonals and triangles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import dtypes
from symtheano.errors import ShapeError
from symtheano.function.verify import verify_grad
from symtheano.tensor.creation.diagonals import (
    AllocDiag,
    ExtractDiag,
    alloc_diag,
    diag,
    diag_indices,
    diag_indices_from,
    diagflat,
    diagonal,
    fill_diagonal,
    fill_diagonal_offset,
    set_diagonal,
    trace,
)
from symtheano.tensor.creation.triangle import (
    tri,
    tril,
    triu,
)
from symtheano.tensor.vectorize import vectorize_graph
from tests.codegen.passes.cuda.programs import cuda_program
from tests.cuda_programs import counts
from tests.support.arrays import random_array, sizes
from tests.support.compare import Array, check, compare_call, compiled, oracle, outcome
from tests.support.gradients import check_derivatives
from tests.support.layouts import LAYOUTS, laid_out

pytestmark = pytest.mark.needs_cc


OFFSETS = (-5, -2, -1, 0, 1, 3, 6)


FAR = (2**63 - 1, -(2**63), 2**31, -(2**31) - 1)


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_diagonals_of_matrices(dtype: str) -> None:
    random = np.random.default_rng(1)
    x, v, s = T.matrix("x", dtype), T.vector("v", dtype), T.scalar("s", dtype)
    outputs = [diag(x, k) for k in OFFSETS] + [diag(v, k) for k in (-2, 0, 1)]
    outputs += [fill_diagonal(x, s), *(fill_diagonal_offset(x, s, k) for k in (-1, 0, 2))]
    outputs += [tril(x), triu(x), tril(x, 1), triu(x, -1), diagonal(x.T, 1)]

    def reference(x: Array, v: Array, s: Array) -> list[Array]:
        found = [np.diag(x, k) for k in OFFSETS] + [np.diag(v, k) for k in (-2, 0, 1)]
        for k in (0, -1, 0, 2):
            filled = x.copy()
            n, m = filled.shape
            place = np.arange(max(min(n + min(k, 0), m - max(k, 0)), 0))
            filled[place - min(k, 0), place + max(k, 0)] = s
            found.append(filled)
        return [
            *found, np.tril(x), np.triu(x), np.tril(x, 1), np.triu(x, -1), np.diagonal(x.T, 1),
        ]  # fmt: skip

    calls = [
        [random_array(random, dtype, shape) for shape in (dims, dims[:1], ())]
        for dims in [*sizes(2), (5, 2)]
    ]
    check([x, v, s], outputs, calls, reference, kind="diagonals")


def test_diagonals_whose_number_is_symbolic() -> None:
    x, v, k = T.tensor3("x"), T.matrix("v"), T.lscalar("k")
    outputs = [
        diagonal(x, k), diagonal(x, k, 2, 0), diagonal(x, k, 1, 2), trace(x, k, 0, 2),
        alloc_diag(v, k), alloc_diag(v, k, 0, 2), tril(x, k), triu(x, k), tri(3, 4, k),
        fill_diagonal_offset(x[0], 2.0, k),
    ]  # fmt: skip

    def reference(x: Array, v: Array, k: Array) -> list[Array]:
        offset = int(k)
        made = np.array([np.diag(row, offset) for row in v]).reshape(
            (len(v),) + (v.shape[1] + abs(offset),) * 2
        )
        filled = x[0].copy()
        filled[np.eye(*filled.shape, offset, dtype=bool)] = 2
        return [
            np.diagonal(x, offset), np.diagonal(x, offset, 2, 0), np.diagonal(x, offset, 1, 2),
            np.trace(x, offset, 0, 2), np.moveaxis(made, 0, 2), np.moveaxis(made, 0, 1),
            np.tril(x, offset),
            np.triu(x, offset), np.tri(3, 4, offset), filled,
        ]  # fmt: skip

    random = np.random.default_rng(2)
    calls = [
        [random.uniform(-1, 1, (2, 3, 4)), random.uniform(-1, 1, (2, n)), np.array(k)]
        for k in OFFSETS
        for n in (0, 3)
    ]
    check([x, v, k], outputs, calls, reference, kind="diagonals")


def test_diagonals_far_outside() -> None:
    x, v, k = T.matrix("x"), T.vector("v"), T.lscalar("k")
    outputs = [diagonal(x, k), *(diagonal(x, far) for far in FAR), set_diagonal(x, v, k)]
    for make in (compiled, oracle):
        f = make([x, v, k], outputs)
        for far in FAR:
            *taken, whole = f(np.eye(2), [], far)
            assert [item.shape for item in taken] == [(0,)] * (1 + len(FAR))
            np.testing.assert_array_equal(whole, np.eye(2))


def test_diagonals_within_expressions_and_layouts() -> None:
    x = T.matrix("x")
    outputs = [
        diagonal(T.exp(x)).sum(), trace(T.dot(x, x.T)), diag(diag(x)) + x[:3, :3],
        diag(x[::-1, ::-1]), set_diagonal(x, diag(x) * 2), T.inc_subtensor(x[0], 1.0).sum(),
        triu(x) - x, diag(T.log(diag(x) ** 2)),
    ]  # fmt: skip
    f, g = compiled([x], outputs), oracle([x], outputs)
    value = np.random.default_rng(3).uniform(1, 2, (3, 4))
    for layout in LAYOUTS:
        compare_call(f, g, [laid_out(value, layout)], kind="layouts")


def test_diagonals_filled_in_turn_and_traces_of_a_dtype() -> None:
    x, v, t = T.matrix("x"), T.vector("v"), T.tensor3("t")
    outputs = [fill_diagonal(x, v), fill_diagonal(x, v, True)]
    outputs += [fill_diagonal(x, 7, True), fill_diagonal(t, v), fill_diagonal(x, T.outer(v, v))]
    outputs += [trace(x, dtype="float32"), trace(T.cast(x, "int8"), 1, dtype="int8")]

    def reference(x: Array, v: Array, t: Array) -> list[Any]:
        found = [x.copy() for _ in range(3)] + [t.copy(), x.copy()]
        values = (v, v, 7, v, np.outer(v, v))
        for array, value, wrap in zip(
            found, values, (False, True, True, False, False), strict=True
        ):
            np.fill_diagonal(array, value, wrap)
        return [
            *found, np.trace(x, dtype="float32"), np.trace(x.astype("int8"), 1, dtype="int8")
        ]  # fmt: skip

    random = np.random.default_rng(8)
    calls = [
        [random.uniform(-9, 9, shape), random.normal(size=n), random.normal(size=(side,) * 3)]
        for shape, n, side in (((7, 3), 2, 3), ((2, 5), 4, 1), ((3, 3), 1, 2))
    ]
    f = check([x, v, t], outputs, calls, reference, kind="diagonals", tolerance=1e-6)
    nothing = [np.ones((2, 2)), np.ones(0), np.ones((2, 2, 2))]
    assert outcome(f, nothing) == (ValueError, "fill_diagonal: val has no elements")
    verify_grad(lambda x, v: fill_diagonal(x, v, True) ** 2, calls[0][:2], mode="INTERPRET")


def test_flat_diagonals_and_their_positions() -> None:
    x, t, n = T.matrix("x"), T.tensor3("t"), T.lscalar("n")
    outputs = [diagflat(x), diagflat(x, -2), diagflat(3.0, 1), *diag_indices(n)]
    outputs += [*diag_indices(n, 3), *diag_indices_from(t), t[diag_indices_from(t)]]

    def reference(x: Array, t: Array, n: Array) -> list[Any]:
        found = [np.diagflat(x), np.diagflat(x, -2), np.diagflat(3.0, 1).astype("f4")]
        found += [*np.diag_indices(int(n)), *np.diag_indices(int(n), 3), *np.diag_indices_from(t)]
        return [*found, t[np.diag_indices_from(t)]]

    random = np.random.default_rng(9)
    calls = [[random.normal(size=(2, k)), random.normal(size=(k,) * 3), np.array(k)]
             for k in (0, 1, 3)]  # fmt: skip
    check([x, t, n], outputs, calls, reference, kind="diagonals")
    found = outcome(oracle([x], diag_indices_from(x)[0]), [np.ones((2, 3))])
    assert found == (ValueError, "diag_indices_from: an array of 2 dims has unequal lengths")
    with pytest.raises(ValueError, match="1 dims, but at least two are needed"):
        diag_indices_from(x[0])


def test_fill_diagonal_of_more_dims() -> None:
    x = T.tensor3("x")
    y = fill_diagonal(x, 5.0)

    def reference(x: Array) -> list[Array]:
        filled = x.copy()
        place = np.arange(len(x))
        filled[place, place, place] = 5
        return [filled]

    check([x], [y], [[np.ones((n, n, n))] for n in (0, 1, 2, 4)], reference, kind="diagonals")
    f, g = compiled([x], y), oracle([x], y)
    found = outcome(f, [np.ones((2, 3, 2))])
    assert found == outcome(g, [np.ones((2, 3, 2))])
    assert found[0] is ValueError
    assert "unequal lengths" in found[1]


def test_static_lengths_are_known() -> None:
    assert diag(T.zeros((3, 5)), 3).type.shape == (2,)
    assert diag(T.zeros((3, 5)), -3).type.shape == (0,)
    assert diag(T.zeros(3), -1).type.shape == (4, 4)


def test_gradients_of_diagonals() -> None:
    random = np.random.default_rng(4)
    x, v, s = random.uniform(1, 2, (3, 4)), random.uniform(1, 2, 3), np.array(1.5)
    cases: list[tuple[Any, list[Array]]] = [
        (lambda x: diag(x, 1), [x]),
        (lambda v: diag(v, -1), [v]),
        (lambda x, s: fill_diagonal(x, s), [x, s]),
        (lambda x, s: fill_diagonal_offset(x, s, -1), [x, s]),
        (lambda x, v: set_diagonal(x, v), [x, v]),
        (lambda x: trace(x * x), [x]),
        (lambda x: tril(x, 1) * triu(x), [x]),
    ]
    check_derivatives(cases)


def test_diagonals_of_batches() -> None:
    x, v, xs, vs = T.matrix("x"), T.vector("v"), T.tensor3("xs"), T.matrix("vs")
    random = np.random.default_rng(5)
    many, few = random.uniform(-1, 1, (2, 3, 4)), random.uniform(-1, 1, (2, 3))
    found = vectorize_graph(diag(x, 1), {x: xs}).eval({xs: many})
    np.testing.assert_array_equal(found, np.diagonal(many, 1, 1, 2))
    found = vectorize_graph(set_diagonal(x, v), {x: xs, v: vs}).eval({xs: many, vs: few})
    np.testing.assert_array_equal(np.diagonal(found, 0, 1, 2), few)
    found = vectorize_graph(set_diagonal(x, v), {v: vs}).eval({x: many[0], vs: few})
    np.testing.assert_array_equal(np.diagonal(found, 0, 1, 2), few)
    np.testing.assert_array_equal(found[1, 0, 1:], many[0, 0, 1:])


def test_diagonals_that_do_not_exist() -> None:
    x, v = T.matrix("x"), T.vector("v")
    with pytest.raises(ValueError, match="axis1 and axis2 are both 1"):
        diagonal(x, 0, 1, -1)
    with pytest.raises(ValueError, match="1 dims, but at least two are needed"):
        diagonal(v)
    with pytest.raises(ValueError, match="3 dims, but one or two are needed"):
        diag(T.tensor3("t"))
    with pytest.raises(TypeError, match="takes a matrix"):
        fill_diagonal_offset(v, 1, 1)
    with pytest.raises(ValueError, match="1 dims, but at least two are needed"):
        tril(v)
    y = set_diagonal(x, v)
    for h in (compiled([x, v], y), oracle([x, v], y)):
        found = outcome(h, [np.ones((3, 4)), np.ones(4)])
        assert found[0] is ShapeError
        assert "length 4 along axis 0 does not fit a diagonal of length 3" in found[1]


def test_the_classes_of_theano() -> None:
    x = np.arange(12.0).reshape(3, 4)
    assert ExtractDiag(1)(x).eval().tolist() == np.diag(x, 1).tolist()
    assert AllocDiag(-1)(x[0]).eval().tolist() == np.diag(x[0], -1).tolist()


def test_blocks_of_a_device_share_batches() -> None:
    batch = T.fmatrix("batch")
    assert counts(cuda_program([batch], alloc_diag(batch))).long == ()

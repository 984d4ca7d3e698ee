"""Which gradients are regular and which structured: Theano's kinds, and the table in the docs.

A gradient is compared with finite differences of the function of dense matrices. It is regular if
they agree everywhere, and structured if they agree at the stored elements and it is zero elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse

import symtheano.tensor as T
from symtheano import grad, sparse as S
from symtheano.sparse.type import is_sparse
from tests.sparse.harness import CLASSES, FORMATS, compiled, interpreted, random_sparse

pytestmark = pytest.mark.needs_cc

Make = Callable[[Any, Any, Any, Any], Any]
DOCS = Path(__file__).parents[2] / "docs" / "sparse.md"
KEYS: tuple[Any, Any] = (np.array([3, 0, 3]), np.array([1, 2, 1]))

# Each takes a sparse x and y, a dense matrix d and a dense vector v.
REGULAR: dict[str, tuple[Make, Make]] = {
    "add": (lambda x, y, d, v: S.add(x, y), lambda x, y, d, v: x + y),
    "sub": (lambda x, y, d, v: S.sub(y, x), lambda x, y, d, v: y - x),
    "neg": (lambda x, y, d, v: S.neg(x), lambda x, y, d, v: -x),
    "mul": (lambda x, y, d, v: S.mul(x, y), lambda x, y, d, v: x * y),
    "mul_s_d": (lambda x, y, d, v: S.mul(x, d), lambda x, y, d, v: x * d),
    "mul_s_v": (lambda x, y, d, v: S.mul_s_v(x, v), lambda x, y, d, v: x * v),
    "scalar": (lambda x, y, d, v: x * v[0], lambda x, y, d, v: x * v[0]),
    "col_scale": (lambda x, y, d, v: S.col_scale(x, v), lambda x, y, d, v: x * v),
    "row_scale": (lambda x, y, d, v: S.row_scale(x, d[:, 0]), lambda x, y, d, v: x * d[:, :1]),
    "transpose": (lambda x, y, d, v: S.transpose(x), lambda x, y, d, v: x.T),
    "cast": (lambda x, y, d, v: S.cast(x, "complex128"), lambda x, y, d, v: x),
    "to_format": (lambda x, y, d, v: S.to_format(x, "csr").T, lambda x, y, d, v: x.T),
    "hstack": (lambda x, y, d, v: S.hstack([y, x]), lambda x, y, d, v: np.hstack([y, x])),
    "vstack": (lambda x, y, d, v: S.vstack([x, y, x]), lambda x, y, d, v: np.vstack([x, y, x])),
    "remove0": (lambda x, y, d, v: S.remove0(x), lambda x, y, d, v: x),
    "clean": (lambda x, y, d, v: S.clean(x), lambda x, y, d, v: x),
    "ensure_sorted_indices": (
        lambda x, y, d, v: S.ensure_sorted_indices(x), lambda x, y, d, v: x
    ),
    "sum_duplicates": (lambda x, y, d, v: S.sum_duplicates(x), lambda x, y, d, v: x),
    "get_item_list": (lambda x, y, d, v: x[KEYS[0]], lambda x, y, d, v: x[KEYS[0]]),
    "get_item_2d": (lambda x, y, d, v: x[1:, ::-2], lambda x, y, d, v: x[1:, ::-2]),
    "get_item_2lists": (lambda x, y, d, v: x[KEYS], lambda x, y, d, v: x[KEYS]),
    "get_item_scalar": (lambda x, y, d, v: x[0, 1], lambda x, y, d, v: x[0, 1]),
    "diag": (lambda x, y, d, v: S.diag(x), lambda x, y, d, v: np.diagonal(x)),
    "dot": (lambda x, y, d, v: S.dot(x, d.T), lambda x, y, d, v: x @ d.T),
    "true_dot": (lambda x, y, d, v: S.true_dot(x, y.T), lambda x, y, d, v: x @ y.T),
    "sp_sum": (lambda x, y, d, v: S.sp_sum(x, 0), lambda x, y, d, v: x.sum(0)),
    "dense_from_sparse(structured=False)": (
        lambda x, y, d, v: S.dense_from_sparse(x, structured=False), lambda x, y, d, v: x
    ),
}  # fmt: skip
STRUCTURED: dict[str, tuple[Make, Make]] = {
    "add_s_d": (lambda x, y, d, v: S.add(x, d), lambda x, y, d, v: x + d),
    "add_s_s_data": (lambda x, y, d, v: S.add_s_s_data(x, 2 * x), lambda x, y, d, v: 3 * x),
    "conj": (lambda x, y, d, v: S.conj(x), lambda x, y, d, v: x),
    "sin": (lambda x, y, d, v: S.sin(x), lambda x, y, d, v: np.sin(x)),
    "structured_sigmoid": (
        lambda x, y, d, v: S.structured_sigmoid(x),
        lambda x, y, d, v: np.where(x != 0, 1 / (1 + np.exp(-x)), 0),
    ),
    "structured_add": (
        lambda x, y, d, v: S.structured_add(x, v[0]),
        lambda x, y, d, v: np.where(x != 0, x + v[0], 0),
    ),
    "structured_add_s_v": (
        lambda x, y, d, v: S.structured_add_s_v(x, v),
        lambda x, y, d, v: np.where(x != 0, x + v, 0),
    ),
    "structured_dot": (lambda x, y, d, v: S.structured_dot(x, d.T), lambda x, y, d, v: x @ d.T),
    "sampling_dot": (
        lambda x, y, d, v: S.sampling_dot(d, d[:4], x), lambda x, y, d, v: (d @ d[:4].T) * x
    ),
    "usmm": (
        lambda x, y, d, v: S.usmm(v[0], x, d.T, T.dot(d, d.T)),
        lambda x, y, d, v: v[0] * x @ d.T + d @ d.T,
    ),
    "CSM": (
        lambda x, y, d, v: S.CSM(x.format)(S.csm_data(x), *S.csm_properties(x)[1:]),
        lambda x, y, d, v: x,
    ),
    "csm_data": (lambda x, y, d, v: S.csm_data(x), lambda x, y, d, v: x.T[x.T != 0]),
    "sp_sum(sparse_grad=True)": (
        lambda x, y, d, v: S.sp_sum(x, 1, sparse_grad=True), lambda x, y, d, v: x.sum(1)
    ),
    "dense_from_sparse": (lambda x, y, d, v: S.dense_from_sparse(x), lambda x, y, d, v: x),
}  # fmt: skip


def weights(shape: tuple[int, ...]) -> Any:
    """Return different weights, so that exchanged elements are noticed."""
    return np.random.default_rng(9).uniform(1, 2, shape)


def cost_of(made: Any, weight: Any) -> Any:
    """Return a cost with a regular gradient, quadratic in what was made."""
    dense = S.dense_from_sparse(made, structured=False) if is_sparse(made) else made
    return (weight * dense.real + 0.3 * dense.real**2).sum()


def differences(reference: Make, args: list[Any], number: int) -> Any:
    """Return the gradient of the same cost with respect to an argument, by differences."""
    weight = weights(np.shape(reference(*args)))
    slope = np.zeros_like(args[number])
    for place in np.ndindex(slope.shape):
        ends = []
        for step in (1e-5, -1e-5):
            moved = [item.copy() for item in args]
            moved[number][place] += step
            made = np.real(reference(*moved))
            # A stored element is added or lost where structured functions are moved away from 0.
            fits = made.shape == weight.shape
            ends.append((weight * made + 0.3 * made**2).sum() if fits else np.nan)
        slope[place] = (ends[0] - ends[1]) / 2e-5
    return slope


def test_kinds_of_gradients() -> None:
    """All of one format are compiled together."""
    for format in FORMATS:
        x, y = S.matrix(format, "x"), S.matrix(format, "y")
        d, v = T.matrix("d"), T.vector("v")
        values = [random_sparse(seed, format=format) for seed in (1, 2)]
        dense = [item.toarray() for item in values]
        random = np.random.default_rng(4)
        dense += [random.uniform(0.5, 1, (5, 4)), random.uniform(0.5, 1, 4)]
        table = {**REGULAR, **STRUCTURED}
        slopes = []
        for make, reference in table.values():
            cost = cost_of(make(x, y, d, v), weights(np.shape(reference(*dense))))
            slopes += grad(cost, [x, y, d, v], disconnected_inputs="ignore")
        outputs = [slope.toarray() if is_sparse(slope) else slope for slope in slopes]
        args = [*values, *dense[2:]]
        found = interpreted([x, y, d, v], outputs)(*args)
        for position, (name, (_, reference)) in enumerate(table.items()):
            for number in range(4):
                if name == "csm_data" and format == "csr" and number == 0:
                    continue  # the reference has csc's order
                want = differences(reference, dense, number)
                mine = found[4 * position + number]
                if name in STRUCTURED and number == 0:
                    want = np.where(dense[0] != 0, want, 0)
                where = f"{format}: {name}, argument {number}"
                np.testing.assert_allclose(mine, want, rtol=1e-5, atol=1e-6, err_msg=where)


@pytest.mark.parametrize("names", ["add mul row_scale get_item_2lists", "hstack get_item_list"])
def test_regular_gradients_in_c(names: str) -> None:
    x, y, d, v = S.csc_matrix("x"), S.csc_matrix("y"), T.matrix("d"), T.vector("v")
    args = [random_sparse(seed, format="csc") for seed in (1, 2)]
    args += [np.arange(20.0).reshape(5, 4), np.arange(4.0)]
    outputs = []
    for name in names.split():
        made = REGULAR[name][0](x, y, d, v)
        total = made.sum(sparse_grad=True) if is_sparse(made) else made.sum()
        for cost in (total, cost_of(made, 2.0)):
            slope = grad(cost, x)
            outputs.append(slope.toarray() if is_sparse(slope) else slope)
    want = interpreted([x, y, d, v], outputs)(*args)
    for mine, its in zip(compiled([x, y, d, v], outputs)(*args), want, strict=True):
        np.testing.assert_allclose(mine, its, atol=1e-12)


def test_kinds_are_documented() -> None:
    rows = re.findall(r"^\| (regular|structured) \| (.*) \|$", DOCS.read_text(), re.MULTILINE)
    documented = {kind: set(re.findall(r"`([^`]*)`", names)) for kind, names in rows}
    assert set(REGULAR) - {"scalar", "mul_s_d"} <= documented["regular"]
    assert set(STRUCTURED) <= documented["structured"]
    assert not documented["regular"] & documented["structured"]


@pytest.mark.parametrize("format", FORMATS)
def test_structured_costs_keep_the_structure(format: str) -> None:
    """Where all consumers are structured, a training step sorts and merges nothing."""
    x, d, v = S.matrix(format, "x"), T.matrix("d"), T.vector("v")
    scaled = S.col_scale(-(x * x) * 2.0, v) + x
    cost = S.structured_dot(scaled, d).sum() + S.sp_sum(scaled, sparse_grad=True)
    f = compiled([x, d, v], x - 0.1 * grad(cost, x))
    assert not [node for node in f.stages.graph.nodes if type(node.op).__name__ == "Runs"]
    a = random_sparse(1, format=format)
    b, c = np.random.default_rng(0).uniform(size=(4, 2)), np.arange(1.0, 5)
    got, slope = f(a, b, c), (1 - 4 * a.toarray() * c) * (b.sum(1) + 1)
    np.testing.assert_array_equal(got.indices, a.indices)
    want = a.toarray() - 0.1 * np.where(a.toarray() != 0, slope, 0)
    np.testing.assert_allclose(got.toarray(), want)


def test_gradients_of_edge_shapes() -> None:
    x, y = S.csr_matrix("x"), S.csc_matrix("y")
    made = S.hstack([x * y, x.T.T + y])[::-1]
    slopes = grad(S.sp_sum(made), [x, y])
    f = interpreted([x, y], [slope.toarray() for slope in slopes])
    g = compiled([x, y], slopes[0].toarray())
    for shape in ((0, 4), (5, 0), (0, 0), (1, 1), (3, 3)):
        empty = scipy.sparse.csr_matrix(shape)
        full = CLASSES["csr"](np.ones(shape))
        for a, b in ((empty, empty), (empty, full), (full, empty), (full, full)):
            wanted = [np.ones(shape) * (item.toarray() + 1) for item in (b, a)]
            for mine, its in zip(f(a, b.tocsc()), wanted, strict=True):
                np.testing.assert_array_equal(mine, its)
            np.testing.assert_array_equal(g(a, b.tocsc()), wanted[0])


def test_second_derivatives_are_regular() -> None:
    x, d = S.csr_matrix("x"), T.matrix("d")
    cost = (S.dense_from_sparse(S.mul(x, d), structured=False) ** 2).sum()
    by_d = (grad(cost, d) * weights((5, 4))).sum()
    both = [interpreted([x, d], item) for item in (grad(by_d, d), by_d)]
    a, b = random_sparse(1), np.random.default_rng(0).uniform(1, 2, (5, 4))
    want = 2 * a.toarray() ** 2 * weights((5, 4))
    np.testing.assert_allclose(both[0](a, b), want)
    mixed = grad(by_d, x)
    dense = interpreted([x, d], mixed.toarray() if is_sparse(mixed) else mixed)(a, b)
    np.testing.assert_allclose(dense, 4 * a.toarray() * b * weights((5, 4)))


def test_real_matrices_among_complex_numbers() -> None:
    x, c, d = S.csr_matrix("x"), S.csc_matrix("c", "complex128"), T.matrix("d", "complex128")
    makes = [lambda x, c, d: x * c + x, lambda x, c, d: S.row_scale(x * d, d[:, 0])]
    a, b = random_sparse(1), random_sparse(2, format="csc", dtype="complex128")
    e = random_sparse(3, dtype="complex128", density=1).toarray()
    for make, slope in zip(makes, (b.toarray() + 1, e * e[:, :1]), strict=True):
        made = S.dense_from_sparse(make(x, c, d), structured=False)
        g = grad((made * d).imag.sum(), x)
        assert g.type == x.type
        got = interpreted([x, c, d], g.toarray())(a, b, e)
        np.testing.assert_allclose(got, (slope * e).imag)
    with pytest.raises(TypeError):
        S.cast(c, "float64")

"""Theano's classes behind functions with options, and its function for a gradient."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import grad, sparse as S
from symtheano.errors import ShapeError
from symtheano.sparse.type import is_sparse
from tests.sparse.harness import FORMATS, check, interpreted, random_sparse, samples

pytestmark = pytest.mark.needs_cc


def test_forms_are_the_functions() -> None:
    x, y, d = S.csr_matrix("x"), S.csr_matrix("y"), T.matrix("d")
    pairs = [
        (S.DenseFromSparse()(x), S.dense_from_sparse(x)),
        (S.EnsureSortedIndices(inplace=True)(x), S.ensure_sorted_indices(x)),
        (S.Remove0(inplace=True)(x), S.remove0(x)),
        (S.HStack("csr", "float64")(x, y), S.hstack([x, y], "csr", "float64")),
        (S.VStack()(x, y), S.vstack([x, y])),
        (S.SpSum(axis=0)(x), S.sp_sum(x, 0)),
        (S.TrueDot()(x, d.T), S.true_dot(x, d.T)),
    ]
    assert [one.type for one, _ in pairs] == [other.type for _, other in pairs]
    flat = [
        item.toarray() if is_sparse(item) else item for pair in zip(*pairs, strict=True)
        for item in pair
    ]  # fmt: skip
    a, b = random_sparse(1), random_sparse(2)
    values = interpreted([x, y, d], flat)(a, b, b.toarray())
    for mine, its in zip(values[: len(pairs)], values[len(pairs) :], strict=True):
        np.testing.assert_array_equal(mine, its)


def test_options_of_gradients() -> None:
    x, d = S.csr_matrix("x"), T.matrix("d")
    assert S.csm_indices(grad(S.SpSum()(x), x)) is S.csm_indices(x)
    assert S.csm_indices(grad(S.SpSum(sparse_grad=False)(x), x)) is not S.csm_indices(x)
    for flag in (True, False):
        assert is_sparse(grad(S.TrueDot(flag)(x, d).sum(), d)) != flag
    assert S.SpSum(1) == S.SpSum(axis=1) != S.SpSum(0)


@pytest.mark.parametrize("format", FORMATS)
def test_structured_dot_grad(format: str) -> None:
    x, d, g = S.matrix(format, "x"), T.matrix("d"), T.matrix("g")
    made = S.structured_dot_grad(x, d, g)
    assert made.type == x.type
    random = np.random.default_rng(0)
    calls = [
        (a, *(random.uniform(size=(count, 3)) for count in a.shape[::-1]))
        for a, _ in samples(format)
    ]

    def reference(a: Any, d: Any, g: Any) -> list[Any]:
        return [np.where(a.toarray() != 0, g @ d.T, 0)]

    check([x, d, g], [made.toarray()], calls[:-1], reference)
    with pytest.raises(ShapeError, match="sampling_dot"):
        interpreted([x, d, g], made.toarray())(calls[0][0], np.ones((3, 3)), calls[0][2])

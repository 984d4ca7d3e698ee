"""Sparse matrices by value, with gradients."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytensor
import pytensor.sparse as ps
import pytensor.tensor as pt
import pytest
import scipy.sparse

from tests.pytensor.comparison import PYTHON

DENSE = np.array([[0.0, 2.0, 0.0, 1.0], [3.0, 0.0, 0.0, 0.0], [0.0, 0.0, 5.0, -1.0]])
OTHER = np.arange(12.0).reshape(3, 4)


def compare(inputs: list[Any], outputs: list[Any], values: list[Any]) -> None:
    ours = pytensor.function(inputs, outputs, mode="SYMTHEANO", on_unused_input="ignore")(*values)
    theirs = pytensor.function(inputs, outputs, mode=PYTHON, on_unused_input="ignore")(*values)
    for result, want, output in zip(ours, theirs, outputs, strict=True):
        assert scipy.sparse.issparse(result) == scipy.sparse.issparse(want), output
        if scipy.sparse.issparse(want):
            assert (result.format, result.dtype) == (want.format, want.dtype), output
            result, want = result.toarray(), want.toarray()
        np.testing.assert_allclose(result, want, rtol=1e-12, err_msg=str(output))


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_operations_of_sparse_matrices(form: str) -> None:
    x, d, v = ps.matrix(form, "x", dtype="float64"), pt.dmatrix("d"), pt.dvector("v")
    outputs = [
        x, x + x, x * x, x.T, ps.dense_from_sparse(x), ps.structured_dot(x, d.T), ps.dot(x, d.T),
        ps.sp_sum(x), ps.sp_sum(x, axis=0), ps.sp_sum(x, axis=1), x * d, x + d, x * v,
        *ps.csm_properties(x), ps.hstack([x, x], format=form), ps.vstack([x, x], format=form),
    ]  # fmt: skip
    matrix = getattr(scipy.sparse, f"{form}_matrix")(DENSE)
    compare([x, d, v], outputs, [matrix, OTHER, np.arange(4.0)])


def test_gradients_of_sparse_products() -> None:
    x, d = ps.csr_matrix("x", dtype="float64"), pt.dmatrix("d")
    cost = (ps.structured_dot(x, d) ** 2).sum()
    matrix = scipy.sparse.csr_matrix(DENSE)
    compare([x, d], [cost, *pytensor.grad(cost, [x, d])], [matrix, OTHER.T.copy()])


def test_an_unknown_op_of_sparse_matrices_is_computed_by_pytensor() -> None:
    from symtheano_pytensor import FallbackWarning

    class Negative(pytensor.graph.op.Op):
        def make_node(self, x: Any) -> Any:
            return pytensor.graph.basic.Apply(self, [x], [x.type()])

        def perform(self, node: Any, inputs: Any, output_storage: Any) -> None:
            output_storage[0][0] = -inputs[0]

    x = ps.csc_matrix("x", dtype="float64")
    with pytest.warns(FallbackWarning, match="Negative"):
        function = pytensor.function([x], Negative()(x + x), mode="SYMTHEANO")
    result = function(scipy.sparse.csc_matrix(DENSE))
    np.testing.assert_array_equal(result.toarray(), -2 * DENSE)


@pytest.mark.parametrize("form", ["csr", "csc"])
def test_gradients_of_elements_and_components(form: str) -> None:
    x, g = ps.matrix(form, "x", dtype="float64"), ps.matrix(form, "g", dtype="float64")
    rows, columns, v = pt.lvector("rows"), pt.lvector("columns"), pt.dvector("v")
    make = ps.CSR if form == "csr" else ps.CSC
    data, *structure = ps.csm_properties(x)
    weighted = (ps.dense_from_sparse(make(data**2, *structure)) * OTHER).sum()
    outputs = [
        ps.get_item_list_grad(x, rows, g), ps.get_item_2lists_grad(x, rows, columns, v),
        pytensor.grad(weighted, data), ps.csm_grad()(data, *structure, *ps.csm_properties(g * 2)),
    ]  # fmt: skip
    matrix, other = (getattr(scipy.sparse, f"{form}_matrix")(item) for item in (DENSE, OTHER))
    places = np.array([2, 0, 2]), np.array([1, 3, 1])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", scipy.sparse.SparseEfficiencyWarning)
        compare([x, g, rows, columns, v], outputs, [matrix, other, *places, np.arange(1.0, 4.0)])
    f = pytensor.function([x, rows, columns, v], outputs[1], mode="SYMTHEANO")
    with pytest.raises(IndexError):
        f(matrix, np.array([3]), np.array([0]), np.ones(1))


def test_the_diagonal_of_a_matrix_that_is_not_square() -> None:
    x = ps.csr_matrix("x", dtype="float64")
    f = pytensor.function([x], ps.diag(x), mode="SYMTHEANO")
    assert list(f(scipy.sparse.csr_matrix(DENSE[:, :3]))) == [0, 0, 5]
    with pytest.raises(ValueError, match="not square"):
        f(scipy.sparse.csr_matrix(DENSE))

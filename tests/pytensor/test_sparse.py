"""Sparse matrices by value, with gradients."""

from __future__ import annotations

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

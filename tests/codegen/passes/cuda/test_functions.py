"""Functions: rows for which CUDA has no text stay on the host."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.passes.cuda.functions import lacking
from symtheano.scalar.table import scalar_op
from tests.codegen.passes.cuda.programs import assert_emulated, cuda_program

pytestmark = pytest.mark.needs_cxx

z = T.vector("z", dtype="complex128")
v = T.vector("v")


@pytest.mark.parametrize(
    ("name", "dtype", "lacks"),
    [
        ("exp", "float64", False), ("exp", "complex128", True), ("add", "complex64", False),
        ("abs", "complex64", False), ("psi", "float64", True), ("gammaln", "float32", False),
    ],
)  # fmt: skip
def test_rows(name: str, dtype: str, lacks: bool) -> None:
    row = scalar_op(name)
    assert lacking(row, row.signature((dtype,) * row.nin)) is lacks


@pytest.mark.parametrize(("variable", "function"), [(z, T.exp), (v, T.psi)])
def test_the_host_computes_them(variable: T.TensorVariable, function: object) -> None:
    y = function(variable * 2) + 1  # type: ignore[operator]
    assert cuda_program([variable], y).kernels == ()
    assert_emulated([variable], y, [np.array([0.5, 1.5, 2.5], variable.dtype)])
    rest = [y, variable * 3]
    assert len(cuda_program([variable], rest).kernels) in (0, 1)
    assert_emulated([variable], rest, [np.array([0.5, 1.5, 2.5], variable.dtype)])

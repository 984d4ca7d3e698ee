"""Which numbers in float64 are only used for results in float32."""

from __future__ import annotations

import pytest

import symtheano.tensor as T
from symtheano.codegen.passes.rounded import KeptWide
from tests.codegen.passes.kernels import g, naive_kernels


@pytest.mark.parametrize(
    ("output", "is_kept"),
    [
        (g.sum(1), False),
        (g.sum(0), False),
        (g.sum(), False),
        (g.mean(0) + 1, False),
        (g.sum(1, dtype="float64"), True),
        (g.sum(0, dtype="float64"), True),
        (g.sum(dtype="float64"), True),
        (T.cast(g.sum(1, dtype="float64") * 3, "float32"), True),
    ],
)
def test_sums(output: T.TensorVariable, is_kept: bool) -> None:
    kernels, _ = naive_kernels([g], [output])
    kept = {name for kernel in kernels for name in KeptWide(kernel).names}
    assert bool(kept) == is_kept

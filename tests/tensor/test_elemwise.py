"""Every scalar op as compiled code against its NumPy function and the interpreter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from symtheano import dtypes
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.tensor.elemwise import elemwise
from symtheano.tensor.type import TensorType
from tests.support.compare import Array, assert_fresh, compiled, count, oracle
from tests.support.grids import ROWS, agrees, samples, signatures

pytestmark = pytest.mark.needs_cc


class Batch:
    """Rows of one dtype, each with inputs of its own, compiled into one function."""

    def __init__(self, dtype: str, shape: tuple[None, ...]) -> None:
        self.cases: list[tuple[ScalarOp, Signature]] = [
            (row, signature)
            for row in ROWS
            for signature in signatures(row)
            if signature.compute[0] == dtype
        ]
        self.inputs: list[Any] = []
        self.outputs: list[Any] = []
        for row, signature in self.cases:
            operands = [TensorType(item, shape).make_variable() for item in signature.compute]
            self.inputs += operands
            self.outputs.append(elemwise(row)(*operands))

    def operands(self, flat: Sequence[Array]) -> list[list[Array]]:
        """Return a flat list of all inputs' values by case."""
        rest = iter(flat)
        return [[next(rest) for _ in range(row.nin)] for row, _ in self.cases]

    def compare(self, call: Any, flat: Sequence[Array], exactly: bool) -> None:
        """Compare a call's results with the rows' NumPy functions."""
        results = call(*flat)
        assert_fresh(results, flat)
        failures = []
        for (row, signature), operands, got in zip(
            self.cases, self.operands(flat), results, strict=True
        ):
            native = [item.astype(item.dtype.newbyteorder("=")) for item in operands]
            want = np.asarray(row.numpy(*native))
            assert (got.dtype, got.shape) == (signature.result, want.shape), row
            if exactly:
                close = (got == want) | ((got != got) & (want != want))
            else:
                close = agrees(row, got, want)
            count("scalar ops", want.size)
            for at in np.argwhere(~np.asarray(close))[:3]:
                point = ", ".join(repr(item[tuple(at)].item()) for item in native)
                failures.append(
                    f"{row.name}({point}) of {', '.join(signature.compute)}: "
                    f"{got[tuple(at)].item()!r}, NumPy {want[tuple(at)].item()!r}"
                )
        assert not failures, "\n" + "\n".join(failures)


@pytest.mark.parametrize("dtype", dtypes.ALL)
def test_rows_on_vectors(dtype: str) -> None:
    batch = Batch(dtype, (None,))
    values = [item for row, signature in batch.cases for item in samples(row, signature)]
    f = compiled(batch.inputs, batch.outputs)
    batch.compare(f, values, exactly=False)
    batch.compare(oracle(batch.inputs, batch.outputs), values, exactly=True)

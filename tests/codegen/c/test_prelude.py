"""The text before the functions: what the statements need, and no more."""

from __future__ import annotations

import numpy as np
import pytest

from symtheano import dtypes
from symtheano.loopir import (
    Allocate,
    Builder,
)
from tests.codegen.c.programs import (
    ZERO,
    N,
    Run,
    given,
    make,
    result,
    softmax,
    tables,
)

RNG = np.random.default_rng(0)


REDUCTIONS = [
    ("add", np.add, ("int8", "int64", "float32", "float64", "complex64")),
    ("mul", np.multiply, ("uint32", "float64", "complex128")),
    ("maximum", np.maximum, ("bool", "int8", "uint64", "float32", "float64", "complex64")),
    ("minimum", np.minimum, ("int32", "float16", "float64")),
    ("or_", np.bitwise_or, ("int64", "bool")),
    ("and_", np.bitwise_and, ("uint8", "int32", "bool")),
    ("xor", np.bitwise_xor, ("int16",)),
]


@pytest.mark.needs_cc
@pytest.mark.parametrize(
    ("op", "ufunc", "dtype"),
    [(op, ufunc, dtype) for op, ufunc, all_ in REDUCTIONS for dtype in all_],
)
def test_reductions(run: Run, op: str, ufunc: np.ufunc, dtype: str) -> None:
    x, out = given("x", dtype, 0, N), result("y", dtype, 0)
    b = Builder()
    b.emit(Allocate(out.buffer, ()))
    first = b.declare("first", b.load(x, [ZERO]))
    with b.loop("i", N, 1, kind="simd", reductions=((first, op),)) as i:
        b.assign(first, b.let(op, dtype, [first, b.load(x, [i])]))
    b.store(out, [], first)
    case = make([x], [out], b)
    data = (RNG.normal(size=60) * 2).astype(dtype)
    np.testing.assert_allclose(run(case, data)[0], ufunc.reduce(data, dtype=dtype), rtol=1e-5)
    if dtypes.is_continuous(dtype):
        for position in (0, 1, 17, 59):
            broken = data.copy()
            broken[position] = np.nan
            assert np.isnan(run(case, broken)[0])


def test_the_prelude_holds_what_is_needed_and_no_more() -> None:
    text = make([], [], Builder()).text()
    assert "st_" not in text.replace("st_runtime", "").replace("st_array", "").replace(
        "st_error", ""
    )
    assert "#pragma" not in text
    assert "goto" not in text
    assert 'simd("notinbranch"), const)) float expf(float);' in softmax().text()
    assert "__attribute__((const)) double exp(double);" in tables().text()

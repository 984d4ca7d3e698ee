"""Functions of stored elements, casts and models, against NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import sparse as S
from tests.sparse.harness import CLASSES, FORMATS, check, interpreted, random_sparse, shuffled

pytestmark = pytest.mark.needs_cc

PLAIN = {
    "sin": np.sin, "tan": np.tan, "arctan": np.arctan, "sinh": np.sinh, "arcsinh": np.arcsinh,
    "tanh": np.tanh, "rint": np.rint, "sgn": np.sign, "ceil": np.ceil, "floor": np.floor,
    "trunc": np.trunc, "expm1": np.expm1, "deg2rad": np.deg2rad, "rad2deg": np.rad2deg,
    "sqr": np.square, "neg": np.negative, "conj": np.conj, "structured_abs": np.abs,
}  # fmt: skip
OF_FRACTIONS = {"arcsin": np.arcsin, "arctanh": np.arctanh, "log1p": np.log1p, "sqrt": np.sqrt}


@pytest.mark.parametrize("format", FORMATS)
def test_functions_that_map_zero_to_zero(format: str) -> None:
    x = S.matrix(format, "x")
    a = shuffled(random_sparse(1, format=format))
    fractions = a.copy()
    fractions.data = np.abs(a.data) / 5
    for table, value in ((PLAIN, a), (OF_FRACTIONS, fractions)):

        def reference(x: Any, table: Any = table) -> list[Any]:
            return [CLASSES[format](f(x.toarray())) for f in table.values()]

        outputs = [getattr(S, name)(x) for name in table]
        check([x], outputs, [(value,)], reference, c=format == "csr")
        for output in outputs:
            assert output.type == x.type


@pytest.mark.parametrize("format", FORMATS)
def test_structured_functions_leave_the_rest_alone(format: str) -> None:
    x, s = S.matrix(format, "x"), T.scalar("s")
    outputs = [
        S.structured_exp(x), S.structured_log(x), S.structured_sigmoid(x), S.structured_pow(x, s),
        S.structured_minimum(x, s), S.structured_maximum(x, 2), S.structured_add(x, s),
        S.structured_monoid(T.maximum)(S.sqr)(x, s),
    ]  # fmt: skip

    def reference(x: Any, s: Any) -> list[Any]:
        def of(f: Any) -> Any:
            made = x.copy()
            made.data = f(x.data)
            return made

        functions = [
            np.exp, np.log, lambda v: 1 / (1 + np.exp(-v)), lambda v: v**s,
            lambda v: np.minimum(v, s), lambda v: np.maximum(v, 2), lambda v: v + s,
            lambda v: np.maximum(v, s),
        ]  # fmt: skip
        return [of(f) for f in functions]

    a = abs(random_sparse(1, format=format))
    check([x, s], outputs, [(a, np.array(1.5)), (a * 0, np.array(1.5))], None)
    check([x, s], outputs, [(a, np.array(1.5))], reference, c=False)
    with pytest.raises(TypeError, match="structured_pow takes scalars, not 1 dims"):
        S.structured_pow(x, T.vector("v"))


def test_what_is_stored_twice_is_added_first() -> None:
    x = S.csr_matrix("x")
    twice = CLASSES["csr"]((np.array([1.0, 2.0]), np.array([1, 1]), np.array([0, 2])), (1, 3))
    np.testing.assert_allclose(interpreted([x], S.sqr(x))(twice).toarray(), [[0, 9, 0]])
    assert twice.nnz == 2, "the argument was changed"


@pytest.mark.parametrize("format", FORMATS)
def test_casts_and_models(format: str) -> None:
    x = S.matrix(format, "x")
    names = {
        "bcast": "int8", "wcast": "int16", "icast": "int32", "lcast": "int64", "fcast": "float32",
        "dcast": "float64", "ccast": "complex64", "zcast": "complex128",
    }  # fmt: skip
    outputs = [getattr(S, name)(x) for name in names]
    outputs += [S.cast(x, "bool"), x.astype("uint8"), S.Cast("int16")(x)]
    outputs += [S.sp_ones_like(x), S.sp_zeros_like(x), x.zeros_like("int8")]

    def reference(x: Any) -> list[Any]:
        kinds = [*names.values(), "bool", "uint8", "int16"]
        none = CLASSES[format](x.shape)
        return [*(x.astype(kind) for kind in kinds), x != 0 * x, none, none.astype("int8")]

    a = abs(random_sparse(1, format=format))
    check([x], outputs, [(a,)], lambda x: [m.astype("float64") if k == 11 else m
                                           for k, m in enumerate(reference(x))])  # fmt: skip
    assert interpreted([x], S.sp_zeros_like(x))(a).nnz == 0
    with pytest.raises(TypeError, match="sparse matrices of float16 are not supported"):
        S.cast(x, "float16")

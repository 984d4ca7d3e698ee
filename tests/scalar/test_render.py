"""C text of rows: types, expressions, prototypes."""

from __future__ import annotations

from symtheano.scalar import render
from symtheano.scalar.row import Signature
from symtheano.scalar.table import TABLE


def test_types() -> None:
    assert render.c_type("float64") == "double"
    assert render.c_type("int8") == "int8_t"
    assert render.stored_type("float16") != render.c_type("float32")
    assert render.computed("float16") == "float32"
    assert render.computed("int16") == "int16"
    assert render.loaded("x[i]", "float64") == "x[i]"


def text_of(name: str, *dtypes: str) -> str:
    row = TABLE[name]
    return render.render_expression(row, row.signature(dtypes), ["a", "b", "c"][: row.nin])


def test_expressions() -> None:
    assert text_of("add", "float64", "float64") == "a + b"
    assert "expf(a)" in text_of("exp", "float32")
    assert "exp(a)" in text_of("exp", "float64")
    assert "cexp" in text_of("exp", "complex128")


def test_helpers_are_defined_once_for_each_dtype() -> None:
    row = TABLE["int_div"]
    single, double = (
        render.render_helpers(row, Signature((dtype, dtype), dtype)) for dtype in ("int32", "int64")
    )
    assert len(single) == len(double) == 1
    assert single != double
    name = single[0].partition("(")[0].split()[-1]
    assert name in text_of("int_div", "int32", "int32")


def test_prototypes() -> None:
    assert render.prototype("exp") == "double exp(double)"
    assert render.prototype("expf") == "float expf(float)"
    row = TABLE["exp"]
    assert set(render.render_prototypes(row, row.signature(("float32",)))) == {"expf"}
    assert not render.render_prototypes(TABLE["add"], TABLE["add"].signature(("int8", "int8")))


def test_external_functions_are_pointers() -> None:
    row = TABLE["ndtr"]
    assert "(*" in render.external_type(row, "pointer").replace(" ", "")
    assert "pointer" in render.external_type(row, "pointer")

"""Words of the C printer: literals are exact, indices right, and comments can't be left."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, strategies as st

from symtheano.codegen.c.text import (
    comment_text,
    computed_literal_text,
    estimate_text,
    filled,
    index_text,
    literal_text,
)
from symtheano.loopir import Index, Literal

integers = st.integers(-20, 20)
terms = st.tuples(st.lists(st.sampled_from("ijnm"), max_size=4), integers)
values = st.fixed_dictionaries(dict.fromkeys("ijnm", integers))


def polynomial(parts: list[tuple[list[str], int]]) -> Index:
    total = Index.of(0)
    for names, coefficient in parts:
        product = Index.of(coefficient)
        for name in names:
            product = product * Index.symbol(name)
        total = total + product
    return total


@given(st.lists(terms, max_size=8), values)
def test_factored_indices_have_the_same_value(
    parts: list[tuple[list[str], int]], names: dict[str, int]
) -> None:
    index = polynomial(parts)
    expected = index.replace(names).constant
    assert eval(index_text(index), {}, dict(names)) == expected
    assert eval(estimate_text(index), {}, dict(names)) == expected


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([], "0"),
        ([([], -3)], "-3"),
        ([(["i"], 1), ([], 1)], "i + 1"),
        ([(["i", "n"], 1), (["j"], 1)], "i*n + j"),
        ([(["i", "n", "m"], 1), (["j", "m"], 1), (["k"], 1)], "(i*n + j)*m + k"),
        ([(["n"], 1), (["i"], -1), ([], -1)], "n - i - 1"),
        ([(["n", "m"], 4)], "m*n*4"),
        ([(["i"], -1)], "-i"),
        ([(["n", "n"], 1)], "n*n"),
    ],
)
def test_indices(parts: list[tuple[list[str], int]], text: str) -> None:
    assert index_text(polynomial(parts)) == text


def test_names_are_spelled() -> None:
    index = Index.symbol("double") * Index.symbol("n")
    assert index_text(index, {"double": "double_", "n": "n"}.__getitem__) == "double_*n"
    assert estimate_text(index, {"double": "double_", "n": "n"}.__getitem__) == "1.0*double_*n"


@pytest.mark.parametrize(
    ("value", "dtype", "text"),
    [
        (True, "bool", "true"),
        (False, "bool", "false"),
        (-128, "int8", "-128"),
        (2**32 - 1, "uint32", "4294967295U"),
        (2**64 - 1, "uint64", "18446744073709551615ULL"),
        (5, "int64", "5"),
        (-(2**63), "int64", "INT64_MIN"),
        (-(2**31), "int32", "INT32_MIN"),
        (1.0, "float32", "1.0f"),
        (0.1, "float32", "0.1f"),
        (1e-45, "float32", "1.0e-45f"),
        (16777216.0, "float32", "16777216.0f"),
        (-0.0, "float64", "-0.0"),
        (1e22, "float64", "1e+22"),
        (math.inf, "float32", "__builtin_inff()"),
        (-math.inf, "float64", "-__builtin_inf()"),
        (math.nan, "float32", '__builtin_nanf("")'),
        (1e39, "float32", "__builtin_inff()"),
        (0.1, "float16", "(_Float16)0.099975586f"),
        (complex(math.nan, -0.0), "complex128", '__builtin_complex(__builtin_nan(""), -0.0)'),
        (1, "complex64", "__builtin_complex(1.0f, 0.0f)"),
    ],
)
def test_literals(value: complex, dtype: str, text: str) -> None:
    assert literal_text(Literal(value, dtype)) == text


def test_operands_have_the_type_that_c_computes_in() -> None:
    assert computed_literal_text(Literal(1, "int64")) == "1LL"
    assert computed_literal_text(Literal(2.0, "float16")) == "2.0f"


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_float32_digits_are_enough(value: float) -> None:
    text = literal_text(Literal(value, "float32"))
    assert np.float32(text.removesuffix("f")) == np.float32(value)


@given(st.text(st.sampled_from("*/?\\\n\r ab\u2028\u2202\x00\U0001f600")))
def test_nothing_leaves_a_comment(text: str) -> None:
    comment = comment_text(text)
    inside = comment.removeprefix("/* ").removesuffix(" */")
    assert comment == f"/* {inside} */"
    assert comment.isascii()
    assert comment.isprintable()
    for trouble in ("*/", "/*", "??"):
        assert trouble not in inside
    # Together with the spaces around it, too.
    assert comment.count("*/") == 1
    assert comment.count("/*") == 1


def test_long_source_lines_are_cut() -> None:
    assert len(comment_text("x" * 1000)) < 130


def test_lines_are_filled() -> None:
    parts = [f"const double *argument_{i}" for i in range(9)]
    lines = list(filled("void f(", parts, ") {", "    "))
    assert all(len(line) <= 100 for line in lines)
    assert lines[0].startswith("    void f(const double *argument_0,")
    assert lines[-1].endswith(") {")
    assert " ".join(line.strip() for line in lines) == f"void f({', '.join(parts)}) {{"
    assert list(filled("f(", [], ")", "")) == ["f()"]

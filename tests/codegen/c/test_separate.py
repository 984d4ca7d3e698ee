"""Texts of programs without routines, and texts of routines alone."""

import re

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import config, function
from symtheano.codegen.c.separate import functions_of, routine_texts
from symtheano.codegen.native.compiler import run_compiler
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.routines import ROUTINES

A, B = T.dmatrices("A", "B")
x = T.dvector("x")


def _source(outputs):
    return function([A, B, x], outputs, on_unused_input="ignore").stages.built.source


def test_functions_of_a_product_are_in_a_file_of_their_own():
    source = _source([T.dot(A, B), T.tanh(x)])
    body, (routine,) = source.separate()
    assert "st_gemm_f64" in functions_of(source.compiled)
    assert "st_gemm_f64" not in functions_of(body)
    assert "st_plain_gemm_f64" not in functions_of(body)
    assert "kernel_" in body
    assert "tanh" not in routine
    # The program has a declaration, and the routine's definition is not local to its file.
    assert re.search(r"^void st_gemm_f64\([^;{]*\);$", body, re.MULTILINE)
    assert re.search(r"^void st_gemm_f64\([^;{]*\) \{$", routine, re.MULTILINE)


def test_a_routine_has_the_same_text_for_all_programs():
    one = _source([T.dot(A, B)]).separate()[1]
    two = _source([T.exp(T.dot(A, B)).sum(), T.dot(A, x), T.sort(x)]).separate()[1]
    assert one[0] in two
    assert len(two) == 3


def test_small_routines_and_those_with_numbers_of_tables_remain():
    source = _source([T.concatenate([x, x]), T.linalg.cholesky(A)])
    assert source.separate() == (source.compiled, ())


def test_a_function_that_a_remaining_routine_has_is_not_separated():
    # LAPACK's text has the products that it calls.
    source = _source([T.linalg.solve(A, B), T.dot(A, B)])
    body, routines = source.separate()
    for routine in routines:
        exported = [name for name in functions_of(source.compiled) if f" {name}(" in routine]
        assert exported
    defined = functions_of(body)
    for name in functions_of(source.compiled):
        assert name in defined or any(re.search(rf"\b{name}\(", text) for text in routines)


def test_results_are_those_of_one_file():
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(7, 7)), rng.normal(size=(7, 7))
    product, ordered = function([A, B, x], [T.dot(A, B), T.sort(x)])(a, b, a[0])
    np.testing.assert_allclose(product, a @ b, rtol=1e-13)
    np.testing.assert_array_equal(ordered, np.sort(a[0]))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_texts_ahead_are_those_of_programs(dtype):
    a = T.matrix("a", dtype=dtype)
    source = function([a], T.dot(a, a)).stages.built.source
    ahead = dict(routine_texts([ROUTINES["gemm"]], [dtype]))
    assert source.separate()[1] == tuple(ahead.values())


def test_inlined_functions_of_several_random_routines_find_their_declarations(tmp_path):
    streams, k = T.random.PhiloxStreams(7), T.lvector("k")
    numbers = [
        streams.gamma(None, x, 2.0), streams.beta((), 1.0, 2.0, dtype="float32"),
        streams.poisson(None, x), streams.binomial(None, k, 0.5),
        streams.multinomial(None, k, [0.25, 0.75]), streams.multinomial((2, 2), 3, [0.25, 0.75]),
    ]  # fmt: skip
    source = function([x, k], [*numbers, T.argsort(x)]).stages.built.source
    body, routines = source.separate()
    assert len(routines) >= 5
    tools = find_toolchain(config.cc)
    for text in (body, *routines):
        (tmp_path / "text.c").write_text(text)
        arguments = (*tools.flags, "-c", "text.c", "-o", "text.o")
        run_compiler(tools.command, arguments, tmp_path, 100)  # raises an error if it is refused
        assert (tmp_path / "text.o").stat().st_size > 500

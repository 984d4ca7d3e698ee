"""Our mathematical functions against the C library in long double, and lane against lane."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano.codegen.c.vector_math import math_declarations, math_texts, own_functions
from symtheano.scalar.render import prototype
from tests.support.vector_math import MathLibrary, dtype_of, errors_in_ulp, points

# Bounds in units in the last place; docs/accuracy.md has what was measured.
BOUNDS = {"exp": 1.25, "expf": 1.25, "expm1": 1.3, "expm1f": 1.3, "tanh": 2.5, "tanhf": 2.5}
BOUNDS |= {"log": 2.4, "logf": 1.6, "log1p": 2.8, "log1pf": 1.9, "lgamma": 5.5}

pytestmark = pytest.mark.needs_cc


@pytest.fixture(scope="module", params=[1, 1000], ids=["inlined", "called"])
def library(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> MathLibrary:
    return MathLibrary(tmp_path_factory.mktemp("math"), sorted(BOUNDS), request.param)


def test_every_function_of_ours_has_a_bound() -> None:
    assert set(BOUNDS) == own_functions()


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 60, reason="long double is double here")
@pytest.mark.parametrize("name", BOUNDS)
def test_errors_are_within_the_bounds(name: str, library: MathLibrary) -> None:
    x = points(dtype_of(name), 100_000)
    result = library.loop(name, x)
    errors = errors_in_ulp(result, library.exact(name, x))
    if name == "lgamma":  # it has zeros between the negative integers
        errors = np.where(x < 0, of_terms(result, library.exact(name, x), x), errors)
    worst = int(np.argmax(errors))
    assert errors[worst] <= BOUNDS[name], (name, x[worst], result[worst])


def of_terms(result: np.ndarray, exact: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Return errors in units of the largest term of the reflection, which is larger than one."""
    with np.errstate(all="ignore"):
        units = np.spacing(np.maximum(np.abs(exact).astype(x.dtype), 2 + np.abs(x * np.log(-x))))
        errors = np.abs(result - exact).astype(x.dtype) / units
        finite = np.isfinite(exact.astype(x.dtype))
    return np.where(finite, errors, errors_in_ulp(result, exact))


@pytest.mark.parametrize("name", ["lgamma"])
def test_near_zeros_and_poles_of_the_gamma_function(name: str, library: MathLibrary) -> None:
    random = np.random.default_rng(1)
    for center in (1, 2, 2.375, 3.375, 7.375, 8):
        x = center + 1e-3 * random.normal(size=10_000)
        errors = errors_in_ulp(library.loop(name, x), library.exact(name, x))
        assert errors.max() <= BOUNDS[name]
    x = np.concatenate([-n + 1e-9 * random.normal(size=1000) for n in range(12)])
    errors = of_terms(library.loop(name, x), library.exact(name, x), x)
    assert errors[x < 0].max() <= BOUNDS[name]
    poles = np.array([0.0, -0.0, -1, -2, -7, -8, -9, -(2.0**53), -1e300, -np.inf, np.inf])
    np.testing.assert_array_equal(library.loop(name, poles), np.full(len(poles), np.inf))


@pytest.mark.parametrize("name", BOUNDS)
def test_single_values_and_lanes_have_the_same_bits(name: str, library: MathLibrary) -> None:
    x = points(dtype_of(name), 2000)
    single = bits(library.single(name, x))
    np.testing.assert_array_equal(bits(library.loop(name, x)), single)
    for length in range(41):
        part = slice(length, 2 * length)
        np.testing.assert_array_equal(bits(library.loop(name, x[part].copy())), single[part])


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("name", ["exp", "expf", "log1p", "log1pf"])
def test_a_sign_that_the_compiler_sees_changes_no_bit(
    name: str, sign: int, library: MathLibrary
) -> None:
    x = points(dtype_of(name), 20_000)
    expected = bits(library.loop(name, sign * np.abs(x)))
    np.testing.assert_array_equal(bits(library.of_size(name, x, sign)), expected)


@pytest.mark.parametrize("name", ["log", "logf", "log1p", "log1pf"])
def test_logarithms_of_what_has_none(name: str, library: MathLibrary) -> None:
    dtype = dtype_of(name)
    zero = -1 if name.startswith("log1p") else 0
    below = np.nextafter(dtype.type(zero), dtype.type(-np.inf))
    x = np.array([zero, below, -np.inf, np.inf, np.nan, -np.finfo(dtype).max], dtype)
    expected = [-np.inf, np.nan, np.nan, np.inf, np.nan, np.nan]
    np.testing.assert_array_equal(library.loop(name, x), np.array(expected, dtype))


def test_subnormal_numbers_go_through_log1p(library: MathLibrary) -> None:
    for dtype, name in ((np.float64, "log1p"), (np.float32, "log1pf")):
        smallest = np.finfo(dtype).smallest_subnormal
        x = np.array([1, -1, 3, -5, 1001], dtype) * smallest
        np.testing.assert_array_equal(library.loop(name, x), x)


def test_the_sign_of_zero_goes_through_log1p(library: MathLibrary) -> None:
    signs = np.signbit(library.loop("log1p", np.array([-0.0, 0.0, -5e-324, 5e-324] * 4)))
    assert signs.tolist() == [True, False, True, False] * 4


def bits(values: np.ndarray) -> np.ndarray:
    """Return the bits, with all NaN alike."""
    values = np.where(np.isnan(values), np.array(np.nan, values.dtype), values)
    return values.view(f"u{values.itemsize}")


def test_a_wrong_result_would_be_seen() -> None:
    exact = np.array([1.0, -0.0, np.inf], np.longdouble)
    result = np.array([1 + 2.0**-50, 0.0, 1e308])
    np.testing.assert_array_equal(errors_in_ulp(result, exact), [4.0, np.inf, np.inf])


# -- how it is chosen ----------------------------------------------------------------------------


def declared(names: str, vectorized: frozenset[str] = frozenset()) -> Iterator[str]:
    return math_declarations({name: prototype(name) for name in names.split()}, 1, vectorized)


def test_only_what_is_used_is_printed() -> None:
    text = "\n".join(declared("tanhf cbrt"))
    assert "st_tanhf(" in text
    assert "st_bitsf(" in text
    assert "st_tanh(" not in text
    assert "st_bits(" not in text
    assert "double cbrt(double);" in text


def test_the_library_stands_in_where_there_is_no_fused_multiply_add() -> None:
    text = "\n".join(declared("tanh", frozenset({"tanh"})))
    otherwise = text.split("#else")[-1]
    assert '__attribute__((simd("notinbranch"), const)) double tanh(double);' in otherwise


def test_ours_are_taken_beside_others() -> None:
    mixed = "\n".join(declared("exp erf logf", frozenset({"exp", "erf", "logf"})))
    assert "define exp(x) st_exp(x)" in mixed
    assert "define logf(x) st_logf(x)" in mixed
    assert '__attribute__((simd("notinbranch"), const)) double erf(double);' in mixed


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", ["log", "log2", "log10"])
def test_logarithms_of_zeros_among_others(name: str, dtype: str) -> None:
    suffix = "f" * (dtype == "float32")
    text = "\n".join(declared(name + suffix, frozenset({name + suffix})))
    # That of libmvec, which stands in for ours on some processors, would be slow.
    assert f"define {name}{suffix}(x) st_{name}{suffix}_of_any(x)" in text
    x = T.vector("x", dtype=dtype)
    made = symtheano.function([x], getattr(T, name)(x), mode="FAST_RUN")
    tiny = np.finfo(dtype).smallest_subnormal
    edges = [0.0, -0.0, 1.0, 10.0, 0.5, -1.0, np.inf, -np.inf, np.nan, tiny, -tiny]
    for length in (1, 7, 64, 301):
        values = np.resize(edges, length).astype(dtype)
        with np.errstate(all="ignore"):
            wanted = getattr(np, name)(values)
        got = made(values)
        special = ~np.isfinite(wanted) | (wanted == 0)
        np.testing.assert_array_equal(got[special], wanted[special])
        np.testing.assert_array_equal(np.signbit(got[wanted == 0]), False)
        np.testing.assert_array_max_ulp(got[~special], wanted[~special], 8)


def test_functions_of_many_calls_are_linked() -> None:
    prototypes = {name: prototype(name) for name in ("expf", "tanh", "sin")}
    few, many = ("\n".join(math_declarations(prototypes, n, separate=True)) for n in (6, 7))
    assert "always_inline)) float st_expf" not in many.split("#else")[1]
    assert '__attribute__((simd("notinbranch"), const)) float st_expf(float);' in many
    assert "ST_MATH(8) float st_expf(float x) {" in few
    assert [*math_texts(prototypes, 6)] == [*math_texts(prototypes, 7, "libm")] == []
    one, other = math_texts(prototypes, 7)
    assert "float st_expf(float x) {" in one
    assert "double st_tanh(double x) {" in other
    assert "st_expf" not in other


@pytest.mark.parametrize("accuracy", ["default", "libm"])
def test_linked_functions_have_the_bits_of_inlined_ones(accuracy: str) -> None:
    x = T.dvector("x")
    functions = [T.exp, T.log, T.tanh, T.expm1, T.log1p]
    outputs = [fn(x * number) for fn in functions for number in (1, 2, 3)]
    values = np.linspace(-3, 3, 53)
    with symtheano.config.change_flags(accuracy=accuracy):
        many = symtheano.function([x], outputs, mode="FAST_RUN")
        assert ("noinline, const, simd" in many.c_source) == (accuracy == "default")
        for number, (output, result) in enumerate(zip(outputs, many(values), strict=True)):
            alone = symtheano.function([x], output, mode="FAST_RUN")
            assert "noinline, simd" not in alone.c_source
            np.testing.assert_array_equal(bits(alone(values)), bits(result), err_msg=str(number))


def test_libm_is_an_option() -> None:
    x = T.dvector("x")
    values = np.linspace(-3, 3, 50)
    with symtheano.config.change_flags(accuracy="libm"):
        exactly = symtheano.function([x], T.tanh(x), mode="FAST_RUN")
    quick = symtheano.function([x], T.tanh(x), mode="FAST_RUN")
    assert "st_tanh" in quick.c_source
    assert "st_tanh" not in exactly.c_source
    assert "simd(" not in exactly.c_source
    np.testing.assert_array_max_ulp(exactly(values), np.tanh(values), 2)
    np.testing.assert_array_max_ulp(quick(values), np.tanh(values), 4)

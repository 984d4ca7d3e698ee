"""Our mathematical functions against the C library in long double, and lane against lane."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano.codegen.vector_math import math_declarations, own_functions
from symtheano.scalar.render import prototype
from tests.support.vector_math import MathLibrary, dtype_of, errors_in_ulp, points

# Bounds in units in the last place; docs/accuracy.md has what was measured.
BOUNDS = {"exp": 1.02, "expf": 1.02, "expm1": 1.3, "expm1f": 1.3, "tanh": 2.5, "tanhf": 2.5}

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
    worst = int(np.argmax(errors))
    assert errors[worst] <= BOUNDS[name], (name, x[worst], result[worst])


@pytest.mark.parametrize("name", BOUNDS)
def test_single_values_and_lanes_have_the_same_bits(name: str, library: MathLibrary) -> None:
    x = points(dtype_of(name), 2000)
    single = bits(library.single(name, x))
    np.testing.assert_array_equal(bits(library.loop(name, x)), single)
    for length in range(41):
        part = slice(length, 2 * length)
        np.testing.assert_array_equal(bits(library.loop(name, x[part].copy())), single[part])


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


def test_other_calls_in_the_file_leave_exp_to_libmvec() -> None:
    # Whether a function of ours is quicker depends on whether it can be inlined alone.
    vectorized = frozenset({"exp", "log1p", "tanh"})
    assert "define exp(x) st_exp(x)" in "\n".join(declared("exp tanh", vectorized))
    mixed = "\n".join(declared("exp log1p tanh", vectorized))
    assert "st_exp" not in mixed
    assert "define tanh(x) st_tanh(x)" in mixed
    assert "st_exp(" in "\n".join(declared("exp log1p"))


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

"""The C printer: golden files of its text, and the values that the text computes."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from symtheano.codegen.abi import ErrorCode
from symtheano.codegen.c.program import print_c
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.load import EntryError
from tests.codegen.c.programs import (
    CASES,
    Case,
    Golden,
    Run,
    axpy,
    layer,
    softmax,
    sort_rows,
    tables,
)

# -- programs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_text(case: Callable[[], Case], golden: Golden) -> None:
    golden(case().text(), f"codegen/{case.__name__}.c")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_text_is_ascii_and_not_wide(case: Callable[[], Case]) -> None:
    text = print_c(case().program).text
    assert text.isascii()
    assert text == print_c(case().program).text
    # From the first function on; the text before it does not come from the printer.
    assert all(len(line) <= 100 for line in text[text.rindex("ST_KERNEL") :].splitlines())


@pytest.mark.needs_cc
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_text_compiles_without_openmp(
    case: Callable[[], Case], cache: Cache, toolchain: Toolchain
) -> None:
    flags = [flag for flag in toolchain.flags if flag not in ("-fopenmp", "-w")]
    strict = ("-fopenmp-simd", "-Wall", "-Werror", "-Wno-unused", "-Wno-attributes")
    source = print_c(case().program)
    assert cache.obtain(source.text, toolchain._replace(flags=(*flags, *strict))).exists()


# -- computed values ---------------------------------------------------------------------------

RNG = np.random.default_rng(0)


@pytest.mark.needs_cc
def test_a_failed_check_says_what_and_where(run: Run) -> None:
    with pytest.raises(EntryError) as raised:
        run(axpy(), np.zeros(3, "float32"), np.zeros(4, "float32"))
    assert raised.value.code is ErrorCode.SHAPE
    assert raised.value.site == 7
    assert raised.value.values[:3] == (3, 4, 0)


@pytest.mark.needs_cc
@pytest.mark.parametrize("shape", [(3, 5), (0, 4), (4, 0), (1, 1), (2000, 300)])
def test_softmax(run: Run, shape: tuple[int, int]) -> None:
    x = RNG.normal(size=shape).astype("float32")
    one, two = (run(softmax(), x, threads=threads)[0] for threads in (1, 2))
    powers = np.exp(x - x.max(1, keepdims=True, initial=-np.inf))
    np.testing.assert_allclose(one, powers / powers.sum(1, keepdims=True), rtol=1e-5)
    assert one.tobytes() == two.tobytes()


@pytest.mark.needs_cc
def test_softmax_of_nan(run: Run) -> None:
    x = np.zeros((70, 70), "float32")
    x[range(70), range(70)] = np.nan
    assert np.isnan(run(softmax(), x)[0]).all()


@pytest.mark.needs_cc
@pytest.mark.parametrize(("n", "k", "m"), [(3, 4, 5), (0, 4, 5), (3, 0, 5), (300, 20, 100)])
def test_layer(run: Run, n: int, k: int, m: int) -> None:
    x, w = RNG.normal(size=(n, k)).astype("float32"), RNG.normal(size=(k, m)).astype("float32")
    bias = RNG.normal(size=m).astype("float32")
    op = sort_rows(lambda t: [np.sort(t, 1)])
    (out,) = run(layer(), x, w, bias, threads=2, python_ops=[op])
    np.testing.assert_allclose(out, np.sort(np.tanh(x @ w + bias), 1), rtol=1e-4, atol=1e-6)


@pytest.mark.needs_cc
@pytest.mark.parametrize("threads", [1, 4])
def test_tables(run: Run, threads: int) -> None:
    x = np.array([0, 1, 2, 3] * 10)
    (out,) = run(tables(), x, threads=threads)
    np.testing.assert_allclose(out, np.exp([0.0, -0.0, 1.0, -np.inf] * 10))

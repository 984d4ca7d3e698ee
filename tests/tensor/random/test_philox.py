"""Philox: published vectors, an independent implementation, and what is drawn from it."""

from __future__ import annotations

import ctypes
import platform
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.scalar import words
from symtheano.scalar.philox import BLOCKS_TEXT, NUMBERS_TEXTS
from symtheano.tensor.random import PhiloxStreams
from tests.tensor.random.counters import MODES, built, half, normal, word

PROCESSORS = {"x86_64": ("-march=x86-64", "-mno-fma"), "aarch64": ("-march=armv8-a",)}


ALL = """\
__attribute__((visibility("default")))
void made_SUFFIX(int64_t n, const BITS *a, const BITS *b, TYPE *x, TYPE *y, TYPE *z) {
    #pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        const st_normals_SUFFIX pair = st_word_normal_SUFFIX(a[i], b[i]);
        x[i] = pair.first, y[i] = pair.second, z[i] = st_word_exponential_SUFFIX(a[i]);
    }
}
"""


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_every_processor_makes_the_numbers_of_numpy(tmp_path: Path, dtype: str) -> None:
    """With fused multiplications and additions, and without; in vectors, and one by one."""
    size = int(dtype[-2:])
    text = ALL.replace("SUFFIX", f"f{size}").replace("BITS", f"uint{size}_t")
    text = text.replace("TYPE", {64: "double", 32: "float"}[size])
    text = "\n".join([BLOCKS_TEXT, NUMBERS_TEXTS[dtype], text])
    near = (2**k + d for k in range(size - 4, size) for d in (-1, 0, 1))
    few = np.array([0, 1, 2**size - 1, *near], "uint64")
    drawn = np.random.default_rng(5).integers(0, 2**size, (2, 100_000), f"uint{size}")
    pairs = np.array(np.meshgrid(few, few)).reshape(2, -1).astype(drawn.dtype)
    first, second = np.concatenate([pairs, drawn], 1)
    wide = first.astype("uint64"), second.astype("uint64")
    expected = [words.normal(*wide, np.full(wide[0].shape, odd), dtype) for odd in (0, 1)]
    expected.append(words.exponential(wide[0], dtype))
    for flags in ((), *((flag,) for flag in PROCESSORS.get(platform.machine(), ())), ("-O0",)):
        found = np.empty((3, len(first)), dtype)
        given = [item.ctypes.data_as(ctypes.c_void_p) for item in (first, second, *found)]
        library = built(text, tmp_path, *flags)
        getattr(library, f"made_f{size}")(ctypes.c_int64(len(first)), *given)
        assert np.isfinite(found).all()
        for one, other in zip(found, expected, strict=True):
            assert one.tobytes() == other.tobytes(), flags


@pytest.mark.parametrize("mode", MODES)
def test_streams_of_random_variables(mode: Any) -> None:
    for seed in (0, 42, 2**64 - 1):
        srng = PhiloxStreams(seed)
        made = [
            srng.uniform((2, 3), dtype="float64"), srng.uniform((5,), dtype="float32"),
            srng.normal((5,), dtype="float64"), srng.random_integers((4,), -3, 5),
            srng.random_integers((2,), -(2**63), 2**63 - 1), srng.normal((5,), dtype="float32"),
            srng.normal((), dtype="float64"), srng.exponential((), 2.0, dtype="float64"),
        ]  # fmt: skip
        f = function([], made, mode=mode)
        for call in range(2):
            a, b, c, d, e, g, h, i = f()
            streams = [number * 2**40 + call for number in range(8)]
            words = [[word(seed, s, i) for i in range(6)] for s in streams]
            assert a.ravel().tolist() == [(w >> 11) * 2.0**-53 for w in words[0]]
            assert b.tolist() == [(half(seed, streams[1], i) >> 8) * 2.0**-24 for i in range(5)]
            expected = [normal(seed, streams[2], i, "float64") for i in range(5)]
            assert c == pytest.approx(np.array(expected), rel=1e-13, abs=1e-15)
            assert d.tolist() == [w % 9 - 3 for w in words[3][:4]]
            assert e.tolist() == [w - 2**63 for w in words[4][:2]]
            expected = [normal(seed, streams[5], i, "float32") for i in range(5)]
            assert g == pytest.approx(np.array(expected), rel=1e-6, abs=1e-6)
            assert h == pytest.approx(normal(seed, streams[6], 0, "float64"))
            assert i == pytest.approx(-2 * log(((words[7][0] >> 11) + 1) * 2.0**-53))


def test_numbers_do_not_depend_on_the_length() -> None:
    srng = PhiloxStreams(1)
    n = T.lscalar("n")
    for drawn in (srng.normal((n,)), srng.uniform((n,)), srng.exponential((n,))):
        f = function([n], drawn, no_default_updates=True)
        whole = f(100)
        for length in (0, 1, 7, 31, 32, 33, 99):
            assert (f(length) == whole[:length]).all()


def test_single_numbers_are_those_of_arrays() -> None:
    for dtype in ("float64", "float32"):
        for name in ("uniform", "normal", "exponential"):
            one, many = (getattr(PhiloxStreams(5), name)(size, dtype=dtype) for size in ((), (3,)))
            f = function([], [one, many])
            assert all(a == b[0] for a, b in (f(), f()))


def test_values_and_gradients_see_the_same_numbers() -> None:
    srng = PhiloxStreams(1)
    x = T.dmatrix("x")
    noisy = (x * (1 + srng.normal(x.shape, dtype="float64"))).sum()
    f = function([x], [noisy, grad(noisy, x)])
    z = function([], PhiloxStreams(1).normal((50, 40), dtype="float64"))()
    value = np.linspace(-1, 1, 2000).reshape(50, 40)
    found, slope = f(value)
    assert slope == pytest.approx(1 + z)
    assert found == pytest.approx((value * (1 + z)).sum())
    assert f.c_source.count("st_philox_normal_f64(runtime") == 1


def test_seeds_and_states() -> None:
    srng = PhiloxStreams(9)
    x, y = srng.uniform((3,)), srng.normal((2,))
    f = function([], [x, y])
    first = f()
    assert y.rng.get_value().tolist() == [9, 2**40 + 1]
    second = f()
    x.rng.set_value(np.array([9, 0], "uint64"))
    assert (f()[0] == first[0]).all()
    srng.seed()
    assert all(map(np.array_equal, first, f()))
    assert all(map(np.array_equal, second, f()))
    srng.seed(10)
    assert not np.array_equal(first[0], f()[0])
    assert srng.updates() == [x.update, y.update] == srng.state_updates
    assert (
        PhiloxStreams().uniform().rng.get_value()[0] != PhiloxStreams().uniform().rng.get_value()[0]
    )
    for seed in (-1, 2**64):
        with pytest.raises(ValueError, match="2\\*\\*64 - 1"):
            PhiloxStreams(seed)


def test_distributions() -> None:
    srng, n = PhiloxStreams(3), 50_000
    made = {
        "uniform": (srng.uniform((n,)), stats.uniform()),
        "float32": (srng.uniform((n,), dtype="float32"), stats.uniform()),
        "normal": (srng.normal((n,), 1.0, 2.0), stats.norm(1, 2)),
        "normal32": (srng.normal((n,), dtype="float32"), stats.norm()),
        "exponential": (srng.exponential((n,), 2.0), stats.expon(scale=2)),
        "laplace": (srng.laplace((n,), 1.0, 2.0), stats.laplace(1, 2)),
        "truncated": (srng.truncated_normal((n,)), stats.truncnorm(-2, 2, scale=1.136847)),
    }  # fmt: skip
    found = function([], [drawn for drawn, _ in made.values()])()
    for name, values, (_, law) in zip(made, found, made.values(), strict=True):
        assert stats.kstest(values, law.cdf).pvalue > 1e-3, name
        assert abs(np.corrcoef(values[::2], values[1::2])[0, 1]) < 0.03, name
    a, b, c = function([], [srng.random_integers((n,), 3, 9), srng.binomial((n,), 5, 0.3),
                            srng.permutation((n,), 4)])()  # fmt: skip
    assert stats.chisquare(np.bincount(a)[3:]).pvalue > 1e-3
    expected = n * stats.binom(5, 0.3).pmf(range(6))
    assert stats.chisquare(np.bincount(b), expected).pvalue > 1e-3
    assert (
        stats.chisquare(np.bincount((c * [64, 16, 4, 1]).sum(1))[[27, 30, 39, 45, 228]]).pvalue
        > 1e-3
    )


@pytest.mark.parametrize("mode", MODES)
def test_steps_of_a_loop_draw_on(mode: Any) -> None:
    srng = PhiloxStreams(3)

    def step(x: Any) -> Any:
        return x + srng.uniform((), dtype="float64")

    values, updates = scan(step, outputs_info=np.float64(0), n_steps=4)
    f = function([], values, updates=updates, mode=mode)
    for start in (0, 4):
        numbers = [(word(3, start + i, 0) >> 11) * 2.0**-53 for i in range(4)]
        assert f() == pytest.approx(np.cumsum(numbers))

"""Philox: published vectors, an independent implementation, and what is drawn from it."""

from __future__ import annotations

import ctypes
import platform
import subprocess
from math import cos, log, pi, sin, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import symtheano.tensor as T
from symtheano import config, function, grad, scan
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.scalar import words
from symtheano.scalar.philox import BLOCKS_TEXT, BY_KIND, NUMBERS_TEXTS, _blocks
from symtheano.tensor.random import PhiloxStreams
from symtheano.tensor.random.philox_op import FirstPhiloxNumbers, PhiloxNumbers

MODES = [None, "INTERPRET"]

# Known answers of Random123 for philox4x32-10: counter, key, result.
VECTORS = [
    ("00000000 00000000 00000000 00000000", "00000000 00000000",
     "6627e8d5 e169c58d bc57ac4c 9b00dbd8"),
    ("ffffffff ffffffff ffffffff ffffffff", "ffffffff ffffffff",
     "408f276d 41c83b0e a20bc7c6 6d5451fd"),
    ("243f6a88 85a308d3 13198a2e 03707344", "a4093822 299f31d0",
     "d16cfe09 94fdcceb 5001e420 24126ea1"),
]  # fmt: skip


def philox(key: int, stream: int, block: int) -> list[int]:
    """Return four words of 32 bits, in Python's integers."""
    mask = 2**32 - 1
    k = [key & mask, key >> 32]
    c = [block & mask, block >> 32, stream & mask, stream >> 32]
    for _ in range(10):
        a, b = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(b >> 32) ^ c[1] ^ k[0], b & mask, (a >> 32) ^ c[3] ^ k[1], a & mask]
        k = [(k[0] + 0x9E3779B9) & mask, (k[1] + 0xBB67AE85) & mask]
    return c


def word(key: int, stream: int, number: int) -> int:
    """Return a word of 64 bits of a stream."""
    bits = philox(key, stream, number // 2)
    low, high = bits[2 * (number % 2) :][:2]
    return low | high << 32


def half(key: int, stream: int, number: int) -> int:
    """Return a word of 32 bits of a stream."""
    return philox(key, stream, number // 4)[number % 4]


def test_published_vectors() -> None:
    for counter, key, result in VECTORS:
        c, k, r = ([int(v, 16) for v in text.split()] for text in (counter, key, result))
        given = [k[0] | k[1] << 32, c[2] | c[3] << 32, c[0] | c[1] << 32]
        found = _blocks(*(np.array(item, "uint64") for item in given))
        assert [int(v) for v in found] == [r[0] | r[1] << 32, r[2] | r[3] << 32]
        assert philox(*given) == r


def normal(key: int, stream: int, number: int, dtype: str) -> float:
    """Return a normal number by Python's functions, in double precision."""
    first, second = number - number % 2, number - number % 2 + 1
    if dtype == "float64":
        u = ((word(key, stream, first) >> 11) + 1) * 2.0**-53
        v = (word(key, stream, second) >> 11) * 2.0**-53
    else:
        u = float(np.float32(half(key, stream, first) >> 1) + np.float32(0.5)) * 2.0**-31
        v = half(key, stream, second) * 2.0**-32
    return sqrt(-2 * log(u)) * [cos, sin][number % 2](2 * pi * v)


KINDS = list(BY_KIND)


@pytest.mark.parametrize("mode", MODES)
def test_rows_make_numbers_of_words(mode: Any) -> None:
    generator = np.random.default_rng(8)
    key, stream, number = generator.integers(0, 2**64, (3, 400), "uint64")
    number[:100] %= 64
    operands = [T.TensorType("uint64", (None,))(name) for name in "abc"]
    f = function(operands, [BY_KIND[kind](*operands) for kind in KINDS], mode=mode)
    found = dict(zip(KINDS, f(key, stream, number), strict=True))
    given = [tuple(map(int, item)) for item in zip(key, stream, number, strict=True)]
    words, halves = [word(*item) for item in given], [half(*item) for item in given]
    assert found["bits", "uint64"].tolist() == words
    assert found["random", "float64"].tolist() == [(w >> 11) * 2.0**-53 for w in words]
    assert found["random", "float32"].tolist() == [(w >> 8) * 2.0**-24 for w in halves]
    expected = [-log(((w >> 11) + 1) * 2.0**-53) for w in words]
    assert found["exponential", "float64"] == pytest.approx(np.array(expected), rel=1e-15)
    units = [float(np.float32(w >> 1) + np.float32(0.5)) * 2.0**-31 for w in halves]
    expected = [-log(u) for u in units]
    assert found["exponential", "float32"] == pytest.approx(np.array(expected), rel=3e-7)
    for dtype, relative in (("float64", 2e-15), ("float32", 6e-7)):
        expected = [normal(*item, dtype) for item in given]
        assert found["normal", dtype] == pytest.approx(
            np.array(expected), rel=relative, abs=relative
        )
        assert found["normal", dtype].dtype == dtype


def built(text: str, directory: Path, *flags: str) -> ctypes.CDLL:
    """Compile a C text."""
    source, target = directory / "words.c", directory / f"words{''.join(flags)}.so"
    source.write_text("#include <stdint.h>\n" + text)
    chain = find_toolchain(config.cc)
    given = [*chain.flags, *flags, str(source), "-o", str(target), *chain.link_flags]
    subprocess.run([*chain.command, *given], check=True)
    return ctypes.CDLL(str(target))


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


def test_extreme_words_make_finite_numbers(tmp_path: Path) -> None:
    """The functions of words, for words from which no seed is known that makes them."""
    texts = [BLOCKS_TEXT, *NUMBERS_TEXTS.values()]
    calls = """\
void made_f64(uint64_t a, uint64_t b, double *y) {
    const st_normals_f64 pair = st_word_normal_f64(a, b);
    y[0] = pair.first, y[1] = pair.second, y[2] = st_word_exponential_f64(a);
    y[3] = st_word_random_f64(a);
}
void made_f32(uint32_t a, uint32_t b, float *y) {
    const st_normals_f32 pair = st_word_normal_f32(a, b);
    y[0] = pair.first, y[1] = pair.second, y[2] = st_word_exponential_f32(a);
    y[3] = st_word_random_f32(a);
}
"""
    visible = calls.replace("void", '__attribute__((visibility("default"))) void')
    library = built("\n".join([*texts, visible]), tmp_path)
    for bits, real, least, name in (
        (64, ctypes.c_double, 2.0**-53, "made_f64"), (32, ctypes.c_float, 2.0**-32, "made_f32"),
    ):  # fmt: skip
        whole = ctypes.c_uint64 if bits == 64 else ctypes.c_uint32
        made, y = getattr(library, name), (real * 4)()
        for a in (0, 1, 2**bits - 1, 2 ** (bits - 1)):
            u = {0: least, 1: least, 2 ** (bits - 1): 0.5}.get(a, 1.0)
            for eighth in range(8):
                for near in (-1, 0, 1):
                    b = (eighth * 2 ** (bits - 3) + near) % 2**bits
                    made(whole(a), whole(b), y)
                    radius, angle = sqrt(-2 * log(u)), 2 * pi * b / 2**bits
                    close = 8 * float(np.finfo(real).eps)
                    assert y[0] == pytest.approx(radius * cos(angle), abs=close * 8)
                    assert y[1] == pytest.approx(radius * sin(angle), abs=close * 8)
                    assert y[2] == pytest.approx(-log(u), rel=close, abs=close)
                    assert 0 <= y[3] < 1


@pytest.mark.parametrize("kind", KINDS)
def test_arrays_have_the_numbers_of_their_positions(kind: tuple[str, str]) -> None:
    number, n = T.TensorType("uint64", (None,))("number"), T.lscalar("n")
    key, stream = (T.TensorType("uint64", ())(name) for name in ("key", "stream"))
    drawn = PhiloxNumbers(*kind)(key, stream, n)
    one = function([key, stream, number], BY_KIND[kind](key, stream, number))
    f = function([key, stream, n], drawn)
    g = function([key, stream, n], drawn, mode="INTERPRET")
    given = np.uint64(2**63 + 12345), np.uint64(2**40 + 3)
    expected = one(*given, np.arange(300, dtype="uint64"))
    for length in (0, 1, 2, 31, 32, 33, 63, 64, 65, 96, 127, 129, 300):
        assert (f(*given, length) == expected[:length]).all()
        assert (g(*given, length) == expected[:length]).all()
    table = function([key, stream, n], PhiloxNumbers(*kind)(key, stream, n, n + 1))
    for length in (0, 1, 5, 12):
        assert (
            table(*given, length) == expected[: length * (length + 1)].reshape(length, length + 1)
        ).all()
    with pytest.raises(ValueError, match="length -1"):
        f(*given, -1)


@pytest.mark.parametrize("kind", KINDS)
def test_first_numbers_of_streams(kind: tuple[str, str]) -> None:
    n = T.lscalar("n")
    key, stream = (T.TensorType("uint64", ())(name) for name in ("key", "stream"))
    streams = T.TensorType("uint64", (None,))("streams")
    one = function([key, streams], BY_KIND[kind](key, streams, np.uint64(0)))
    given = np.uint64(2**63 + 12345), np.uint64(2**64 - 40)
    for by in (0, 1, 3, 2**62):
        drawn = FirstPhiloxNumbers(*kind, by)(key, stream, n)
        f = function([key, stream, n], drawn)
        g = function([key, stream, n], drawn, mode="INTERPRET")
        expected = one(given[0], given[1] + np.arange(100, dtype="uint64") * np.uint64(by))
        for length in (0, 1, 3, 4, 15, 16, 17, 64, 99):
            assert (f(*given, length) == expected[:length]).all()
            assert (g(*given, length) == expected[:length]).all()
        with pytest.raises(ValueError, match="length -1"):
            f(*given, -1)
    with pytest.raises(ValueError, match="do not grow by -1"):
        FirstPhiloxNumbers(*kind, -1)


@pytest.mark.parametrize("mode", MODES)
def test_too_many_numbers(mode: Any) -> None:
    key, stream = (T.TensorType("uint64", ())(name) for name in ("key", "stream"))
    n, m = T.lscalars("n", "m")
    first = function([key, stream, n], FirstPhiloxNumbers("random", "float64", 3)(key, stream, n),
                     mode=mode)  # fmt: skip
    row = function([key, stream, n], PhiloxNumbers("random", "float64")(key, stream, n), mode=mode)
    table = function([key, stream, n, m], PhiloxNumbers("random", "float64")(key, stream, n, m),
                     mode=mode)  # fmt: skip
    for length in (2**62, 2**63 - 1):
        for f in (first, row):
            with pytest.raises(MemoryError, match="not enough memory"):
                f(1, 2, length)
    for lengths in ((2**32, 2**32), (2**63 - 1, 3), (3, 2**62)):
        with pytest.raises(MemoryError, match=r"not enough memory|too large"):
            table(1, 2, *lengths)


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


def test_wrong_arguments_are_refused() -> None:
    key = T.TensorType("uint64", ())("key")
    with pytest.raises(ValueError, match="no 'random' numbers of dtype 'int64'"):
        PhiloxNumbers("random", "int64")
    for wrong in (T.lscalar("n"), T.TensorType("uint64", (None,))("v")):
        with pytest.raises(TypeError):
            PhiloxNumbers("random", "float64")(key, wrong, 3)


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

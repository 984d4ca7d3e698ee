"""Philox: published vectors, an independent implementation, and what is drawn from it."""

from __future__ import annotations

from math import cos, log, pi, sin, sqrt
from typing import Any

import numpy as np
import pytest
from scipy import stats

import symtheano.tensor as T
from symtheano import function, grad, scan
from symtheano.scalar.philox import philox_first, philox_second
from symtheano.tensor.random import PhiloxStreams

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


@pytest.mark.parametrize("mode", MODES)
def test_published_vectors(mode: Any) -> None:
    x = T.TensorType("uint64", (None,))("x")
    f = function([x], [philox_first(x[0], x[1], x[2]), philox_second(x[0], x[1], x[2])], mode=mode)
    for counter, key, result in VECTORS:
        c, k, r = ([int(v, 16) for v in text.split()] for text in (counter, key, result))
        given = [k[0] | k[1] << 32, c[2] | c[3] << 32, c[0] | c[1] << 32]
        found = f(np.array(given, "uint64"))
        assert [int(v) for v in found] == [r[0] | r[1] << 32, r[2] | r[3] << 32]
        assert philox(*given) == r


@pytest.mark.parametrize("mode", MODES)
def test_numbers_are_functions_of_key_stream_and_index(mode: Any) -> None:
    for seed in (0, 42, 2**64 - 1):
        srng = PhiloxStreams(seed)
        made = [
            srng.uniform((2, 3), dtype="float64"), srng.uniform((5,), dtype="float32"),
            srng.normal((5,), dtype="float64"), srng.random_integers((4,), -3, 5),
            srng.random_integers((2,), -(2**63), 2**63 - 1),
        ]  # fmt: skip
        f = function([], made, mode=mode)
        for call in range(2):
            a, b, c, d, e = f()
            streams = [number * 2**40 + call for number in range(5)]
            words = [[word(seed, s, i) for i in range(6)] for s in streams]
            assert a.ravel().tolist() == [(w >> 11) * 2.0**-53 for w in words[0]]
            assert b.tolist() == [(w >> 40) * 2.0**-24 for w in words[1][:5]]
            u = [((w >> 11) + 1) * 2.0**-53 for w in words[2]]
            v = [2 * pi * (w >> 11) * 2.0**-53 for w in words[2]]
            expected = [
                sqrt(-2 * log(u[i - i % 2])) * [cos, sin][i % 2](v[i - i % 2 + 1]) for i in range(5)
            ]
            assert c == pytest.approx(np.array(expected), rel=1e-13, abs=1e-15)
            assert d.tolist() == [w % 9 - 3 for w in words[3][:4]]
            assert e.tolist() == [w - 2**63 for w in words[4][:2]]


def test_numbers_do_not_depend_on_the_length() -> None:
    srng = PhiloxStreams(1)
    n = T.lscalar("n")
    for drawn in (srng.normal((n,)), srng.uniform((n,)), srng.exponential((n,))):
        f = function([n], drawn, no_default_updates=True)
        assert (f(7) == f(10)[:7]).all()
        assert f(0).shape == (0,)


def test_draws_are_fused_and_computed_again_for_gradients() -> None:
    srng = PhiloxStreams(1)
    x = T.dmatrix("x")
    noisy = (x * (1 + srng.normal(x.shape, dtype="float64"))).sum()
    f = function([x], [noisy, grad(noisy, x)])
    z = function([], PhiloxStreams(1).normal((50, 40), dtype="float64"))()
    value = np.linspace(-1, 1, 2000).reshape(50, 40)
    found, slope = f(value)
    assert slope == pytest.approx(1 + z)
    assert found == pytest.approx((value * (1 + z)).sum())
    total = function([x], noisy)
    summary = total.c_source.partition("\nST_EXPORT")[0].rpartition("/* function")[2]
    assert "reads x_d0*x_d1*8" in summary
    assert "workspace" not in summary


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

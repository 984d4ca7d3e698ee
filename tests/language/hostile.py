"""Expressions that take lengths, counts, shapes and steps, and numbers that are hostile to them.

Each line is evaluated with symtheano's functions and variables, and with NumPy's functions and
the numbers of a call. Outputs are whole arrays, or parts of them: a loop over 2**44 elements that
stores nothing is correct, and takes hours.
"""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np

HOSTILE = (
    *(2**31 - 1, 2**31, 2**32, 2**44, 2**53, 2**62, 2**63 - 1, -(2**63), -1, 0, 1),
    *(2, 3, 5, -2, -3, 2**31 + 1, 2**44 + 1, 2**61, 2**61 + 1, 2**62 - 1, 2**62 + 1),
    *(-(2**31), -(2**62), -(2**63) + 1, 2**63 - 2, 2**60 + 1, 3037000500, 2**42),
)
"""Limits of integers, sizes and sums that are just above them, and small numbers."""

FLOATS = (
    *(0.0, 1.0, -1.0, 0.5, np.nan, np.inf, -np.inf, 1e300, -1e300, 1e-300),
    *(2.0**62, 2.0**63, -(2.0**63), 2.0**53, 2.0**44),
)

# The same expression in NumPy, with np for T.
_SAME = """
T.fft.fft(x, n)
T.fft.ifft(x, n)
T.fft.fftfreq(n)
T.zeros((n,))
T.zeros((n, k), dtype='int8')
T.ones((n, k, l), dtype='int8')
T.full((n, k), 2.0)
T.empty((n, 0, k))
T.eye(n, k, l)
T.eye(n)
T.tri(n, k, l)
T.tril(m, n)
T.triu(m, n)
T.tril_indices(n % 5, k, l % 7)[0]
T.triu_indices(n % 5, k)[1]
T.diag_indices(n)[0]
T.arange(a, b, s)
T.arange(0, b)
T.linspace(0, 1, n)
T.linspace(a, b, 3)
T.logspace(0, 1, n)
T.geomspace(1, 2, n)
T.tile(x, (n,))
T.tile(x, (n, k))
T.tile(m, (n, k, l))
T.bincount(v % 3, minlength=n)
T.roll(x, n)
T.roll(m, (n, k), (0, 1))
T.broadcast_to(x, (n, x.shape[0]))[:1]
T.pad(x, (n, k))
T.pad(x, n, mode='edge')
T.pad(x, (1, n), mode='wrap')
T.pad(m, ((n, 0), (0, k)), mode='reflect')
T.pad(x, (n, 1), mode='symmetric')
T.pad(x, (n, 2), mode='linear_ramp')
T.pad(x, (n, 2), mode='mean')
T.unravel_index(v, (n, k))[0]
T.bartlett(n)
T.hamming(n)
T.blackman(n)
T.hanning(n)
T.take(x, v)
T.outer(T.ones((n,)), T.ones((k,)))
T.tensordot(T.zeros((n, 1)), T.zeros((1, k)), 1)
T.dot(T.zeros((n, 1)), T.zeros((1, k)))
T.meshgrid(T.zeros((n,)), T.zeros((k,)))[0]
T.outer(x, x)
T.kron(x, x)
T.cumsum(m, axis=0)
T.sort(m, axis=0)
T.digitize(x, x[:0])
T.concatenate([m, m], axis=1)
T.stack([m, m, m])
T.percentile(x, n % 100)
x[n:k:l]
x[::n]
x[n::k]
x[:n:-2]
x[n]
m[n:, ::k]
m[n, k]
m[:, ::n]
x[v]
m[v, v]
m.T + 1
m.flatten()
x[:, None] + x[None]
"""
# Expressions of symtheano, and of NumPy.
_OWN = """
T.arange(n) -> ranged(0, n, 1)
T.arange(0, 10, n) -> ranged(0, 10, n)
T.arange(n, k) -> ranged(n, k, 1)
T.arange(n, k, l) -> ranged(n, k, l)
T.alloc(2.0, n, k, l) -> np.full((n, k, l), 2.0)
T.alloc(x, n, x.shape[0]) -> np.array(np.broadcast_to(x, (n, x.shape[0])))
T.set_subtensor(x[n:k:l], 9.0) -> put(x, slice(n, k, l))
T.set_subtensor(x[::n], 9.0) -> put(x, slice(None, None, n))
T.set_subtensor(x[n:], 9.0) -> put(x, slice(n, None))
T.set_subtensor(x[k::-2], 9.0) -> put(x, slice(k, None, -2))
T.set_subtensor(x[n], 9.0) -> put(x, n)
T.join(0, T.zeros((n,)), T.zeros((k,)), x) -> np.concatenate([np.zeros(n), np.zeros(k), x])
T.join(1, T.zeros((2, n)), T.zeros((2, k))) -> np.hstack([np.zeros((2, n)), np.zeros((2, k))])
T.fft.rfft1(x, n) -> np.fft.rfft(x, n)
T.fft.irfft1(x, n) -> np.fft.irfft(x, n)
T.alloc_diag(x, n) -> np.diagflat(x, n)
T.kron(x, T.ones((n,))) -> np.kron(x, np.ones(n))
"""
# What NumPy does not have, or does in another way. Its `repeat`, `bincount` and
# `diagonal` crash.
_ALONE = """
T.take(m, v, axis=1)
T.argpartition(x, n)
T.partition(x, n)
T.bincount(v)
T.reshape(x, (n, k, -1))
T.reshape(x, (n, k))
x + T.zeros((n,))
T.ravel_multi_index((v, v), (n, k))
T.quantile(x, a)
T.diag(x, n)
T.reshape(m, (n, -1))
T.repeat(x, v)
T.repeat(m, n, axis=1)
T.repeat(x, n)
T.trace(m, n)
T.diagonal(m, n)
T.diag(m, n)
T.set_subtensor(T.zeros((n,))[:3], 1.0)
T.join(0, *[T.zeros((n,))] * 4, x)
T.join(0, x, T.zeros((n,)), T.zeros((n,))).shape[0]
T.extra_ops.to_one_hot(v % 3, n)
T.split(x, [n, k], 2)[0]
T.specify_shape(x, (n,))
T.topk(x, n)
T.argtopk(x, n)
T.fill_diagonal_offset(m, 1.0, n)
T.fft.rfftfreq(n)
T.fft.fftn(m, (n, k))
T.batched_dot(T.zeros((2, n, 1)), T.zeros((2, 1, k)))
T.sort(T.zeros((n, 2)), axis=0)[:1]
T.cumsum(T.ones((n,)))[:2]
T.zeros((n, k)).sum(0)
T.arange(n)[:2]
(T.arange(n)[:, None] * T.ones((1, 1)) + T.arange(k)[None, :])[:2, :2]
T.zeros((n, k)).size
T.zeros((n, k)).flatten().shape
T.fill(T.zeros((n, k)), 1.0)[:1, :1]
T.stack([T.zeros((n,))] * 3)[0, :2]
T.mgrid[0:n, 0:k][0][:1, :1]
"""


def _lines() -> dict[str, str | None]:
    """Return NumPy's expression for each of symtheano's, if there is one."""
    lines: dict[str, str | None] = {}
    for text in _SAME.strip().splitlines():
        lines[text] = re.sub(r"\bT\.", "np.", text)
    for pair in _OWN.strip().splitlines():
        mine, its = pair.split(" -> ")
        lines[mine] = its
    return lines | dict.fromkeys(_ALONE.strip().splitlines())


LINES = _lines()


def put(x: Any, key: Any) -> Any:
    """Return a copy of an array with 9 in a part."""
    changed = np.array(x)
    changed[key] = 9.0
    return changed


def ranged(start: int, stop: int, step: int) -> Any:
    """Return an exact range: NumPy computes its length with floats."""
    numbers = range(start, stop, step)
    if (stop - start) // step > 2**24:
        raise MemoryError
    return np.array(numbers, "int64")


class Numbers:
    """Arguments of a call, the same ones for each seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def length(self) -> int:
        return self.random.choice(HOSTILE)

    def arguments(self, used: set[str]) -> dict[str, Any]:
        """Return a value for each name; arrays that are not used are small."""
        pick = self.random.choice
        counts = [
            pick(HOSTILE) if self.random.random() < 0.5 else pick((0, 1, 2)) for _ in range(4)
        ]
        return {
            "n": self.length(), "k": self.length(), "l": self.length(),
            "a": pick(FLOATS), "b": pick(FLOATS), "s": pick(FLOATS),
            "x": self.vector() if "x" in used else np.zeros(1),
            "m": self.matrix() if "m" in used else np.zeros((1, 1)),
            "v": np.array(counts[: pick((0, 1, 4))], "int64"),
        }  # fmt: skip

    def vector(self) -> Any:
        if self.random.random() < 0.1:
            return np.broadcast_to(1.5, (self.random.choice((2**40, 2**44)),))
        return np.arange(float(self.random.choice((0, 1, 4, 8))))

    def matrix(self) -> Any:
        """Return a small matrix, one without elements, or one element that is repeated."""
        pick = self.random.choice
        shape = pick(((2, 3), (3, 3), (0, 3), (0, 2**44), (2**44, 0), (2**40, 3), (3, 2**40)))
        if 2**40 in shape:
            return np.broadcast_to(1.5, shape)
        return np.arange(float(shape[0] * shape[1])).reshape(shape)

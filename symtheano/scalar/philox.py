"""Numbers made by Philox 4x32-10, a function from a key and a counter to 128 random bits.

J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw (2011), "Parallel random numbers: as easy as
1, 2, 3". The key has 64 bits. The counter has 128: the low half is the number of a block, and the
high half that of a *stream*. The blocks of a stream, one after the other, are its words of 64 bits,
and their halves, low ones first, its words of 32 bits. Number ``i`` of a stream is made of

- word ``i``, of 64 bits for float64 and of 32 bits for float32, if it is uniform or exponential;
- words ``2 (i // 2)`` and ``2 (i // 2) + 1``, if it is normal: numbers ``2 k`` and ``2 k + 1`` are
  the pair of G. E. P. Box and M. E. Muller (1958), "A note on the generation of random normal
  deviates".

There is a row for each kind of number, with the operands key, stream and ``i``. Arrays of numbers
are drawn by a routine, which computes each block once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from symtheano.scalar import row, words
from symtheano.scalar.row import ScalarOp, Signature
from symtheano.scalar.texts import text_of

Array = np.ndarray[Any, Any]

_FACTORS = (0xD2511F53, 0xCD9E8D57)
_KEY_STEPS = (0x9E3779B9, 0xBB67AE85)
_ROUNDS = 10
_HALF = np.uint64(0xFFFFFFFF)
_SHIFT = np.uint64(32)
_ONE = np.uint64(1)


def _blocks(key: Array, stream: Array, block: Array) -> tuple[Array, Array]:
    """Return the two words of blocks, for arrays of uint64."""
    c0, c1, c2, c3 = block & _HALF, block >> _SHIFT, stream & _HALF, stream >> _SHIFT
    k0, k1 = key & _HALF, key >> _SHIFT
    first, second = map(np.uint64, _FACTORS)
    for number in range(_ROUNDS):
        if number:
            k0, k1 = (
                (k0 + np.uint64(_KEY_STEPS[0])) & _HALF,
                (k1 + np.uint64(_KEY_STEPS[1])) & _HALF,
            )
        a, b = first * c0, second * c2
        c0, c1, c2, c3 = (b >> _SHIFT) ^ c1 ^ k0, b & _HALF, (a >> _SHIFT) ^ c3 ^ k1, a & _HALF
    return c0 | c1 << _SHIFT, c2 | c3 << _SHIFT


def _words(key: Array, stream: Array, number: Array) -> Array:
    """Return words of 64 bits."""
    first, second = _blocks(key, stream, number >> _ONE)
    return np.where(number & _ONE, second, first)


def _halves(key: Array, stream: Array, number: Array) -> Array:
    """Return words of 32 bits, as uint64."""
    both = _words(key, stream, number >> _ONE)
    return np.where(number & _ONE, both >> _SHIFT, both & _HALF)


def _normal(dtype: str, key: Array, stream: Array, number: Array) -> Array:
    pair, odd = number >> _ONE, (number & _ONE).astype("int64")
    if dtype == "float64":
        return words.normal(*_blocks(key, stream, pair), odd, dtype)
    both = _words(key, stream, pair)
    return words.normal(both & _HALF, both >> _SHIFT, odd, dtype)


BLOCKS_TEXT = text_of("philox.c")
"""The C text of Philox."""

NUMBERS_TEXTS = {"float64": text_of("philox_f64.c"), "float32": text_of("philox_f32.c")}
"""The C texts of functions that make numbers of words, by dtype; they need the other text."""


def _row(name: str, dtype: str, cost: int, numpy: Callable[..., Array], doc: str) -> ScalarOp:
    """Return the row of a kind of numbers."""
    arguments, suffix = "({0}, {1}, {2})", {"float64": "f64", "float32": "f32"}.get(dtype, "")
    called = f"st_philox_one_{name}_{suffix}{arguments}"
    if name != "normal":
        called = f"st_philox_u{dtype[-2:]}{arguments}"
    if name in ("random", "exponential"):
        called = f"st_word_{name}_{suffix}({called})"

    def signature(operands: tuple[str, ...]) -> Signature:
        row.integers(operands)
        return Signature(("uint64",) * 3, dtype)

    return ScalarOp(
        name=f"philox_{name}_{suffix or 'u64'}",
        nin=3,
        numpy=lambda *operands: numpy(*operands).astype(dtype),
        signature=signature,
        c={"u": called},
        helpers={"u": (BLOCKS_TEXT, NUMBERS_TEXTS[dtype]) if suffix else BLOCKS_TEXT},
        pullback=lambda g, y, *operands: [None] * 3,
        cost=cost,
        doc=f"{doc} for a key, a stream and a number.",
    )


BY_KIND = {
    (name, dtype): _row(name, dtype, cost, numpy, doc)
    for name, dtype, cost, numpy, doc in (
        ("bits", "uint64", 60, _words, "The word of 64 bits of Philox"),
        ("random", "float64", 65, lambda *x: words.uniform(_words(*x), "float64"),
         "The float64 number of Philox from [0, 1)"),
        ("random", "float32", 65, lambda *x: words.uniform(_halves(*x), "float32"),
         "The float32 number of Philox from [0, 1)"),
        ("exponential", "float64", 100, lambda *x: words.exponential(_words(*x), "float64"),
         "The float64 exponential number of Philox"),
        ("exponential", "float32", 90, lambda *x: words.exponential(_halves(*x), "float32"),
         "The float32 exponential number of Philox"),
        ("normal", "float64", 150, partial(_normal, "float64"),
         "The float64 normal number of Philox"),
        ("normal", "float32", 120, partial(_normal, "float32"),
         "The float32 normal number of Philox"),
    )
}  # fmt: skip
"""The rows by kind (``bits``, ``random``, ``exponential``, ``normal``) and dtype."""

ROWS = tuple(BY_KIND.values())
"""The kinds of numbers."""

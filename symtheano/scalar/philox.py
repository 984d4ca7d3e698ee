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

import os
from collections.abc import Callable
from math import pi
from typing import Any

import numpy as np

from symtheano.scalar import row
from symtheano.scalar.row import ScalarOp, Signature

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
    words = _words(key, stream, number >> _ONE)
    return np.where(number & _ONE, words >> _SHIFT, words & _HALF)


def _uniform(words: Array) -> Array:
    return np.asarray((words >> np.uint64(11)).astype("float64") * 2.0**-53)


def _uniform_f32(words: Array) -> Array:
    return np.asarray((words >> np.uint64(8)).astype("float32") * np.float32(2.0**-24))


def _exponential(words: Array) -> Array:
    return np.asarray(0 - np.log(((words >> np.uint64(11)) + _ONE).astype("float64") * 2.0**-53))


def _exponential_f32(words: Array) -> Array:
    """Return numbers in float64."""
    whole = (words >> _ONE).astype("float32") + np.float32(0.5)
    return np.asarray(0 - np.log(whole.astype("float64") * 2.0**-31))


def _normal(exponential: Array, quarters: Array, number: Array) -> Array:
    """Return a number of each pair: the sine for odd ``number``, for an angle in quarter turns."""
    whole = np.rint(quarters)
    rest = pi / 2 * (quarters - whole)
    sine, cosine = np.sin(rest), np.cos(rest)
    # The sine is the cosine of an angle that is a quarter of a turn smaller.
    turned = (whole.astype("int64") - (number & _ONE).astype("int64")) % 4
    return np.asarray(np.sqrt(2 * exponential) * np.choose(turned, (cosine, -sine, -cosine, sine)))


def _normal_f64(key: Array, stream: Array, number: Array) -> Array:
    first, second = _blocks(key, stream, number >> _ONE)
    return _normal(_exponential(first), 4 * _uniform(second), number)


def _normal_f32(key: Array, stream: Array, number: Array) -> Array:
    words = _words(key, stream, number >> _ONE)
    quarters = (words >> _SHIFT).astype("float64") * 2.0**-30
    return _normal(_exponential_f32(words & _HALF), quarters, number)


def _text(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


BLOCKS_TEXT = _text("philox.c")
"""The C text of Philox."""

NUMBERS_TEXTS = {"float64": _text("philox_f64.c"), "float32": _text("philox_f32.c")}
"""The C texts of functions that make numbers of words, by dtype; they need the other text."""


def _row(name: str, dtype: str, cost: int, numpy: Callable[..., Array], doc: str) -> ScalarOp:
    """Return the row of a kind of numbers."""
    given, suffix = "({0}, {1}, {2})", {"float64": "f64", "float32": "f32"}.get(dtype, "")
    called = f"st_philox_one_{name}_{suffix}{given}"
    if name != "normal":
        called = f"st_philox_u{dtype[-2:]}{given}"
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
        needs=(BLOCKS_TEXT,),
        helpers={"u": NUMBERS_TEXTS[dtype]} if suffix else {},
        pullback=lambda g, y, *operands: [None] * 3,
        cost=cost,
        doc=f"{doc} for a key, a stream and a number.",
    )


BY_KIND = {
    (name, dtype): _row(name, dtype, cost, numpy, doc)
    for name, dtype, cost, numpy, doc in (
        ("bits", "uint64", 60, _words, "The word of 64 bits of Philox"),
        ("random", "float64", 65, lambda *x: _uniform(_words(*x)),
         "The float64 number of Philox from [0, 1)"),
        ("random", "float32", 65, lambda *x: _uniform_f32(_halves(*x)),
         "The float32 number of Philox from [0, 1)"),
        ("exponential", "float64", 100, lambda *x: _exponential(_words(*x)),
         "The float64 exponential number of Philox"),
        ("exponential", "float32", 90, lambda *x: _exponential_f32(_halves(*x)),
         "The float32 exponential number of Philox"),
        ("normal", "float64", 150, _normal_f64, "The float64 normal number of Philox"),
        ("normal", "float32", 120, _normal_f32, "The float32 normal number of Philox"),
    )
}  # fmt: skip
"""The rows by kind (``bits``, ``random``, ``exponential``, ``normal``) and dtype."""

ROWS = tuple(BY_KIND.values())
"""The kinds of numbers."""

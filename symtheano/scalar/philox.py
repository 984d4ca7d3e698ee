"""Philox 4x32-10, a function from a key and a counter to 128 random bits.

J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw (2011), "Parallel random numbers: as easy as
1, 2, 3". The key has 64 bits. The counter has 128: the low half is the number of a block, and the
high half that of a stream. Two rows return the halves of the random bits, and others make numbers
of them: each is one row, or rules for products would be applied to its logarithm.
"""

from __future__ import annotations

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


def _blocks(key: Array, stream: Array, block: Array) -> tuple[Array, Array]:
    """Return the two halves of the bits, for arrays of uint64."""
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


def _words(operands: tuple[str, ...]) -> Signature:
    """Three uint64, and a uint64 as the result."""
    row.integers(operands)
    return Signature(("uint64",) * 3, "uint64")


# The rounds are not a loop, because compilers vectorize no loop around another one.
_ROUND = f"""\
    a = c0 * {_FACTORS[0]:#x}u, b = c2 * {_FACTORS[1]:#x}u;
    c0 = b >> 32 ^ c1 ^ (key + KEY_0 & 0xffffffff), c1 = b & 0xffffffff;
    c2 = a >> 32 ^ c3 ^ ((key >> 32) + KEY_1 & 0xffffffff), c3 = a & 0xffffffff;
"""

_TEXT = (
    """\
/* Philox 4x32-10 (Salmon et al. 2011), on words of 32 bits. */
typedef struct { uint64_t first, second; } st_philox_bits;

static inline __attribute__((always_inline)) st_philox_bits st_philox(uint64_t key, uint64_t stream,
                                                                      uint64_t block) {
    uint64_t c0 = block & 0xffffffff, c1 = block >> 32, c2 = stream & 0xffffffff, c3 = stream >> 32;
    uint64_t a, b;
"""
    + "".join(
        _ROUND.replace("KEY_0", f"{k * _KEY_STEPS[0] % 2**32:#x}u").replace(
            "KEY_1", f"{k * _KEY_STEPS[1] % 2**32:#x}u"
        )
        for k in range(_ROUNDS)
    )
    + """\
    return (st_philox_bits){c0 | c1 << 32, c2 | c3 << 32};
}
"""
)


def _row(half: str, number: int) -> ScalarOp:
    return ScalarOp(
        name=f"philox_{half}",
        nin=3,
        numpy=lambda key, stream, block: _blocks(key, stream, block)[number],
        signature=_words,
        c={"u": f"st_philox({{0}}, {{1}}, {{2}}).{half}"},
        helpers={"u": _TEXT},
        pullback=lambda g, y, *operands: [None] * 3,
        cost=60,
        doc=f"The {half} 64 random bits of Philox for a key, a stream and the number of a block.",
    )


# Processors before AVX-512 convert no vectors of integers of 64 bits.
_WHOLE = """\
/* An integer of at most 53 bits as a double: its halves become the low bits of 2^84 and of 2^52. */
static inline double st_whole(uint64_t x) {
    union { uint64_t bits; double value; } high, low;
    high.bits = x >> 32 | 0x4530000000000000u;
    low.bits = (x & 0xffffffff) | 0x4330000000000000u;
    return high.value - (0x1p84 + 0x1p52) + low.value;
}
"""


def _unit(name: str, dtype: str, bits: int, first: int, doc: str) -> ScalarOp:
    """Return a row for ``(x + first) / 2**bits``, where x are the highest bits of a word."""
    shift, factor = 64 - bits, np.dtype(dtype).type(2.0**-bits)
    more = f" + {first}" if first else ""
    whole = f"({{0}} >> {shift}){more}"
    converted = f"st_whole({whole}) * 0x1p-{bits}"
    if dtype == "float32":
        converted = f"(float)((int32_t)({whole})) * 0x1p-{bits}f"

    def convert(words: Array) -> Array:
        numbers = (words >> np.uint64(shift)).astype("int64") + first
        return np.asarray(numbers.astype(dtype) * factor)

    def signature(operands: tuple[str, ...]) -> Signature:
        row.integers(operands)
        return Signature(("uint64",), dtype)

    return ScalarOp(
        name=name,
        nin=1,
        numpy=convert,
        signature=signature,
        c={"u": converted},
        helpers={"u": _WHOLE} if dtype == "float64" else {},
        pullback=lambda g, y, x: [None],
        cost=3,
        doc=doc,
    )


unit_f64 = _unit("unit_f64", "float64", 53, 0, "The float64 number from [0, 1) of 53 bits.")
unit_f32 = _unit("unit_f32", "float32", 24, 0, "The float32 number from [0, 1) of 24 bits.")
positive_unit_f64 = _unit("positive_unit_f64", "float64", 53, 1, "As unit_f64, from (0, 1].")
positive_unit_f32 = _unit("positive_unit_f32", "float32", 24, 1, "As unit_f32, from (0, 1].")

philox_first = _row("first", 0)
philox_second = _row("second", 1)

ROWS = (
    philox_first, philox_second, unit_f64, unit_f32, positive_unit_f64, positive_unit_f32,
)  # fmt: skip

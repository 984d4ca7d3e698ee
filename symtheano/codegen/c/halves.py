"""Half precision in loops that compute more than sums and products: floats with rounded values.

Few processors compute with halves, and compilers convert them one at a time, so that such a loop
fills no vectors. In these loops the values are floats, which are rounded to halves after each
operation by integer arithmetic on their bits. The results are the same.
"""

from __future__ import annotations

from symtheano.loopir.nodes import Assign, For, Let, LetIndex, Load, Store
from symtheano.scalar.table import TABLE

# Processors that compute with halves are faster with these.
_NATIVE = frozenset(("add", "sub", "mul", "sqr", "neg", "abs"))
# Their results are among their operands, or exact.
_EXACT = frozenset(("neg", "abs", "switch", "maximum", "minimum", "larger", "smaller", "identity"))
_DOUBLE = ("float64", "complex64", "complex128")

HALF_HELPERS = """\
/* Halves as floats: a float with the value of a half, the float rounded to a half (the nearest one,
   or the even one of two), and the half that has the value of a float. */
#define ST_HALF static inline __attribute__((always_inline))

ST_HALF uint32_t st_half_bits(float value) {
    uint32_t bits;
    __builtin_memcpy(&bits, &value, 4);
    return bits;
}

ST_HALF float st_half_float(uint32_t bits) {
    float value;
    __builtin_memcpy(&value, &bits, 4);
    return value;
}

ST_HALF float st_half_load(const void *place) {
    uint16_t half;
    __builtin_memcpy(&half, place, 2);
    const uint32_t moved = (uint32_t)(half & 0x7fff) << 13;  /* the exponent is 112 too small */
    const uint32_t finite = st_half_bits(st_half_float(moved) * 0x1p112f);
    const uint32_t bits = (int32_t)moved >= 0x0f800000 ? moved | 0x7f800000u : finite;
    return st_half_float(bits | (uint32_t)(half & 0x8000) << 16);
}

ST_HALF float st_half_round(float value) {
    const uint32_t size = st_half_bits(value) & 0x7fffffffu;
    const uint32_t usual = (size + 0xfffu + ((size >> 13) & 1u)) & ~0x1fffu;
    /* below 2**-14, halves are the multiples of 2**-24, as floats from 0.5 to 1 are */
    const uint32_t small = st_half_bits((st_half_float(size) + 0.5f) - 0.5f);
    uint32_t bits = (int32_t)size < 0x38800000 ? small : usual;
    bits = (int32_t)usual >= 0x47800000 ? 0x7f800000u : bits;
    bits = (int32_t)size > 0x7f800000 ? size : bits;
    return st_half_float(bits | (st_half_bits(value) & 0x80000000u));
}

ST_HALF void st_half_store(void *place, float value) {
    const uint32_t bits = st_half_bits(value), size = bits & 0x7fffffffu;
    const uint32_t finite = st_half_bits(st_half_float(size) * 0x1p-112f) >> 13;
    const uint32_t special = (int32_t)size > 0x7f800000 ? 0x7e00u : 0x7c00u;
    const uint32_t moved = (int32_t)size >= 0x7f800000 ? special : finite;
    const uint16_t half = (uint16_t)(moved | (bits >> 16 & 0x8000u));
    __builtin_memcpy(place, &half, 2);
}
"""


def widens_halves(loop: For) -> bool:
    """Return whether a loop computes with halves as floats."""
    if "simd" not in loop.kind:
        return False
    found = False
    for s in loop.body:
        if not isinstance(s, Let | LetIndex | Load | Store | Assign):
            return False
        if isinstance(s, Assign) and s.target.dtype == "float16":
            return False
        if isinstance(s, Let):
            dtypes = [s.target.dtype, *(operand.dtype for operand in s.arguments)]
            if "float16" not in dtypes:
                continue
            if any(dtype in _DOUBLE for dtype in dtypes):
                return False  # these are rounded once, not through float
            row = TABLE.get(s.op)
            if row is not None and row.external:
                return False
            found |= s.op not in _NATIVE
    return found


def is_exact(s: Let) -> bool:
    """Return whether a result needs no rounding."""
    halves = all(operand.dtype in ("float16", "bool") for operand in s.arguments)
    return s.op in _EXACT and halves

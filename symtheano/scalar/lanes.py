"""Rows that loops in vectors use: sums of lanes, and halves that are computed as floats."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.scalar.evaluation import silently
from symtheano.scalar.row import ScalarOp, floating_real

HALVES = """\
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
"""C text of the functions that load, round and store halves."""

VECTORS = """\
/* Vectors of four elements; those in memory have the alignment of an element. */
typedef float st_f32v __attribute__((vector_size(16), aligned(4), may_alias));
typedef double st_f64v __attribute__((vector_size(32)));
typedef double st_f64m __attribute__((vector_size(32), aligned(8), may_alias));
#define ST_VECTOR static inline __attribute__((always_inline))

/* gcc 12 makes one instruction of this, but several of __builtin_convertvector. */
ST_VECTOR st_f64v st_widened(st_f32v v) { return (st_f64v){v[0], v[1], v[2], v[3]}; }
ST_VECTOR double st_total(st_f64v v) { return (v[0] + v[1]) + (v[2] + v[3]); }
"""
"""C text of the types of vectors, and of their functions."""


def _rounded(x: Any) -> Any:
    return np.asarray(x).astype("float16").astype("float32")


round_half = ScalarOp(
    name="round_half",
    nin=1,
    numpy=silently(_rounded),
    signature=floating_real,
    c={"f": "st_half_round({0})"},
    helpers={"f": HALVES},
    doc="The half that is nearest to a float32, as a float32.",
)

total_of_lanes = ScalarOp(
    name="total_of_lanes",
    nin=1,
    numpy=silently(lambda v: (v[..., 0] + v[..., 1]) + (v[..., 2] + v[..., 3])),
    signature=floating_real,
    c={"f": "st_total({0})"},
    helpers={"f": VECTORS},
    doc="The sum of a vector's elements.",
)

ROWS = (round_half, total_of_lanes)

"""Numbers made of random words, in NumPy: the same bits as of the C functions.

Those are in ``philox_f64.c`` and ``philox_f32.c``, which show the same operations in the same
order. All of them are rounded to the nearest number on any processor: no functions of libraries, no
fused multiplications and additions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

_HALF_ROOT = {"float64": float.fromhex("0x1.6a09e667f3bcdp-1"), "float32": 11863283 / 2**24}
"""The square root of 1/2, rounded."""


def _numbers(text: str) -> list[float]:
    return [float.fromhex(item) for item in text.split()]


_LOG_2 = {"float64": float.fromhex("0x1.62e42fefa39efp-1"), "float32": 0x162E430 / 2**25}
_LOG = {
    "float64": _numbers(
        "0x1.5555555555593p-1 0x1.999999997f9f4p-2 0x1.249249422a8d8p-2 "
        "0x1.c71c51d7900acp-3 0x1.746649bd98902p-3 0x1.39a093f521a2fp-3 0x1.2f1191c469366p-3"
    ),
    "float32": _numbers(
        "-0x1.fffffap-2 0x1.5556f6p-2 -0x1.0004c8p-2 0x1.98d22cp-3 "
        "-0x1.535322p-3 0x1.318042p-3 -0x1.25502ep-3 0x1.66a978p-4"
    ),
}
_SINE = {
    "float64": _numbers(
        "0x1.921fb54442d18p+0 -0x1.4abbce625bdaep-1 0x1.466bc6774afc5p-4 "
        "-0x1.32d2ccd46940dp-8 0x1.507821d3aa23ap-13 -0x1.e2f3efbcbf806p-19 0x1.dfc54ad232b94p-25"
    ),
    "float32": _numbers("0x1.921fb6p+0 -0x1.4abc24p-1 0x1.4680a6p-4 -0x1.331a0ep-8"),
}
_COSINE = {
    "float64": _numbers(
        "-0x1.3bd3cc9be45dep+0 0x1.03c1f081b5a52p-2 -0x1.55d3c7e3bfe53p-6 "
        "0x1.e1f50675b163cp-11 -0x1.a6d1e238223d6p-16 0x1.f9c4acf1c9d94p-22 -0x1.b03413c143356p-28"
    ),
    "float32": _numbers("-0x1.3bd3ccp+0 0x1.03c1aep-2 -0x1.55b132p-6 0x1.d46d74p-11"),
}


def uniform(words: Array, dtype: str) -> Array:
    """Return numbers from [0, 1) for words of 64 bits, or for float32 of 32 bits, as uint64."""
    unused, unit = (11, 2.0**-53) if dtype == "float64" else (8, 2.0**-24)
    return np.asarray((words >> np.uint64(unused)).astype(dtype) * unit)


def exponential(words: Array, dtype: str) -> Array:
    """Return exponential numbers with mean 1."""
    if dtype == "float64":
        return _minus_log(((words >> np.uint64(11)) + np.uint64(1)).astype(dtype) * 2.0**-53)
    return _minus_log(((words >> np.uint64(1)).astype(dtype) + np.float32(0.5)) * 2.0**-31)


def normal(first: Array, second: Array, odd: Array, dtype: str) -> Array:
    """Return one number of each pair: the second one where ``odd`` is true."""
    radius = np.sqrt(2 * exponential(first, dtype))
    if dtype == "float64":
        turn = 4 * uniform(second, dtype)
        quarters = np.rint(turn)
        rest = turn - quarters
        quarter = quarters.astype("int64") % 4
    else:
        quarter = ((second + np.uint64(2**29)) >> np.uint64(30)).astype("int64") % 4
        rest = (second.astype("int64") - quarter * 2**30).astype("uint32").astype("int32")
        rest = (rest * 4).astype(dtype) * 2.0**-32
    z = rest * rest
    sine = radius * (rest * _polynomial(_SINE[dtype], z))
    cosine = radius * (_polynomial(_COSINE[dtype], z) * z + 1)
    # The sine is the cosine of an angle that is a quarter of a turn smaller.
    turned = (quarter - odd) % 4
    return np.asarray(np.choose(turned, (cosine, -sine, -cosine, sine)))


def _minus_log(x: Array) -> Array:
    """Return the logarithm of 1 / x, for x from (0, 1]."""
    dtype = str(x.dtype)
    part, exponent = np.frexp(x)
    below: Array = np.less(part, _HALF_ROOT[dtype])
    f = np.where(below, 2 * part, part) - 1
    k: Array = (below - exponent).astype(dtype)
    if dtype == "float32":
        f2 = f * f
        return np.asarray(0 - (_polynomial(_LOG[dtype], f) * f2 + (f - k * _LOG_2[dtype])))
    s, half = f / (2 + f), 0.5 * f * f
    z = s * s
    q = _polynomial(_LOG[dtype], z) * z + half
    return np.asarray(0 - (s * q + (f - k * _LOG_2[dtype] - half)))


def _polynomial(coefficients: Sequence[float], z: Array) -> Array:
    """Return a polynomial, by Horner's rule for pairs of its terms."""
    pairs = [
        pair[0] if len(pair) == 1 else pair[1] * z + pair[0]
        for pair in (coefficients[k : k + 2] for k in range(0, len(coefficients), 2))
    ]
    *rest, value = pairs
    for pair in reversed(rest):
        value = value * (z * z) + pair
    return np.asarray(value)

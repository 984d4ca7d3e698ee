"""Rows that convert from one dtype to another.

C and NumPy leave it open what becomes of a float which an integer dtype does not hold, and
processors differ. Here every conversion is defined: ``docs/dtypes.md`` has the table,
``dtypes.convert`` does the same for NumPy arrays.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from symtheano import dtypes
from symtheano.scalar.row import ScalarOp, Signature

# Conversion of floats. One comparison is enough, because a float between the smallest integer and
# the next float below it is converted to that integer, which is also the result for all numbers
# that do not fit.
_TO_INT32 = """\
static inline int32_t st_int32_{d}({p} x) {
    return __builtin_fabs{f}(x) < 0x1p31{f} ? (int32_t)x : INT32_MIN;
}
"""
# SSE and AVX2 have no vectors of these conversions. With AVX2, halves of 32 bits are converted,
# which fit into the digits of a double, so that a loop around it runs in vectors; with SSE, the
# instruction for one number is used, which gives INT64_MIN for what does not fit.
_TO_INT64 = """\
static inline int64_t st_int64_{d}({p} x) {
#if defined __AVX2__ && !defined __AVX512DQ__
    const double whole = __builtin_trunc((double)x), high = __builtin_floor(whole * 0x1p-32);
    const double upper = high + 0x1.8p52, lower = whole - high * 0x1p32 + 0x1p52;
    int64_t a, b;
    __builtin_memcpy(&a, &upper, sizeof a);
    __builtin_memcpy(&b, &lower, sizeof b);
    a = (int64_t)((uint64_t)a << 32) + (b - 0x4330000000000000);
    return __builtin_fabs{f}(x) < 0x1p63{f} ? a : INT64_MIN;
#elif defined __x86_64__ && !defined __AVX512DQ__
    const double __attribute__((vector_size(16))) low = {x, 0};
    return __builtin_ia32_cvttsd2si64(low);
#else
    return __builtin_fabs{f}(x) < 0x1p63{f} ? (int64_t)x : INT64_MIN;
#endif
}
"""
_TO_UINT64 = """\
static inline uint64_t st_uint64_{d}({p} x) {
    if (__builtin_fabs{f}(x) < 0x1p63{f}) return (uint64_t)(int64_t)x;
    if (x >= 0x1p64{f}) return 0;
    return x >= 0x1p63{f} ? (uint64_t)x : (uint64_t)INT64_MIN;
}
"""
_WIDTHS = {"uint64": ("uint64", _TO_UINT64), "int64": ("int64", _TO_INT64)}
_WIDTHS["uint32"] = _WIDTHS["int64"]
_NARROW = ("int32", _TO_INT32)

# Compilers vectorize the choice between two numbers, but not the conversion of a bool.
_OF_BOOL = {"b": "{0} ? ({r})1 : ({r})0"}


def conversion(dtype: str) -> tuple[dict[str, str], dict[str, str]]:
    """Return C expressions, and the helpers they call, that convert to ``dtype``, by kind."""
    if dtype == "bool":
        return {"biufc": "{0} != 0"}, {}
    if dtype not in dtypes.INTEGER:
        return {**_OF_BOOL, "iufc": "({r}){0}"}, {}
    way, helper = _WIDTHS.get(dtype, _NARROW)
    call = f"st_{way}_{{d}}({{0}})" if way == dtype else f"({{r}})st_{way}_{{d}}({{0}})"
    of_complex = call.replace("{0}", "__builtin_creal{f}({0})")
    texts = {**_OF_BOOL, "iu": "({r}){0}", "f": call, "c": of_complex}
    return texts, {"fc": helper}


@cache
def cast_to(dtype: str) -> ScalarOp:
    """Return the row that converts to ``dtype``, called ``cast{dtype}``.

    Complex numbers lose their imaginary part, as in NumPy. Floats that do not fit an integer
    dtype become what :func:`symtheano.dtypes.convert` says.

    Examples
    --------
    >>> cast_to("float32").signature(("int64",))
    Signature(compute=('int64',), result='float32')
    """
    if dtype not in dtypes.ALL:
        raise TypeError(f"no dtype {dtype!r}")
    texts, helpers = conversion(dtype)
    return ScalarOp(
        name=f"cast{{{dtype}}}",
        nin=1,
        numpy=lambda x: dtypes.convert(x, dtype),
        signature=lambda operands: Signature(operands, dtype),
        c=texts,
        helpers=helpers,
        pullback=_cast_back,
        doc=f"The operand converted to {dtype}.",
    )


def _cast_back(g: Any, y: Any, x: Any) -> tuple[Any]:
    target = x.type.dtype
    if not dtypes.is_discrete(target):
        return (cast_to(target)(g),)
    return (cast_to(dtypes.real_of(g.type.dtype))(g) if dtypes.is_complex(g.type.dtype) else g,)

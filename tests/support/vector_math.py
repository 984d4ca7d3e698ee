"""Mathematical functions compiled as in generated files, and their errors."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from symtheano import config
from symtheano.codegen.c.vector_math import math_declarations
from symtheano.codegen.native.toolchain import compile_shared, find_toolchain
from symtheano.scalar.render import prototype

_LOOPS = """\
EXPORT void loop_{name}({t} *restrict y, const {t} *restrict x, int64_t n) {{
    #pragma omp simd
    for (int64_t i = 0; i < n; i++) y[i] = {name}(x[i]);
}}
EXPORT void single_{name}({t} *y, const {t} *x) {{ *y = {name}(*x); }}
EXPORT void of_size_{name}({t} *restrict y, const {t} *restrict x, int64_t n) {{
    #pragma omp simd
    for (int64_t i = 0; i < n; i++) y[i] = {name}(__builtin_fabs{f}(x[i]));
}}
EXPORT void of_minus_size_{name}({t} *restrict y, const {t} *restrict x, int64_t n) {{
    #pragma omp simd
    for (int64_t i = 0; i < n; i++) y[i] = {name}(-__builtin_fabs{f}(x[i]));
}}
"""
_REFERENCE = """\
long double {base}l(long double);
EXPORT void exact_{base}(long double *y, const long double *x, int64_t n) {{
    for (int64_t i = 0; i < n; i++) y[i] = {base}l(x[i]);
}}
"""


def base_of(name: str) -> str:
    """Return the name of the function in double precision."""
    return name.removesuffix("f") if name not in ("erf",) else name


def dtype_of(name: str) -> np.dtype:
    """Return the dtype which a function of the C library works in."""
    return np.dtype("float64" if base_of(name) == name else "float32")


class MathLibrary:
    """Functions of one operand, compiled: in loops, one by one, and in long double.

    Parameters
    ----------
    directory
        Where to compile.
    names
        The functions' names in C.
    uses
        How many calls the file is said to have, which decides whether functions are inlined.
    own
        Whether ours are used, and not libmvec's.
    """

    def __init__(self, directory: Path, names: Sequence[str], uses: int, own: bool = True) -> None:
        target = directory / f"math_{uses}_{own}.so"
        source = "\n".join(_source(names, uses, own)) + "\n"
        compile_shared(source, target, find_toolchain(config.cc))
        self._loaded = ctypes.CDLL(str(target))

    def loop(self, name: str, x: np.ndarray) -> np.ndarray:
        """Return the function of an array, computed by a vectorized loop."""
        y = np.empty_like(x)
        self._call(f"loop_{name}", y.ctypes.data, x.ctypes.data, len(x))
        return y

    def of_size(self, name: str, x: np.ndarray, sign: int = 1) -> np.ndarray:
        """Return the function of |x| or -|x|, where the compiler sees what sign operands have."""
        y = np.empty_like(x)
        of = "of_size" if sign == 1 else "of_minus_size"
        self._call(f"{of}_{name}", y.ctypes.data, x.ctypes.data, len(x))
        return y

    def single(self, name: str, x: np.ndarray) -> np.ndarray:
        """Return the function of an array, computed element by element."""
        y = np.empty_like(x)
        for i in range(len(x)):
            here = i * x.itemsize
            self._call(f"single_{name}", y.ctypes.data + here, x.ctypes.data + here)
        return y

    def exact(self, name: str, x: np.ndarray) -> np.ndarray:
        """Return the C library's result in long double."""
        wide = x.astype(np.longdouble)
        y = np.empty_like(wide)
        self._call(f"exact_{base_of(name)}", y.ctypes.data, wide.ctypes.data, len(x))
        return y

    def _call(self, function: str, y: int, x: int, *count: int) -> None:
        pointers = ctypes.c_void_p(y), ctypes.c_void_p(x)
        self._loaded[function](*pointers, *map(ctypes.c_int64, count))


def _source(names: Sequence[str], uses: int, own: bool) -> Iterator[str]:
    yield '#include <stdint.h>\n#define EXPORT __attribute__((visibility("default")))'
    prototypes = {name: prototype(name) for name in names}
    if own:
        yield from math_declarations(prototypes, uses)
    else:
        yield from (f'__attribute__((simd("notinbranch"), const)) {prototypes[n]};' for n in names)
    for name in names:
        t, f = ("double", "") if base_of(name) == name else ("float", "f")
        yield _LOOPS.format(name=name, t=t, f=f)
    for base in sorted({base_of(name) for name in names}):
        yield _REFERENCE.format(base=base)


def edges(dtype: np.dtype) -> np.ndarray:
    """Return zeros, subnormals, infinities, NaN, and where results begin to be 0, 1 and inf."""
    limits = np.finfo(dtype)
    tiny, smallest, huge = limits.tiny, limits.smallest_subnormal, limits.max
    special = [0, smallest, 3 * smallest, tiny / 2, tiny, limits.eps, limits.eps / 4, huge, np.inf]
    turns = [0.25, 0.3465, 0.34657, 0.5, 0.6931472, 0.70710678, 1, 1.41421356, 2, 9, 10, 18, 20, 37]
    powers = [2.0**24, 2.0**25, 2.0**26, huge / 4, huge / 3, huge / 2]
    ends = [87.3, 88.7, 88.72283, 88.72284, 103.9, 103.97208, 103.98, 104, 105, 106]
    if dtype == "float64":
        ends += [708.4, 709.78, 709.782712893384, 709.7827128933841, 709.79, 710, 744.4, 745.13]
        powers += [2.0**52, 2.0**53, 2.0**54, 2.0**55]
        ends += [745.1332191019411, 745.1332191019412, 745.14, 746, 747, 1e10, 1e300]
    values = np.array([*special, *turns, *powers, *ends], dtype)
    with np.errstate(all="ignore"):
        around = [np.nextafter(values, dtype.type(end)) for end in (-np.inf, np.inf)]
    values = np.concatenate([values, *around])
    return np.concatenate([values, -values, np.array([np.nan], dtype)])


def points(dtype: np.dtype, count: int) -> np.ndarray:
    """Return the edges and random numbers: where the work is, of any size, of any exponent."""
    random = np.random.default_rng(0)
    limits = np.finfo(dtype)
    each = count // 4
    signs = random.choice([-1.0, 1.0], each)
    reach = 110 if dtype == "float32" else 760
    exponents = random.uniform(np.log2(limits.smallest_subnormal), limits.maxexp - 1, each)
    spread = [
        random.uniform(-2, 2, each),
        random.uniform(-reach, reach, each),
        signs * np.exp(random.uniform(-20, 5, each)),
        signs * np.exp2(exponents),
    ]
    return np.concatenate([edges(dtype), *[values.astype(dtype) for values in spread]])


def errors_in_ulp(result: np.ndarray, exact: np.ndarray) -> np.ndarray:
    """Return errors in units in the last place; inf where NaN, inf or the sign of 0 is wrong."""
    limits = np.finfo(result.dtype)
    with np.errstate(all="ignore"):
        rounded = exact.astype(result.dtype)
        exponent = np.maximum(np.frexp(exact)[1] - 1, limits.minexp)
        units = np.ldexp(np.ones_like(exact), exponent - limits.nmant)
        errors = np.abs(result.astype(exact.dtype) - exact) / units
    same = (rounded == result) & (np.signbit(rounded) == np.signbit(result))
    same |= np.isnan(rounded) & np.isnan(result)
    exactly = ~np.isfinite(rounded) | ~np.isfinite(result) | (exact == 0)
    return np.where(exactly, np.where(same, 0.0, np.inf), errors)

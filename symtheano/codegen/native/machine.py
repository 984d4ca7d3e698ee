"""Properties of the machine for compiled code: its CPU and its vector math library."""

from __future__ import annotations

import ctypes
import os
import platform
from functools import cache

from symtheano.graph.digest import digest

_VECTORIZABLE = (
    "acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp10 exp2 expm1 "
    "log log10 log1p log2 sin sinh tan tanh"
).split()
_VECTORIZABLE_PAIRS = "atan2 hypot pow".split()


_CPUINFO = "/proc/cpuinfo"
_VOLATILE = ("cpu MHz", "bogomips", "BogoMIPS", "microcode", "apicid", "initial apicid")
# How Linux begins the line that lists a processor's instructions, or else names its model.
_TELLING = ("flags", "Features", "features", "isa", "cpu\t", "cpu model", "CPU Family")


@cache
def cpu_identity() -> str | None:
    """Return one line for what ``-march=native`` code, and its C library, depend on.

    None if the system does not tell the processor's instructions: the compiler must be asked.

    Examples
    --------
    >>> cpu_identity() == cpu_identity()
    True
    """
    processor = _processor()
    return None if processor is None else machine_identity(processor)


def machine_identity(processor: str) -> str:
    """Return one line for a system, its C library, and a description of its processor.

    Examples
    --------
    >>> machine_identity("one") == machine_identity("another")
    False
    """
    features = digest(processor.encode("utf-8", "surrogateescape"))[:16]
    return f"{platform.system()} {platform.machine()}, {_c_library()}, {features}"


def _c_library() -> str:
    """Name the C library: code linked with a newer glibc does not load with an older one."""
    try:
        return os.confstr("CS_GNU_LIBC_VERSION") or ""
    except (AttributeError, ValueError, OSError):
        return platform.release()


def _processor() -> str | None:
    """Describe the first processor; what may change between two readings is left out."""
    lines = []
    try:
        with open(_CPUINFO, encoding="utf-8", errors="replace") as file:
            for line in file:
                if not line.strip():
                    break
                if not line.startswith(_VOLATILE):
                    lines.append(line)
    except OSError:  # other systems have no such file, and some containers do not show it
        return None
    return "".join(lines) if any(line.startswith(_TELLING) for line in lines) else None


# The instructions that each level of the x86-64 psABI adds, by their names in /proc/cpuinfo.
_LEVELS = {
    "x86-64-v2": "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3",
    "x86-64-v3": "abm avx avx2 bmi1 bmi2 f16c fma movbe xsave",
    "x86-64-v4": "avx512bw avx512cd avx512dq avx512f avx512vl",
}


@cache
def processor_levels() -> frozenset[str]:
    """Return the levels of the x86-64 psABI whose instructions the processor has.

    The set is empty on other processors, and where the system does not tell.

    Examples
    --------
    >>> processor_levels() <= {"x86-64-v2", "x86-64-v3", "x86-64-v4"}
    True
    """
    lines = (_processor() or "").splitlines()
    flags = [line.partition(":")[2] for line in lines if line.startswith("flags")]
    instructions = set(" ".join(flags).split())
    levels = []
    for level, added in _LEVELS.items():
        if not instructions.issuperset(added.split()):
            break
        levels.append(level)
    return frozenset(levels)


@cache
def vector_functions() -> frozenset[str]:
    """Return the C math functions of which glibc's libmvec has vectorized forms here.

    The set is empty on other C libraries and other processors than x86-64.

    Examples
    --------
    >>> vector_functions() == frozenset() or "expf" in vector_functions()
    True
    """
    if platform.machine() not in ("x86_64", "AMD64"):
        return frozenset()
    try:
        library = ctypes.CDLL("libmvec.so.1")
    except OSError:
        return frozenset()
    names = [(name, "v") for name in _VECTORIZABLE] + [(name, "vv") for name in _VECTORIZABLE_PAIRS]
    # The x86-64 vector ABI: _ZGV, instruction set (b is SSE), N for no mask, lanes, arguments.
    doubles = {name for name, v in names if hasattr(library, f"_ZGVbN2{v}_{name}")}
    floats = {f"{name}f" for name, v in names if hasattr(library, f"_ZGVbN4{v}_{name}f")}
    return frozenset(doubles | floats)

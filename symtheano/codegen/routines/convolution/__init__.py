"""Convolution: C functions for the result, the image and the filter.

Each is ``st_NAME_SUFFIX(runtime, lengths..., first, second, made, ...)`` for one dtype; the lengths
are those of ``st_windows`` (``codegen/convolutions/windows.c``). Results and images have one more
integer: the number of the call if its filter never changes, or 0. Our own library, which is there,
computes floats, if the host has it. The files ``result.c``, ``image.c`` and ``filter.c`` compute
with plain loops in any dtype.
"""

from __future__ import annotations

import os
from functools import cache, partial

from symtheano import dtypes
from symtheano.codegen.convolutions.kernels import WINDOWS
from symtheano.codegen.record import CONVOLUTION, PACKED
from symtheano.codegen.routines.own import file_text
from symtheano.dtypes import short_name
from symtheano.loopir.routine import Routine, signature
from symtheano.scalar.render import c_type

_AXES = ("i", "k", "t", "p", "s", "d")
_LENGTHS = (
    *("n", "groups", "c", "o"),
    *(f"{name}{axis}" for name in _AXES for axis in range(3)),
    *("flip", "unshared"),
)
_FIELDS = (
    *_LENGTHS[:4],
    *("{" + ", ".join(f"{name}{axis}" for axis in range(3)) + "}" for name in _AXES),
    *_LENGTHS[-2:],
)
_FIELDS_OF_WINDOWS = "{" + ", ".join(_FIELDS) + "}"

_BYTES = """\
static int64_t st_NAME_bytes_SUFFIX(const st_runtime *runtime, LENGTHS) {
    UNUSED
    const st_windows w = WINDOWS;
    const st_kernels *kernels = runtime->functions[LINK];
    if (!kernels || !kernels->memory) return 0;
    typedef int64_t st_convolution_memory(int, const st_windows *, int);
    return ((st_convolution_memory *)kernels->memory)(WANTED, &w, runtime->threads);
}
"""
_KERNEL = """\
const st_kernels *kernels = runtime->functions[LINK];
    typedef int32_t st_convolve(int, const st_windows *, int, const TYPE *, const TYPE *, TYPE *,
                                void *, int64_t, void (*)(const void *, int64_t, int64_t),
                                const void *, void *, int64_t);
    if (kernels && kernels->run
        && ((st_convolve *)kernels->run)(WANTED, &w, runtime->threads, ARRAYS, memory, bytes,
                                         FINISH)) return;"""


@cache
def _file(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), f"{name}.c"), encoding="utf-8") as file:
        return file.read()


def _integers(wanted: int) -> tuple[str, ...]:
    return _LENGTHS if wanted == 2 else (*_LENGTHS, "constant")


def _sections(name: str, file: str, wanted: int, arrays: str, dtype: str) -> tuple[str, ...]:
    """Return the C text of a routine for one dtype."""
    suffix = short_name(dtype)
    integers = _integers(wanted)
    first, second, made = arrays.split(", ")
    words = {
        "KERNEL": _KERNEL,
        "ARRAYS": arrays,
        "DECLARED": f"const TYPE *{first}, const TYPE *{second}, TYPE *{made}",
        "CHANNELS": "o" if wanted == 0 else "c",
        "FINISH": "0, 0, 0, 0" if wanted == 2 else "finish, context, PACKED",
        "PACKED": "runtime->functions[ST_PACKED], constant",
        "UNUSED": "" if wanted == 2 else "(void)constant;",
        "WANTED": str(wanted),
        "LINK": f"ST_CONVOLUTION_{suffix.upper()}",
        "LENGTHS": ", ".join(f"int64_t {name}" for name in integers),
        "WINDOWS": _FIELDS_OF_WINDOWS,
        "NAME": name,
        "TYPE": c_type(dtype),
        "SUFFIX": suffix,
    }
    text = _BYTES + "\n" + _file(file)
    if wanted != 2:
        text += _file("items")  # filters are computed one by one, results and images by items
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return (file_text("kernels.inc"), WINDOWS, _file("met"), text)


def _routine(name: str, file: str, wanted: int, arrays: str) -> Routine:
    first, second, made = arrays.split(", ")
    parameters = signature(
        ", ".join((*_integers(wanted), f"{first}: in T", f"{second}: in T", f"{made}: out T"))
    )
    return Routine(
        name,
        parameters,
        partial(_sections, name, file, wanted, arrays),
        tuple(name for name in dtypes.ALL if name not in ("bool", "float16")),
        workspace=True,
        epilogue=wanted != 2,
        links=(CONVOLUTION,) if wanted == 2 else (CONVOLUTION, PACKED),
    )


CONVOLUTIONS = (
    _routine("convolution", "result", 0, "image, kernel, result"),
    _routine("convolution_inputs", "image", 1, "kernel, result, image"),
    _routine("convolution_weights", "filter", 2, "image, result, kernel"),
)
"""The three routines; the last of their arrays is computed."""

"""Convolution: C functions for the result, the image and the filter.

Each is ``st_NAME_SUFFIX(runtime, windows, first, second, made, ...)`` for one dtype; the windows
are a pointer to ``st_windows`` (``codegen/convolutions/windows.c``). Results and images have one
more integer: the number of the call if its filter never changes, or 0. Our own library computes
floats, if the host has it. The files ``result.c``, ``image.c`` and ``filter.c`` compute
with plain loops in any dtype.
"""

from __future__ import annotations

from functools import partial

from symtheano import dtypes
from symtheano.codegen.convolutions import WINDOWS
from symtheano.codegen.record import CONVOLUTION, PACKED
from symtheano.codegen.routines import own
from symtheano.codegen.template import file_text, fill
from symtheano.dtypes import short_name
from symtheano.loopir.routine import Routine, Struct, signature
from symtheano.scalar.render import c_type

_WINDOWS = Struct(
    "st_windows",
    {
        **dict.fromkeys(("n", "groups", "c", "o"), 1),
        **dict.fromkeys(("i", "k", "t", "p", "s", "d"), 3),
        **dict.fromkeys(("flip", "unshared"), 1),
    },
)


def _file(name: str) -> str:
    return file_text(__file__, f"{name}.c")


def _sections(name: str, file: str, wanted: int, arrays: str, dtype: str) -> tuple[str, ...]:
    """Return the C text of a routine for one dtype."""
    kind, suffix = c_type(dtype), short_name(dtype)
    first, second, output = arrays.split(", ")
    packed = "runtime->functions[ST_PACKED], constant"
    words = {
        "ARRAYS": arrays,
        "DECLARED": f"const {kind} *{first}, const {kind} *{second}, {kind} *{output}",
        "CHANNELS": "o" if wanted == 0 else "c",
        "FINISH": "0, 0, 0, 0" if wanted == 2 else f"finish, context, {packed}",
        "UNUSED": "" if wanted == 2 else "    (void)constant;\n",
        "CONSTANT": "" if wanted == 2 else ", int64_t constant",
        "WANTED": str(wanted),
        "LINK": f"ST_CONVOLUTION_{suffix.upper()}",
        "NAME": name,
        "TYPE": kind,
        "SUFFIX": suffix,
    }
    text = _file("bytes") + "\n" + _file(file)
    if wanted != 2:
        text += _file("items")  # filters are computed one by one, results and images by items
    filled = fill(text, {"KERNEL": fill(_file("kernel").rstrip(), {}, words)}, words)
    return (own.KERNELS, WINDOWS, _file("met"), filled)


def _routine(name: str, file: str, wanted: int, arrays: str) -> Routine:
    first, second, output = arrays.split(", ")
    integers = _WINDOWS.members if wanted == 2 else (*_WINDOWS.members, "constant")
    arrays_of = (f"{first}: in T", f"{second}: in T", f"{output}: out T")
    return Routine(
        name,
        signature(", ".join((*integers, *arrays_of))),
        partial(_sections, name, file, wanted, arrays),
        tuple(name for name in dtypes.ALL if name not in ("bool", "float16")),
        workspace=True,
        epilogue=wanted != 2,
        links=(CONVOLUTION,) if wanted == 2 else (CONVOLUTION, PACKED),
        struct=_WINDOWS,
    )


CONVOLUTIONS = (
    _routine("convolution", "result", 0, "image, kernel, result"),
    _routine("convolution_inputs", "image", 1, "kernel, result, image"),
    _routine("convolution_weights", "filter", 2, "image, result, kernel"),
)
"""The three routines; the last of their arrays is computed."""

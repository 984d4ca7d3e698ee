"""Convolution: C functions for the result, the image and the filter.

Each is ``st_NAME_SUFFIX(runtime, lengths..., first, second, made)`` for one dtype; the lengths are
those of ``st_windows`` in ``common.c``. The files here compute with plain loops in any dtype.
"""

from __future__ import annotations

import os
from functools import cache, partial

from symtheano import dtypes
from symtheano.loopir.routine import Routine, signature
from symtheano.scalar.render import c_type, short_name

_AXES = ("i", "k", "t", "p", "s", "d")
_LENGTHS = (
    *("n", "groups", "c", "o"),
    *(f"{name}{axis}" for name in _AXES for axis in range(3)),
    *("flip", "unshared"),
)
_PARAMETERS = ", ".join(f"int64_t {name}" for name in _LENGTHS)
_FIELDS = ", ".join(
    (
        *_LENGTHS[:4],
        *("{" + ", ".join(f"{name}{axis}" for axis in range(3)) + "}" for name in _AXES),
        *_LENGTHS[-2:],
    )
)


@cache
def _file(name: str) -> str:
    path = os.path.join(os.path.dirname(__file__), f"{name}.c")
    with open(path, encoding="utf-8") as file:
        return file.read()


def _sections(file: str, dtype: str) -> tuple[str, ...]:
    text = _file(file).replace("LENGTHS", _PARAMETERS).replace("WINDOWS", f"{{{_FIELDS}}}")
    return (
        _file("common"),
        text.replace("TYPE", c_type(dtype)).replace("SUFFIX", short_name(dtype)),
    )


def _routine(name: str, file: str, arrays: str, epilogue: bool) -> Routine:
    parameters = signature(", ".join((*_LENGTHS, arrays)))
    types = tuple(name for name in dtypes.ALL if name not in ("bool", "float16"))
    return Routine(name, parameters, partial(_sections, file), types, epilogue=epilogue)


CONVOLUTIONS = (
    _routine("convolution", "result", "image: in T, kernel: in T, result: out T", True),
    _routine("convolution_inputs", "image", "kernel: in T, result: in T, image: out T", True),
    _routine("convolution_weights", "filter", "image: in T, result: in T, kernel: out T", False),
)
"""The three routines, with their signatures after ``runtime``."""

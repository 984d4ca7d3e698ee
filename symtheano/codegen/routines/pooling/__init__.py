"""Pooling: C functions for the result, its gradients, and derivatives along a direction.

Each is ``st_NAME_SUFFIX(runtime, lengths..., arrays..., memory, bytes)`` for one dtype; the lengths
are those of ``st_pools`` (``windows.c``), and ``counted``: 0 for sums, 1 for averages over windows
with their part of the border, 2 without it. ``st_NAME_item_SUFFIX`` is for one image, and
``drive.c`` shares the images among threads. In the files, ``TWO`` combines two elements.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache, partial

from symtheano import dtypes
from symtheano.codegen.routines.own import file_text
from symtheano.loopir.routine import Routine, signature
from symtheano.scalar.render import c_type, short_name

_AXES = ("i", "t", "k", "s", "p")
_LENGTHS = ("n", *(f"{name}{axis}" for name in _AXES for axis in range(3)), "counted")
_PARAMETERS = ", ".join(f"int64_t {name}" for name in _LENGTHS)
_FIELDS = ("n", *(f"{{{name}0, {name}1, {name}2}}" for name in _AXES))

_WORDS = {"LENGTHS": _PARAMETERS, "POOLS": "{" + ", ".join(_FIELDS) + "}"}


def _sections(name: str, file: str, arrays: Mapping[str, str], dtype: str) -> tuple[str, ...]:
    """Return the C text of a routine for one dtype."""
    largest = "(b > a) | (b != b) ? b : a" if dtypes.is_float(dtype) else "b > a ? b : a"
    *read, made = arrays
    words = {
        **_WORDS,
        "PARAMETERS": ", ".join((*(f"const TYPE *{name}" for name in read), f"TYPE *{made}")),
        "ARRAYS": ", ".join(f"{name} + n * {size}" for name, size in arrays.items()),
        "TWO": "a + b" if name == "pool_sum" else largest,
        "NAME": name,
        "TYPE": c_type(dtype),
        "SUFFIX": short_name(dtype),
    }
    text = _text(file) + "\n" + _text("drive")
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return (file_text("threads.inc"), _text("windows"), text)


@cache
def _text(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), f"{name}.c"), encoding="utf-8") as file:
        return file.read()


def _routine(name: str, file: str, text: str) -> Routine:
    """Return a routine; the text names arrays, as large as images or results; the last is made."""
    arrays = dict(word.split(":") for word in text.split())
    *read, made = arrays
    parameters = ", ".join((*_LENGTHS, *(f"{name}: in T" for name in read), f"{made}: out T"))
    return Routine(
        name, signature(parameters), partial(_sections, name, file, arrays),
        (*dtypes.INTEGER, "float32", "float64"),
        workspace="measured",
    )  # fmt: skip


POOLINGS = (
    _routine("pool_max", "result", "x:pixels y:places"),
    _routine("pool_max_image", "max_image", "x:pixels y:places g:places made:pixels"),
    _routine("pool_max_tangent", "max_tangent", "x:pixels y:places v:pixels made:places"),
    _routine("pool_sum", "result", "x:pixels y:places"),
    _routine("pool_sum_image", "sum_image", "g:places made:pixels"),
)
"""The routines; what they compute stands in their files."""

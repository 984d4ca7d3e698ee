"""Pooling: C functions for the result, its gradients, and derivatives along a direction.

Each is ``st_NAME_SUFFIX(runtime, lengths..., arrays..., memory, bytes)`` for one dtype; the lengths
are those of ``st_pools`` (``windows.c``), and ``counted``: 0 for sums, 1 for averages over windows
with their part of the border, 2 without it. ``st_NAME_item_SUFFIX`` is for one image, and
``drive.c`` shares the images among threads. In the files, ``TWO`` combines two elements.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cache, partial

import numpy as np

from symtheano import dtypes
from symtheano.codegen.routines.own import file_text
from symtheano.loopir.routine import Routine, signature
from symtheano.scalar.render import c_type, short_name

_AXES = ("i", "t", "k", "s", "p")
_LENGTHS = ("n", *(f"{name}{axis}" for name in _AXES for axis in range(3)), "counted")
_PARAMETERS = ", ".join(f"int64_t {name}" for name in _LENGTHS)
_FIELDS = ("n", *(f"{{{name}0, {name}1, {name}2}}" for name in _AXES))

_WORDS = {"LENGTHS": _PARAMETERS, "POOLS": "{" + ", ".join(_FIELDS) + "}"}


def _sections(
    name: str, file: str, arrays: Mapping[str, str], own: Sequence[int], dtype: str
) -> tuple[str, ...]:
    """Return the C text of a routine for one dtype."""
    largest = "(b > a) | (b != b) ? b : a" if dtypes.is_float(dtype) else "b > a ? b : a"
    *read, made = arrays
    words = {
        **_WORDS,
        **{f"OWN_{letter}": str(n) for letter, n in zip("KSP", own, strict=True)},
        **_lanes(np.dtype(dtype).itemsize),
        "PARAMETERS": ", ".join((*(f"const TYPE *{name}" for name in read), f"TYPE *{made}")),
        "ARRAYS": ", ".join(f"{name} + n * {size}" for name, size in arrays.items()),
        "TWO": "a + b" if name == "pool_sum" else largest,
        "INTEGER": f"int{np.dtype(dtype).itemsize * 8}_t",
        "MEMORY": "st_pool_blocks" if file == "max_image" else "st_pool_rows",
        "NAME": name,
        "TYPE": c_type(dtype),
        "SUFFIX": short_name(dtype),
    }
    text = _text(file) + "\n" + _text("drive")
    for word, meaning in words.items():
        text = text.replace(word, meaning)
    return (file_text("threads.inc"), _text("windows"), text)


def _lanes(size: int) -> dict[str, str]:
    """Return the numbers of lanes of two vectors that are divided, or mixed, two by two.

    There are those of vectors of 32 and of 16 bytes, with elements of a size.
    """
    found: dict[str, list[str]] = {"EVEN": [], "ODD": [], "LOW": [], "HIGH": []}
    for count in (32 // size, 16 // size):
        both = [lane + half * count for lane in range(count) for half in range(2)]
        even, odd = range(0, 2 * count, 2), range(1, 2 * count, 2)
        for word, lanes in zip(found, (even, odd, both[:count], both[count:]), strict=True):
            found[word].append(f"({', '.join(map(str, lanes))})")
    return {f"{word}_LANES": f"ST_POOL_LANES({', '.join(n)})" for word, n in found.items()}


@cache
def _text(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), f"{name}.c"), encoding="utf-8") as file:
        return file.read()


def _routine(name: str, file: str, text: str, own: Sequence[int] = (0, 1, 0)) -> Routine:
    """Return a routine; the text names arrays, as large as images or results; the last is made.

    Its windows may have lengths, distances and a border of their own along two axes.
    """
    arrays = dict(word.split(":") for word in text.split())
    *read, made = arrays
    parameters = ", ".join((*_LENGTHS, *(f"{name}: in T" for name in read), f"{made}: out T"))
    return Routine(
        name, signature(parameters), partial(_sections, name, file, arrays, own),
        (*dtypes.INTEGER, "float32", "float64"),
        workspace="measured",
    )  # fmt: skip


_MAX_IMAGE = "x:pixels y:places g:places made:pixels"
_OWN = ((2, 1, 0), (3, 1, 0), (2, 2, 0), (3, 2, 0), (3, 2, 1))

POOLINGS = (
    _routine("pool_max", "result", "x:pixels y:places"),
    _routine("pool_max_image", "max_image", _MAX_IMAGE),
    *(_routine(f"pool_max_image{k}{s}{p}", "max_image", _MAX_IMAGE, (k, s, p)) for k, s, p in _OWN),
    _routine("pool_max_tangent", "max_tangent", "x:pixels y:places v:pixels made:places"),
    _routine("pool_sum", "result", "x:pixels y:places"),
    _routine("pool_sum_image", "sum_image", "g:places made:pixels"),
)
"""The routines; what they compute stands in their files. A name may end with windows of its own."""

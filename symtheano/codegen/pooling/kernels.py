"""Our own pooling: a library compiled once per element type.

It computes the largest elements or the sums of windows (``result.c``), the gradients with respect
to the image (``max_image.c``, ``sum_image.c``), and the derivative of largest elements along a
direction (``max_tangent.c``). The result is bitwise that of the plain loops of the files that call
it, with any number of threads.

The library exports, for windows of ``windows.c``::

    int64_t st_pooling_memory(wanted, windows, threads)
    int32_t st_pool(wanted, windows, threads, x, y, g, made, memory, bytes)

``wanted`` is the number of one of :data:`WANTED`.
"""

from __future__ import annotations

import numpy as np

from symtheano import dtypes
from symtheano.codegen.sizes import SIZES
from symtheano.codegen.template import file_text, fill
from symtheano.dtypes import short_name

WANTED = ("max", "max_image", "max_tangent", "sum", "sum_image")
"""What is computed, in the order of their numbers."""

KERNEL_DTYPES = {short_name(name): name for name in (*dtypes.INTEGER, "float32", "float64")}
"""The dtypes of elements by their short names, which are those of the libraries."""

_FLOATS = {"float32": "float", "float64": "double"}
_HEADER = """\
#include <stddef.h>
#include <stdint.h>

#define EXPORT __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))
"""


def largest_of_two(dtype: str) -> str:
    """Return the C expression of the larger one of ``a`` and ``b``; NaN is larger than numbers."""
    return "(b > a) | (b != b) ? b : a" if dtypes.is_float(dtype) else "b > a ? b : a"


def kernels_source(suffix: str) -> str:
    """Return the C text of the library for one of :data:`KERNEL_DTYPES`.

    Examples
    --------
    >>> "#define TYPE double" in kernels_source("f64")
    True
    """
    dtype = KERNEL_DTYPES[suffix]
    size = np.dtype(dtype).itemsize
    words = {
        "TYPE": _FLOATS.get(dtype, f"{dtype}_t"),
        "INTEGER": f"int{8 * size}_t",
        **_lanes(size),
    }
    defined = "".join(f"#define {word} {meaning}\n" for word, meaning in words.items())
    result = _file("result")
    results = [
        fill(result, {"NAME": name, "TWO": two})
        for name, two in (("max", largest_of_two(dtype)), ("sum", "a + b"))
    ]
    texts = map(_file, ("sum_image", "max_image", "max_tangent", "exports"))
    return "\n".join(
        (_HEADER, defined, SIZES, WINDOWS, _file("spans"), _file("vectors"), *results, *texts)
    )


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
    return {f"{word}_LANES": f"LANES_OF({', '.join(n)})" for word, n in found.items()}


def _file(name: str) -> str:
    return file_text(__file__, f"{name}.c")


WINDOWS = _file("windows")
"""C text of the type of windows that kernels and generated code share."""

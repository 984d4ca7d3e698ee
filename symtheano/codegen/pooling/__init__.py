"""Our own pooling: a library.

It computes the largest elements or the sums of windows (``result.c``), the gradients with respect
to the image (``max_image.c``, ``sum_image.c``), and the derivative of largest elements along a
direction (``max_tangent.c``). The result is bitwise that of the plain loops of the files that call
it, with any number of threads. Each is one algorithm, for all windows: ``memory_NAME`` says how
many elements of memory it needs for one image, and ``run_NAME`` computes one.

The library exports, for windows of ``windows.c``::

    int64_t st_pooling_memory(wanted, windows, threads)
    int32_t st_pool(wanted, windows, threads, x, y, g, made, memory, bytes)

``wanted`` is the number of one of :data:`WANTED`.
"""

from __future__ import annotations

import numpy as np

from symtheano import dtypes
from symtheano.codegen.library import Algorithm, Library
from symtheano.codegen.registers import REGISTERS
from symtheano.codegen.sizes import SIZES
from symtheano.codegen.template import file_text

WANTED = ("max", "max_image", "max_tangent", "sum", "sum_image")
"""What is computed, in the order of their numbers."""

WINDOWS = file_text(__file__, "windows.c")
"""C text of the type of windows that kernels and generated code share."""

_FLOATS = {"float32": "float", "float64": "double"}


def largest_of_two(dtype: str) -> str:
    """Return the C expression of the larger one of ``a`` and ``b``; NaN is larger than numbers."""
    return "(b > a) | (b != b) ? b : a" if dtypes.is_float(dtype) else "b > a ? b : a"


def _head(dtype: str) -> str:
    size = np.dtype(dtype).itemsize
    words = {
        "TYPE": _FLOATS.get(dtype, f"{dtype}_t"),
        "INTEGER": f"int{8 * size}_t",
        **_lanes(size),
    }
    defined = "".join(f"#define {word} {meaning}\n" for word, meaning in words.items())
    return "\n".join((file_text(__file__, "head.c"), defined, REGISTERS, SIZES))


def _lanes(size: int) -> dict[str, str]:
    """Return the numbers of lanes of two vectors that are divided, or mixed, two by two.

    There are those of vectors of 32 and of 16 bytes, with elements of a size.
    """
    lanes_of: dict[str, list[str]] = {"EVEN": [], "ODD": [], "LOW": [], "HIGH": []}
    for count in (32 // size, 16 // size):
        both = [lane + half * count for lane in range(count) for half in range(2)]
        even, odd = range(0, 2 * count, 2), range(1, 2 * count, 2)
        for word, lanes in zip(lanes_of, (even, odd, both[:count], both[count:]), strict=True):
            lanes_of[word].append(f"({', '.join(map(str, lanes))})")
    return {f"{word}_LANES": f"LANES_OF({', '.join(n)})" for word, n in lanes_of.items()}


LIBRARY = Library(
    name="pooling",
    module=__file__,
    dtypes=(*dtypes.INTEGER, "float32", "float64"),
    wanted=WANTED,
    algorithms=(
        Algorithm(
            "max", ("max",), ("result",),
            words=lambda dtype: {"NAME": "max", "TWO": largest_of_two(dtype)},
        ),
        Algorithm("sum", ("sum",), ("result",), words=lambda _: {"NAME": "sum", "TWO": "a + b"}),
        *(Algorithm(name, (name,)) for name in ("sum_image", "max_image", "max_tangent")),
    ),
    exports={"memory": "st_pooling_memory", "run": "st_pool"},
    head=_head,
    files=("windows", "calls", "spans", "vectors"),
    table="exports",
    row=lambda each: f"[{each.name.upper()}] = {{memory_{each.name}, run_{each.name}}},",
)  # fmt: skip
"""The declaration."""

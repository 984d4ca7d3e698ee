"""Errors of convolutions for each value of the option ``convolution``.

    python -m benchmarks.convolution_errors [--write]

Elements are normal random numbers. An error is the largest difference from the result in double
precision, over the largest result. In double precision, elements are integers, for which sums of
products are exact. ``--write`` puts the table into ``docs/accuracy.md``.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import numpy as np

import symtheano.tensor as T
from symtheano import config, function, grad
from symtheano.codegen.runtime.tables import wait_for_kernels

DOCUMENT = Path(__file__).parent.parent / "docs" / "accuracy.md"
CHOICES = ("direct", "default", "fast")
Shape = tuple[int, int, int, int, int, int]
# Items, channels, filters, the length of an image and of a filter, and axes.
SHAPES: tuple[Shape, ...] = (
    (4, 64, 64, 56, 3, 2),
    (4, 256, 256, 14, 3, 2),
    (4, 64, 64, 56, 5, 2),
    (2, 3, 64, 112, 11, 2),
    (4, 16, 16, 64, 31, 2),
    (1, 1, 1, 512, 25, 2),
    (8, 8, 8, 4096, 129, 1),
)


def computed(shape: Shape, dtype: str, choice: str, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """Return the result of a convolution, and the gradients of image and filter."""
    axes = shape[-1]
    kind = T.TensorType(dtype, (None,) * (2 + axes))
    x, w, g = kind("x"), kind("w"), kind("g")
    y = (T.nnet.conv2d if axes == 2 else T.nnet.conv1d)(x, w, border_mode="half")
    with config.change_flags(convolution=choice):
        f = function([x, w, g], [y, *grad((y * g).sum(), [x, w])])
    values = [a.astype(dtype) for a in arrays]
    f(*values)
    wait_for_kernels()
    return [np.asarray(a, "float64") for a in f(*values)]


def row(shape: Shape, dtype: str) -> str:
    """Return the row of the table for a shape."""
    n, channels, filters, length, size, axes = shape
    rng = np.random.default_rng(0)

    def numbers(*lengths: int) -> np.ndarray:
        if dtype == "float64":
            return rng.integers(-1000, 1001, lengths).astype(dtype)
        return rng.normal(size=lengths).astype(dtype)

    image, filter_ = (length,) * axes, (size,) * axes
    arrays = [
        numbers(n, channels, *image),
        numbers(filters, channels, *filter_),
        numbers(n, filters, *image),
    ]
    exact = computed(shape, "float64", "direct", arrays)
    size_of = ["×".join(map(str, lengths)) for lengths in (filter_, image)]
    cells = [f"{size_of[0]}, {channels} → {filters}, {size_of[1]}"]
    for choice in CHOICES:
        found = computed(shape, dtype, choice, arrays)
        errors = (np.abs(a - b).max() / np.abs(b).max() for a, b in zip(found, exact, strict=True))
        cells.append(", ".join(f"{error:.1e}".replace("e-0", "e-") for error in errors))
    return f"| {dtype} | {' | '.join(cells)} |"


def main() -> None:
    """Print the table, or write it to its page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/accuracy.md")
    write = parser.parse_args().write
    lines = [f"| dtype | shape | {' | '.join(f'`{c}`' for c in CHOICES)} |", "| --- " * 5 + "|"]
    lines += [row(shape, "float32") for shape in SHAPES]
    lines += [row(shape, "float64") for shape in (SHAPES[0], SHAPES[2], SHAPES[4])]
    table = "\n".join(lines)
    print(table)
    if write:
        text = DOCUMENT.read_text(encoding="utf-8")
        marks = r"(<!-- convolutions -->\n).*?(\n<!-- end -->)"
        text, count = re.subn(marks, lambda m: m[1] + table + m[2], text, flags=re.DOTALL)
        assert count == 1
        DOCUMENT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

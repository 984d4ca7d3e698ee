"""Fourier transforms in the lanes of vectors: the one C text of them.

What transforms numbers arranges them as several transforms side by side, one in each lane of the
vectors: tiles of convolutions; neighbours of the op ``fft``; rows, and then columns, of one long
transform. It uses these files:

- ``numbers.inc``: complex numbers in lanes.
- ``roots.inc``: roots of unity.
- ``passes.inc``: plans, and passes, which work in place.
- ``halves.inc``: real numbers as complex ones of half the length.

How numbers get into lanes and back, and in which memory tables are, is theirs.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from symtheano.codegen.template import file_text, fill

LARGEST_PRIME = 127
"""Lengths with larger prime factors are transformed as convolutions (Bluestein)."""

REALS = {"float32": "float", "float64": "double"}
"""The C types of the real numbers that are transformed."""

_FILES = ("numbers.inc", "roots.inc", "passes.inc", "halves.inc")


def fourier_words(dtype: str, suffix: str, largest: int = LARGEST_PRIME) -> Mapping[str, str]:
    """Return the words of the files, for real numbers of a dtype.

    Parameters
    ----------
    dtype
        ``float32`` or ``float64``.
    suffix
        What the names of C end with.
    largest
        The largest prime factor of lengths.
    """
    return {
        "REAL": REALS[dtype],
        "WIDTH": str(np.dtype(dtype).itemsize),
        "PART": suffix,
        "LARGEST": str(largest),
    }


def fourier_texts(dtype: str, suffix: str, largest: int = LARGEST_PRIME) -> tuple[str, ...]:
    """Return the texts of all files.

    Examples
    --------
    >>> len(fourier_texts("float32", "f32"))
    4
    """
    words = fourier_words(dtype, suffix, largest)
    return tuple(fill(file_text(__file__, name), {}, words) for name in _FILES)

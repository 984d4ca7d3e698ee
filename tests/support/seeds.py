"""Seeds of random tests: fixed ones in a normal run, others beside them in a long one.

``SYMTHEANO_LONG_RUN=N`` takes N times as many seeds as a normal run, beginning at a place that
``SYMTHEANO_SEED`` selects. ``python -m tests.fuzz`` sets both.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from tests.support.extent import TIMES

_START = int(os.environ.get("SYMTHEANO_SEED", "0"))
_APART = 1_000
"""How far apart the first seeds of two values of ``SYMTHEANO_SEED`` are."""


def seeds(fixed: Sequence[int], base: int = 0) -> list[int]:
    """Return ``fixed``, and in a long run others from ``base`` on, which are different each time.

    >>> seeds([1, 2, 3])[:3]
    [1, 2, 3]
    """
    if not TIMES or not _START:
        return list(fixed)
    first = base + _START * _APART
    return [*range(first, first + min(len(fixed) * TIMES, _APART))]

"""Which tests a run takes: always the same ones, or all.

Some tables are too long for a run that a person waits for. Of these, a run takes one case in so
many; which ones depends on nothing but their names. ``SYMTHEANO_TESTS=most``, as in ``.ci/run``,
takes all tests and tables, and of the cases of a test a third, or an eighth if they differ in
random numbers or dtypes. ``SYMTHEANO_TESTS=all`` takes all. ``SYMTHEANO_LONG_RUN=N`` does so, too,
with N times as many random cases.
"""

from __future__ import annotations

import os
from zlib import crc32

TIMES = int(os.environ.get("SYMTHEANO_LONG_RUN", "0"))
"""How many times as many random cases as usual; 0 in a run that is not a long one."""

_EXTENTS = ("", "most", "all")


def extent() -> str:
    """Return which tests a run takes: an empty string, ``most`` or ``all``.

    Raises
    ------
    ValueError
        If ``SYMTHEANO_TESTS`` is something else.
    """
    named = os.environ.get("SYMTHEANO_TESTS", "")
    if named not in _EXTENTS:
        raise ValueError(f"SYMTHEANO_TESTS is {named!r}; it may be 'most', 'all', or left out")
    return "all" if TIMES > 0 else named


EXTENT = extent()
ALL = EXTENT != ""
"""Whether a run takes all of each table."""


def is_always_taken(key: str, one_in: int) -> bool:
    """Return whether each run takes the case of this name, of a table of which it takes a part.

    >>> sum(is_always_taken(f"row {k}", 4) for k in range(1000))
    251
    """
    return crc32(key.encode()) % one_in == 0


def is_taken(key: str, one_in: int) -> bool:
    """Return whether this run takes the case: it may take all."""
    return ALL or is_always_taken(key, one_in)

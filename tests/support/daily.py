"""Turns: what a run of the tests takes, of tables that are too long for every run.

The day is that of the controlling process, which hands it to others in the environment; so a run
that ended yesterday is repeated by setting ``SYMTHEANO_TEST_DAY`` to the day that it printed.
``SYMTHEANO_LONG_RUN=1`` takes everything.
"""

from __future__ import annotations

import os
from datetime import date
from zlib import crc32

LONG = int(os.environ.get("SYMTHEANO_LONG_RUN", "0")) > 0


def day() -> int:
    """Return the number of the day."""
    return int(os.environ.setdefault("SYMTHEANO_TEST_DAY", str(date.today().toordinal())))


def is_due(key: str, days: int) -> bool:
    """Return whether it is the turn of a key, on one day of so many, or everything is taken."""
    return LONG or (crc32(key.encode()) + day()) % days == 0

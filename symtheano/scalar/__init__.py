"""Scalar ops: the table in which every elementwise operation is one row.

Theano programs use the rows (``scalar.add``) and ``upcast`` from here.
"""

from __future__ import annotations

import sys
from typing import Any


def __getattr__(name: str) -> Any:
    """Return a row of the table by its name, importing the table on first access."""
    table = sys.modules.get(f"{__name__}.table")
    rows = getattr(table, "TABLE", {})
    if name in rows:
        return rows[name]
    if name == "upcast":
        from symtheano.dtypes import upcast

        return upcast
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

"""The whole table: the rows of all families.

A run takes half of the rows, which half depends on the day: in float64, every sixteenth row in one
more of its dtypes. It takes the derivatives of a third of the rows, and compiles those of every
eighth row. ``SYMTHEANO_LONG_RUN=1`` takes all.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from zlib import crc32

from tests.conformance.row import Row
from tests.support.daily import LONG, is_due

FAMILIES = sorted(
    path.stem for path in (Path(__file__).parent / "families").glob("*.py") if path.stem[0] != "_"
)
BATCH = 20


def chosen(row: Row) -> tuple[str, ...]:
    """Return the dtypes with which a row runs when it is due: one or two."""
    others = sorted(
        set(row.runs) - {"float64"}, key=lambda dtype: crc32(f"{row.name} {dtype}".encode())
    )
    if "float64" not in row.runs:
        return tuple(others[:1])
    return ("float64", *others[: int(crc32(row.name.encode()) % 16 == 0)])


def is_compiled(row: Row) -> bool:
    """Return whether derivatives of a row are compiled when it is due."""
    return LONG or crc32(row.name.encode()) % 8 == 0


def due(family: str, what: str, days: int) -> list[Row]:
    """Return the rows of a family of which this run takes the values, or the derivatives."""
    return [row for row in rows(family) if is_due(f"{what} of {row.name}", days)]


def rows(family: str) -> list[Row]:
    """Return the rows of a family."""
    found: list[Row] = import_module(f"tests.conformance.families.{family}").ROWS
    return found


def batches(found: Sequence[Row]) -> list[list[Row]]:
    """Return rows in groups that are compiled together."""
    return [list(found[start : start + BATCH]) for start in range(0, len(found), BATCH)]


def runs() -> list[tuple[str, str, list[Row]]]:
    """Return family, dtype and rows of each function that is compiled."""
    found = []
    for family in FAMILIES:
        taken = [(row, row.runs if LONG else chosen(row)) for row in due(family, "values", 2)]
        for dtype in sorted({dtype for _, names in taken for dtype in names}):
            members = [row for row, names in taken if dtype in names]
            found += [(family, dtype, batch) for batch in batches(members)]
    return found


def slopes() -> list[tuple[str, list[Row]]]:
    """Return family and rows of each function of derivatives."""
    return [
        (family, batch)
        for family in FAMILIES
        for batch in batches(
            [r for r in due(family, "derivatives", 3) if r.slope and "float64" in r.runs]
        )
    ]

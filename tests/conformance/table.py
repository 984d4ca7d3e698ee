"""The whole table: the rows of all families.

A run takes half of the rows: in float64, every sixteenth row in one more of its dtypes. It takes
the derivatives of a third of the rows, and compiles those of every eighth row.
``SYMTHEANO_TESTS=all`` takes all, but compiles a row with few of the dtypes whose C is alike, and
the derivatives of every third row. ``SYMTHEANO_TESTS=most`` takes all rows, and some of the dtypes.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from zlib import crc32

from symtheano import dtypes
from tests.conformance.row import Row
from tests.support.extent import ALL, is_always_taken, is_taken

FAMILIES = sorted(
    path.stem for path in (Path(__file__).parent / "families").glob("*.py") if path.stem[0] != "_"
)
BATCH = 20
OTHERS = 2
"""With how many kinds of dtypes besides float64 a row is compiled."""
VALUES_ONE_IN, SLOPES_ONE_IN = 4, 6
"""Of how many rows a run takes the values, and the derivatives, of one."""


def chosen(row: Row) -> tuple[str, ...]:
    """Return the dtypes with which a run takes a row, if it does not take all: one or two."""
    others = sorted(
        set(row.runs) - {"float64"}, key=lambda dtype: crc32(f"{row.name} {dtype}".encode())
    )
    if "float64" not in row.runs:
        return tuple(others[:1])
    return ("float64", *others[: int(crc32(row.name.encode()) % 16 == 0)])


def compiled_dtypes(row: Row) -> tuple[str, ...]:
    """Return the dtypes with which a row is compiled; the interpreter runs with all of them.

    C for two dtypes mostly differs in types and constants, sometimes in casts and helpers. All of
    them took most of the time of the table. So a row is compiled in double precision, and with
    :data:`OTHERS` further kinds of dtypes, by turns: a family has all kinds. Of integers there are
    two kinds, one of 64 bits and a shorter one, of which one is signed.
    """
    key = crc32(f"twins of {row.name}".encode())
    integers = [dtype for dtype in row.runs if dtype in dtypes.INTEGER]
    wide = _one_of([dtype for dtype in integers if dtype.endswith("64")], key)
    signs = {dtype[0] for dtype in integers} - {wide[0][0] if wide else ""}
    short = [dtype for dtype in integers if not dtype.endswith("64")]
    short = _one_of([dtype for dtype in short if dtype[0] in signs] or short, key // 2)
    pair = _one_of([dtype for dtype in row.runs if dtype in dtypes.COMPLEX], key)
    alike = {*dtypes.INTEGER, *dtypes.COMPLEX, "float64"} - {*wide, *short, *pair}
    kinds = [dtype for dtype in row.runs if dtype not in alike]
    turn = (key >> 8) % max(len(kinds), 1)
    others = (kinds[turn:] + kinds[:turn])[:OTHERS]
    return tuple(dtype for dtype in row.runs if dtype == "float64" or dtype in others)


def _one_of(names: Sequence[str], key: int) -> list[str]:
    return [names[key % len(names)]] if names else []


def is_compiled(row: Row) -> bool:
    """Return whether derivatives of a row are compiled: of every third row if a run takes all."""
    return is_always_taken(row.name, 3 if ALL else 8)


def values_of(row: Row) -> str:
    """Return the name of a row's values in the choice of what a run takes."""
    return f"values of {row.name}"


def rows(family: str) -> list[Row]:
    """Return the rows of a family."""
    found: list[Row] = import_module(f"tests.conformance.families.{family}").ROWS
    return found


def batches(found: Sequence[Row]) -> list[list[Row]]:
    """Return rows in groups that are compiled together."""
    return [list(found[start : start + BATCH]) for start in range(0, len(found), BATCH)]


def runs(compiled: bool) -> list[tuple[str, str, list[Row]]]:
    """Return family, dtype and rows of each function that is compiled, or is not."""
    found = []
    for family in FAMILIES:
        some = [
            (row, row.runs if ALL else chosen(row))
            for row in rows(family)
            if is_taken(values_of(row), VALUES_ONE_IN)
        ]
        for dtype in sorted({dtype for _, names in some for dtype in names}):
            members = [
                row
                for row, names in some
                if dtype in names and compiled == (not ALL or dtype in compiled_dtypes(row))
            ]
            found += [(family, dtype, batch) for batch in batches(members)]
    return found


def covering(batches: Sequence[tuple[str, str, list[Row]]]) -> set[int]:
    """Return the numbers of functions that have all rows, each in at least one dtype."""
    own = [{(family, row.name) for row in batch} for family, _, batch in batches]
    left: set[tuple[str, str]] = set().union(*own)
    chosen: set[int] = set()
    while left:  # the one with most of the rows that are left
        number = max(range(len(own)), key=lambda number: len(own[number] & left))
        chosen.add(number)
        left -= own[number]
    return chosen


def slopes() -> list[tuple[str, list[Row]]]:
    """Return family and rows of each function of derivatives."""
    return [
        (family, batch)
        for family in FAMILIES
        for batch in batches(
            [
                row
                for row in rows(family)
                if row.slope
                and "float64" in row.runs
                and is_taken(f"derivatives of {row.name}", SLOPES_ONE_IN)
            ]
        )
    ]

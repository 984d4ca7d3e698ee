"""The page of the conformance suite: ``docs/conformance.md``.

``python -m tests.conformance.report`` writes it anew from the table.
"""

from __future__ import annotations

from pathlib import Path

from symtheano import dtypes
from tests.conformance.cases import cases
from tests.conformance.row import KINDS, Row
from tests.conformance.table import FAMILIES, VALUES_ONE_IN, chosen, rows, values_of
from tests.support.extent import is_always_taken
from tests.support.grids import ROWS, signatures

DOCUMENT = Path(__file__).parent.parent.parent / "docs" / "conformance.md"

HEAD = """# Conformance

Written by `python -m tests.conformance.report` from the table in `tests/conformance/families`.

Each row is an expression, run for all its dtypes with ordinary, longer, single and empty axes,
with NaN, infinities, both zeros or the limits of integers among the values, and with arguments
in Fortran order, with steps, negative strides, stride zero, padding, misaligned, byte-swapped
and read-only. Results, dtypes, shapes and errors of compiled code are compared with the
interpreter's, and these with NumPy's or SciPy's. A row is compiled in float64 and with two of the
other kinds of dtypes, by turns: bool, float16, float32, integers of 64 bits, shorter ones, and
complex ones. Of rows with the same graph, one is compiled. A row with a check mark is
differentiable: `grad` is compared with finite differences along random directions, `Rop` with
`Lop`, and both in C with the interpreter.

A run of the tests takes half of the rows: in float64, and every sixteenth row in one more of its
dtypes. Of derivatives it takes a third of the rows, and every eighth row in C. With
`SYMTHEANO_TESTS=most`, as in `.ci/run`, it takes all rows in some of their dtypes, and the
derivatives of every third row in C; with `SYMTHEANO_TESTS=all`, all dtypes.

Letters of dtypes: {letters}.
"""


def number_of_cases(row: Row) -> int:
    """Return how many calls are made of a row, over all its dtypes."""
    return sum(len(cases(row, dtype)) for dtype in row.runs)


def line(row: Row) -> str:
    """Return a row of the page."""
    described = ", ".join(f"{name}({arg.dims})" for name, arg in row.args.items())
    mark = "✓" if is_differentiable(row) else ""
    text = row.text.replace("|", "\\|")
    return f"| `{text}` | {described} | {row.dtypes} | {number_of_cases(row)} | {mark} |"


def is_differentiable(row: Row) -> bool:
    """Return whether derivatives of a row are compared."""
    return row.slope and "float64" in row.runs


def document() -> str:
    """Return the text of the page."""
    letters = "; ".join(f"{letter}: {', '.join(names)}" for letter, names in KINDS.items())
    every = [row for family in FAMILIES for row in rows(family)]
    counts = [sum(map(number_of_cases, rows(family))) for family in FAMILIES]
    total, smooth = sum(counts), sum(map(is_differentiable, every))
    few = sum(
        len(cases(row, dtype))
        for row in every
        if is_always_taken(values_of(row), VALUES_ONE_IN)
        for dtype in chosen(row)
    )
    scalar = sum(len(signatures(row)) for row in ROWS)
    lines = [
        HEAD.format(letters=letters),
        f"In all {len(every):,} expressions in {total:,} cases, {few:,} of them in each run,",
        f"and the derivatives of {smooth:,} expressions. Beside them the {len(ROWS)} scalar ops",
        f"with {scalar:,} signatures of {len(dtypes.ALL)} dtypes, each on every combination of",
        "edge values (`tests/tensor/test_elemwise.py`).",
    ]
    for family, count in zip(FAMILIES, counts, strict=True):
        lines += [
            "",
            f"## {family.replace('_', ' ').capitalize()}: {count:,} cases",
            "",
            "| expression | arguments | dtypes | cases | derivatives |",
            "| --- | --- | --- | --- | --- |",
            *map(line, rows(family)),
        ]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")

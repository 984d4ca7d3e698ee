"""Every row of the table, on every dtype, edge value, layout and size."""

from __future__ import annotations

from typing import Any

import pytest

from tests.conformance.row import Row
from tests.conformance.run import Batch, compare_interpreter
from tests.conformance.slopes import Slope, compare_in_c
from tests.conformance.table import FAMILIES, covering, is_compiled, rows, runs, slopes
from tests.support.extent import ALL, EXTENT, is_always_taken


def _parameters(compiled: bool) -> list[Any]:
    """Return functions of the table; for ``most`` every row in a dtype, and a few of the others."""
    functions = runs(compiled)
    always = covering(functions) if compiled else set()
    ids = [f"{family}-{dtype}-{n}" for n, (family, dtype, _) in enumerate(functions)]
    return [
        pytest.param(dtype, batch, id=name)
        for n, (name, (_, dtype, batch)) in enumerate(zip(ids, functions, strict=True))
        if EXTENT != "most" or n in always or is_always_taken(name, 4)
    ]


SLOPES = [
    pytest.param(batch, id=f"{family}-{number}") for number, (family, batch) in enumerate(slopes())
]


@pytest.mark.needs_cc
@pytest.mark.parametrize(("dtype", "batch"), _parameters(True))
def test_rows(dtype: str, batch: list[Row]) -> None:
    Batch(batch, dtype).run()


if ALL:

    @pytest.mark.parametrize(("dtype", "batch"), _parameters(False))
    def test_rows_that_are_compiled_with_another_dtype(dtype: str, batch: list[Row]) -> None:
        compare_interpreter(batch, dtype)


@pytest.mark.needs_cc
@pytest.mark.parametrize("batch", SLOPES)
def test_derivatives(batch: list[Row]) -> None:
    made = [Slope(row) for row in batch]
    for slope in made:
        slope.check_by_differences()
    compare_in_c([slope for slope in made if is_compiled(slope.row)])


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_have_names_of_their_own(family: str) -> None:
    names = [row.name for row in rows(family)]
    assert len(set(names)) == len(names)

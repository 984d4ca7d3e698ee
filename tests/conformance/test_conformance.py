"""Every row of the table, on every dtype, edge value, layout and size."""

from __future__ import annotations

import pytest

from tests.conformance.row import Row
from tests.conformance.run import Batch
from tests.conformance.slopes import Slope, compare_in_c
from tests.conformance.table import FAMILIES, is_compiled, rows, runs, slopes

pytestmark = pytest.mark.needs_cc


RUNS = [
    pytest.param(dtype, batch, id=f"{family}-{dtype}-{number}")
    for number, (family, dtype, batch) in enumerate(runs())
]
SLOPES = [
    pytest.param(batch, id=f"{family}-{number}") for number, (family, batch) in enumerate(slopes())
]


@pytest.mark.parametrize(("dtype", "batch"), RUNS)
def test_rows(dtype: str, batch: list[Row]) -> None:
    Batch(batch, dtype).run()


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

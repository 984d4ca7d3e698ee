"""Every row of the conformance table on the emulated device."""

from __future__ import annotations

import pytest

from symtheano import config
from tests.conformance.run import Batch
from tests.conformance.table import covering, runs
from tests.support.cubins import assert_compiles
from tests.support.devices import DEVICE
from tests.support.extent import is_always_taken

RUNS = runs(True)


COVERING = covering(RUNS)
"""NVRTC takes seconds for a batch; its kernels for other dtypes differ in names of types alone."""
# Of the other batches, every eighth one runs.
BATCHES = [
    pytest.param(number, id=f"{family}-{dtype}-{number}")
    for number, (family, dtype, _) in enumerate(RUNS)
    if number in COVERING or is_always_taken(f"{family}-{dtype}-{number}", 8)
]


@pytest.mark.needs_cxx
@pytest.mark.one_in(8, most=1)
@pytest.mark.parametrize("number", BATCHES)
def test_rows(number: int) -> None:
    """Kernels give the interpreter's results when emulated, and NVRTC takes them."""
    _, dtype, batch = RUNS[number]
    with config.change_flags(device=DEVICE):
        compiled = Batch(batch, dtype)
        compiled.run()
    source = compiled.f.stages.built.device
    assert source is not None
    if number in COVERING:
        assert_compiles(source, f"{dtype} {batch[0].name}", few=True)

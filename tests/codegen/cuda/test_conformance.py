"""Every row of the conformance table on the emulated device."""

from __future__ import annotations

import pytest

from symtheano import config
from tests.conformance.row import Row
from tests.conformance.run import Batch
from tests.conformance.table import runs
from tests.support.cubins import assert_compiles
from tests.support.devices import DEVICE

BATCHES = [
    pytest.param(dtype, batch, id=f"{family}-{dtype}-{number}")
    for number, (family, dtype, batch) in enumerate(runs(True))
]


@pytest.mark.needs_cxx
@pytest.mark.parametrize(("dtype", "batch"), BATCHES)
def test_rows(dtype: str, batch: list[Row]) -> None:
    """Kernels give the interpreter's results when emulated, and NVRTC takes them."""
    with config.change_flags(device=DEVICE):
        compiled = Batch(batch, dtype)
        compiled.run()
    source = compiled.f.stages.built.device
    assert source is not None
    assert_compiles(source, f"{dtype} {batch[0].name}")

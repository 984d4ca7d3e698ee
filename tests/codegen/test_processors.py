"""The processors: their numbers fit each other, and a device has threads."""

from __future__ import annotations

import pytest

from symtheano.codegen.devices import CUDA
from symtheano.codegen.processors import CPU
from symtheano.codegen.targets import Target


@pytest.mark.parametrize("target", [CPU, CUDA], ids=lambda target: target.name)
def test_numbers_fit_each_other(target: Target) -> None:
    assert target.channels <= target.unrolled <= target.row
    assert target.lanes <= target.block
    assert target.interleaves(target.channels)
    assert target.row_chunks <= target.chunks
    assert target.line <= target.burst  # a block in which a position is searched has whole lines
    assert target.burst % target.line == 0
    assert target.near >= 8 * 8 * 16  # the smallest tile of the widest elements
    assert target.device.threads % target.device.warp == 0

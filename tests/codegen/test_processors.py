"""The processors: their numbers fit each other, and a device has threads."""

from __future__ import annotations

import pytest

from symtheano.codegen.devices import CUDA
from symtheano.codegen.processors import CPU
from symtheano.codegen.targets import Target


@pytest.mark.parametrize("target", [CPU, CUDA], ids=lambda target: target.name)
def test_numbers_fit_each_other(target: Target) -> None:
    assert target.rows.channels <= target.rows.unrolled <= target.rows.longest
    assert target.rows.lanes <= target.rows.block
    assert target.rows.interleaves(target.rows.channels)
    assert target.chunks.most_rows <= target.chunks.most
    assert (
        target.caches.line <= target.caches.burst
    )  # a block in which a position is searched has whole lines
    assert target.caches.burst % target.caches.line == 0
    assert target.caches.near >= 8 * 8 * 16  # the smallest tile of the widest elements
    assert target.device.threads % target.device.warp == 0

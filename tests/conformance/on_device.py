"""Rows of the conformance table on a device: which functions a test takes, and what it checks."""

from __future__ import annotations

from typing import Any

import pytest

from symtheano import config
from tests.conformance.run import Batch
from tests.conformance.table import covering, runs
from tests.support.cubins import assert_compiles
from tests.support.devices import DEVICE
from tests.support.extent import is_always_taken
from tests.support.toolchains import unoptimized

RUNS = runs(True)
COVERING = covering(RUNS)
"""Functions that have all rows. Kernels of the others differ from theirs in names of types alone,
so every sixteenth one of them runs."""
ROUTINES = frozenset(
    "convolutions fourier linalg loops networks nnet pooling products randomness sparse_matrices "
    "structured".split()
)
"""Families of routines, of half the work, so that two processes share it."""


def numbers(routines: bool) -> list[Any]:
    """Return the numbers of functions, of routines or of others, as parameters of a test."""
    return [
        pytest.param(number, id=f"{family}-{dtype}-{number}")
        for number, (family, dtype, _) in enumerate(RUNS)
        if (family in ROUTINES) == routines
        and (number in COVERING or is_always_taken(f"{family}-{dtype}-{number}", 16))
    ]


def check(number: int) -> None:
    """Fail unless kernels give the interpreter's results when emulated, and NVRTC takes them."""
    _, dtype, batch = RUNS[number]
    with config.change_flags(device=DEVICE, cc=unoptimized()):
        compiled = Batch(batch, dtype)
        compiled.run(numpy=False)
    source = compiled.f.stages.built.device
    assert source is not None
    if number in COVERING:
        assert_compiles(source, f"{dtype} {batch[0].name}", few=True)

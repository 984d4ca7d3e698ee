"""Place: small arrays get memory that all threads which use them share."""

from __future__ import annotations

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.place import place
from symtheano.codegen.passes.cuda.synchronize import synchronize
from symtheano.loopir import Local
from symtheano.loopir.names import walk
from tests.codegen.passes.change import TINY, Golden, before, change
from tests.codegen.passes.cuda.programs import cuda_program, emulated, steps_between_threads
from tests.codegen.passes.kernels import v, x, y

FIRST, THEN = before(place, CUDA.passes), [synchronize]


def test_a_tile_is_in_the_memory_of_a_block(golden: Golden) -> None:
    found = change(place, [x, y], x + y.T, first=FIRST, then=THEN, target=TINY)
    golden(found.text, "passes/cuda/place.txt")


def test_partial_sums_that_two_launches_use_are_in_the_devices_memory() -> None:
    found = change(place, [v], v.sum(), first=FIRST, then=THEN, target=TINY)
    (reason,) = (reason for reason in found.reasons if "_parts" in reason)
    assert reason == "sum_parts is in the device's memory: 2 launches use it"
    spaces = {s.buffer.name: s.buffer.space for s in walk(found.after.body) if isinstance(s, Local)}
    assert spaces["sum_parts"] == "local"


def test_no_small_array() -> None:
    found = change(place, [x], x * 2, first=FIRST, target=TINY)
    found.assert_refused("not, there is no small array")


@pytest.mark.needs_cxx
def test_transposed_axes_of_batches() -> None:
    """Both sides of a transpose are accessed by neighbours, from tile to tile."""
    orders = [(0, 2, 1), (2, 1, 0), (2, 0, 1), (0, 2, 3, 1), (0, 3, 1, 2), (3, 2, 1, 0)]
    inputs = [T.tensor(dtype="float32", shape=(None,) * len(order)) for order in orders]
    outputs = [T.sqr(x.transpose(*order)) for x, order in zip(inputs, orders, strict=True)]
    program = cuda_program(inputs, outputs)
    assert len(program.kernels) == len(outputs)
    for kernel in program.kernels:
        assert steps_between_threads(kernel.body) == {"1"}
    rng = np.random.default_rng(0)
    shapes = ((2, 37, 3, 2)[: len(order)] for order in orders)
    values = [rng.normal(size=shape).astype("float32") for shape in shapes]
    results = emulated(inputs, outputs)(*values)
    for result, value, order in zip(results, values, orders, strict=True):
        np.testing.assert_array_equal(result, value.transpose(order) ** 2)

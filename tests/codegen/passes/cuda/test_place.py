"""Place: small arrays get memory that all threads which use them share."""

from __future__ import annotations

from symtheano.codegen.devices import CUDA
from symtheano.codegen.passes.cuda.place import place
from symtheano.codegen.passes.cuda.synchronize import synchronize
from symtheano.loopir import Local
from symtheano.loopir.names import walk
from tests.codegen.passes.change import TINY, Golden, before, change
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

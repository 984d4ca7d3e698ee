"""The memory of large outputs: where it begins, and that it is NumPy's in every other respect."""

from __future__ import annotations

import gc
import pickle
import tracemalloc
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function, shared
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.runtime.dispatch import load_dispatcher
from symtheano.config import config
from symtheano.function.stages import open_cache

pytestmark = pytest.mark.needs_cc

Array = np.ndarray[Any, Any]
PAGE = 4096
N = 20_000


@pytest.fixture(scope="module")
def add() -> Any:
    """Return a function that adds two vectors, called by the dispatcher."""
    store = open_cache(config.snapshot())
    load_dispatcher(find_toolchain(directory=store.directory), store)
    x, y = T.vectors("x", "y")
    return function([x, y], x + y, mode=Mode("c"))


def placed(place: int, count: int = N) -> Array:
    """Return numbers whose first one is at a place in its page."""
    memory = np.empty(8 * count + PAGE, np.uint8)
    first = (place - memory.ctypes.data) % PAGE
    array = memory[first : first + 8 * count].view(np.float64)
    array[...] = np.arange(count)
    return array


def distance(output: Array, *inputs: Array) -> int:
    """Return after how many bytes of loads one meets the place of the last store."""
    return min((output.ctypes.data - each.ctypes.data - 1) % PAGE for each in inputs)


@pytest.mark.parametrize("place", [0, 16, 48, 64, 1040, PAGE - 8])
def test_output_begins_where_the_input_does(add: Any, place: int) -> None:
    x = placed(place, N + place)  # of another length each time, so that no memory is used again
    result = add(x, x)
    assert result.ctypes.data % 64 == 0
    assert distance(result, x) >= PAGE - 64
    assert (result == 2 * x).all()


def test_output_is_far_from_both_inputs(add: Any) -> None:
    # Arrays of a power of two of bytes that NumPy allocates one after the other.
    for more, places in enumerate([(16, 32), (32, 16), (0, 128), (128, 4000)], 1):
        x, y = (placed(place, N + more) for place in places)
        result = add(x, y)
        assert distance(result, x, y) >= PAGE // 2 - 64
        assert (result == x + y).all()


def test_sizes_around_the_limit(add: Any) -> None:
    for count in (0, 1, (1 << 14) - 1, 1 << 14, (1 << 14) + 1):
        x = placed(24, count)
        result = add(x, x)
        assert result.shape == (count,)
        assert (result == 2 * x).all()


def test_memory_belongs_to_the_array(add: Any) -> None:
    x = placed(16)
    result = add(x, x)
    assert result.flags.owndata
    assert result.base is None
    assert (pickle.loads(pickle.dumps(result)) == result).all()
    assert (result.copy() == result).all()


@pytest.mark.parametrize("count", [0, 10, N - 1, 3 * N])
def test_array_can_be_resized(add: Any, count: int) -> None:
    x = placed(16)
    result = add(x, x)
    wanted = np.resize(2 * x, count) if count <= N else np.append(2 * x, np.zeros(count - N))
    result.resize(count, refcheck=False)
    assert (result == wanted).all()
    assert (add(x, x) == 2 * x).all()  # what the caller changed is not used again


def test_memory_is_freed(add: Any) -> None:
    x = placed(16)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        kept = [add(x, x) for _ in range(50)]  # a few reuse memory
        assert tracemalloc.get_traced_memory()[0] - before > 40 * 8 * N
        assert len({each.ctypes.data for each in kept}) == 50
        del kept
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 5 * 8 * N
    finally:
        tracemalloc.stop()


def test_handler_of_the_program_is_restored(add: Any) -> None:
    x = placed(16)
    add(x, x)
    names = {np._core.multiarray.get_handler_name(each) for each in (np.empty(5), np.empty(N))}
    assert names == {"default_allocator"}


@pytest.mark.parametrize("count", [1, 3, 1000])
def test_small_results_are_used_again_once_they_are_dropped(add: Any, count: int) -> None:
    x = np.arange(float(count))
    first, second = add(x, x), add(x, x)
    address = first.ctypes.data
    first[...] = -1
    del first
    others = [np.empty(count) for _ in range(8)]  # would get the memory if it had been freed
    third = add(x, x + 1)
    assert third.ctypes.data == address
    assert (third == 2 * x + 1).all()
    assert (second == 2 * x).all()
    assert all(each.ctypes.data != address for each in others)
    kept = [add(x, x + k) for k in range(5)]
    for k, each in enumerate(kept):
        assert (each == 2 * x + k).all()


@pytest.mark.parametrize(("ahead", "moves"), [(16, True), (128, True), (0, False), (4096, False)])
def test_values_that_would_hold_up_loads_are_moved_once(add: Any, ahead: int, moves: bool) -> None:
    count, near = 1 << 17, 1 << 20
    w, y = shared(np.zeros(count), "w"), T.vector("y")
    f = function([y], updates={w: w + y}, mode=Mode("c"))

    def address() -> int:
        return int(w.get_value(borrow=True).ctypes.data)

    before = address()
    memory = np.zeros(8 * count + near, np.uint8)
    first = (before - ahead - memory.ctypes.data) % near
    value = memory[first : first + 8 * count].view(np.float64)
    value[...] = np.arange(count)
    f(value)
    after = address()
    assert (after != before) == moves
    assert not 0 < (after - value.ctypes.data) % near <= 128
    f(value)
    assert address() == after
    assert (w.get_value() == 2 * value).all()

"""Memory for temporaries: kept between calls, of one's own in each call, given back."""

from __future__ import annotations

import gc
import resource
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Function, Op, function
from symtheano.graph.variable import Apply

pytestmark = pytest.mark.needs_cc

ROWS, COLUMNS = 1 << 17, 8
MEGABYTES = ROWS * COLUMNS * 8 >> 20
W = np.eye(COLUMNS)[::-1].copy() * 2


def twice_product() -> Function:
    """Return a function whose one temporary is as large as its input."""
    x, w = T.matrix("x"), T.matrix("w")
    f = function([x, w], T.dot(T.dot(x, w), w).sum(axis=1))
    assert "st_arena_open(" in f.c_source
    return f


def values(scale: float = 1.0, rows: int = ROWS) -> np.ndarray[Any, Any]:
    return np.arange(rows * COLUMNS, dtype="float64").reshape(rows, COLUMNS) * scale


def page_faults(run: Callable[[], object]) -> int:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    run()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def released(f: Function) -> int:
    """Return how many megabytes of workspaces no call was using; they are free then."""
    return int(f._release()) >> 20


def test_temporaries_use_the_memory_of_earlier_calls() -> None:
    f, x = twice_product(), values()
    for _ in range(3):
        f(x, W)
    pages = x.nbytes // resource.getpagesize()

    def use() -> None:
        for _ in range(10):
            f(x, W)

    assert page_faults(use) < pages


HUGE = Path("/sys/kernel/mm/transparent_hugepage/enabled")


@pytest.mark.skipif(
    not HUGE.exists() or "[never]" in HUGE.read_text("utf-8"), reason="no huge pages"
)
def test_large_temporaries_have_huge_pages() -> None:
    f, x = twice_product(), values(rows=4 * ROWS)
    f(values(), W)
    released(f)
    # The result has an eighth of the temporary's pages; one page fault may bring 512 of them.
    assert page_faults(lambda: f(x, W)) < x.nbytes // resource.getpagesize() // 2


def test_functions_share_the_memory() -> None:
    f, g = twice_product(), twice_product()
    released(f)
    x = values()
    f(x, W)
    needed = released(f)
    assert needed >= MEGABYTES
    for _ in range(3):
        f(x, W)
        g(x, W)
    assert released(f) == needed
    assert released(g) == 0


def test_calls_side_by_side_have_memory_of_their_own() -> None:
    f = twice_product()
    inputs = [values(1.0 + k, ROWS >> k) for k in range(4)]
    wanted = [f(x, W).tobytes() for x in inputs]
    needed = released(f)
    wrong = [0] * len(inputs)

    def work(number: int) -> None:
        for _ in range(15):
            wrong[number] += f(inputs[number], W).tobytes() != wanted[number]

    threads = [threading.Thread(target=work, args=(k,)) for k in range(len(inputs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == [0] * len(inputs)
    assert released(f) <= len(inputs) * needed


class CallsAgain(Op):
    """Doubles its input, after another call of the function that it is part of."""

    __props__ = ()
    again: Callable[[Any], object] | None = None

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type()])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        again, CallsAgain.again = CallsAgain.again, None
        if again is not None:
            again(-inputs[0])
        output_storage[0][0] = 2 * inputs[0]


def test_a_call_within_a_call_has_memory_of_its_own() -> None:
    x, w = T.matrix("x"), T.matrix("w")
    y = T.dot(x, w)
    f = function([x, w], T.dot(y, w).sum(axis=1) + CallsAgain()(y).sum(axis=1))
    value = values(1.0, 100)
    expected = f(value, W)
    CallsAgain.again = lambda other: f(other, W)
    np.testing.assert_array_equal(f(value, W), expected)
    assert CallsAgain.again is None


def test_large_memory_that_calls_can_do_without_is_given_back() -> None:
    f = twice_product()
    released(f)
    f(values(), W)
    small = values(1.0, 100)
    for _ in range(100):
        f(small, W)
    assert released(f) == 0


def test_memory_goes_with_a_function() -> None:
    f, g = twice_product(), twice_product()
    f(values(), W)
    del f
    gc.collect()
    assert released(g) == 0


def test_free_gives_memory_back() -> None:
    f = twice_product()
    expected = f(values(), W)
    f.free()
    assert released(f) == 0
    np.testing.assert_array_equal(f(values(), W), expected)

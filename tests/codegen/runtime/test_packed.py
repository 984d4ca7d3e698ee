"""Packed filters of functions: once per function, and freed with it."""

from __future__ import annotations

import ctypes
import gc
import pickle
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, scan, shared
from symtheano.codegen.runtime import packed
from symtheano.codegen.runtime.packed import PackedFilters
from symtheano.codegen.runtime.tables import wait_for_kernels
from symtheano.function.compiled import Function

pytestmark = pytest.mark.needs_cc

Array = np.ndarray[Any, Any]


def filters(seed: int) -> Array:
    return np.random.default_rng(seed).normal(size=(16, 16, 3, 3)).astype("float32")


def images(n: int = 2, length: int = 20) -> Array:
    return np.random.default_rng(n).normal(size=(n, 16, length, length)).astype("float32")


def convolving(weights: Any) -> Function:
    """Return a function that convolves images with constant or shared filters."""
    x = T.ftensor4("x")
    f = function([x], T.nnet.conv2d(x, weights))
    f(images())
    wait_for_kernels()
    return f


def kept(f: Function) -> int:
    """Return the number of filters that a function has packed and kept."""
    assert f._linked is not None
    assert f._linked.packed is not None
    return len(list(f._linked.packed))


def test_constant_filters_are_packed_once_for_any_number_of_items() -> None:
    constant, variable = convolving(T.constant(filters(0))), convolving(shared(filters(0)))
    for n in (2, 2, 3, 50):
        np.testing.assert_array_equal(constant(images(n)), variable(images(n)))
    assert (kept(constant), kept(variable)) == (1, 0)


def test_functions_with_the_same_text_have_their_own_filters() -> None:
    first, second = (convolving(T.constant(filters(seed))) for seed in (1, 2))
    assert first.c_source == second.c_source
    results = [f(images()) for f in (first, second)]
    for f, result, seed in zip((first, second), results, (1, 2), strict=True):
        np.testing.assert_array_equal(f(images()), result)
        np.testing.assert_array_equal(convolving(shared(filters(seed)))(images()), result)
        assert kept(f) == 1


def test_copies_pack_for_themselves() -> None:
    f = convolving(T.constant(filters(3)))
    expected = f(images())
    for other in (f.copy(), pickle.loads(pickle.dumps(f))):
        for _ in range(2):
            np.testing.assert_array_equal(other(images()), expected)


def test_threads_pack_at_the_same_time() -> None:
    f, expected = convolving(T.constant(filters(4))), convolving(shared(filters(4)))
    given = [images(2, length) for length in (20, 21, 22, 23, 24, 25)] * 4
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(f, given))
    for x, result in zip(given, results, strict=True):
        np.testing.assert_array_equal(result, expected(x))
    assert kept(f) >= 1


def test_each_call_of_a_loop_reads_what_the_first_has_packed() -> None:
    def iterated(weights: Any) -> Function:
        x = T.ftensor4("x")
        step = lambda state: T.tanh(T.nnet.conv2d(state, weights, border_mode="half"))  # noqa: E731
        result, _ = scan(step, outputs_info=x, n_steps=3)
        return function([x], result[-1])

    constant, variable = iterated(T.constant(filters(5))), iterated(shared(filters(5)))
    np.testing.assert_array_equal(constant(images()), variable(images()))
    assert kept(constant) <= 1


def test_blocks_are_freed_with_the_function(monkeypatch: pytest.MonkeyPatch) -> None:
    freed: list[int] = []
    real = packed._c_function("free")

    def noted(block: int) -> None:
        freed.append(block)
        real(block)

    f = convolving(T.constant(filters(6)))
    f(images())
    f(images(2, 40))
    assert f._linked is not None
    found = list(f._linked.packed or ())
    assert found
    found.append(f._linked.packed.address)
    monkeypatch.setattr(packed, "_c_function", lambda name: noted)
    del f
    gc.collect()
    # Other functions may go at the same time.
    assert sorted(block for block in freed if block in found) == sorted(found)


def test_a_call_by_an_object_that_is_collected_with_the_function() -> None:
    results: list[Array] = []

    class Last:
        def __del__(self) -> None:
            results.append(self.f(images(3)))

    last = Last()
    last.f = convolving(T.constant(filters(7)))  # type: ignore[attr-defined]
    wanted = last.f(images(3))  # type: ignore[attr-defined]
    last.itself = last  # type: ignore[attr-defined]
    del last
    gc.collect()
    np.testing.assert_array_equal(results[0], wanted)


def test_a_list_begins_empty() -> None:
    empty = PackedFilters()
    assert list(empty) == []
    assert ctypes.c_void_p.from_address(empty.address).value is None

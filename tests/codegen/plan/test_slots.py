"""Slots: which part of the workspace is used again."""

from __future__ import annotations

from symtheano.codegen.plan.slots import Workspace
from symtheano.loopir import Buffer, Index

N, M = Index.symbol("n"), Index.symbol("m")


def buffer(name: str, size: Index) -> Buffer:
    return Buffer(name, "float64", "arena", size)


def test_a_free_slot_of_the_same_size_is_used_again() -> None:
    space = Workspace()
    first = space.take(N * 8)
    second = space.take(N * 8)
    assert (first, second) == (0, 1)
    assert not space.is_free(first)
    space.release(first)
    assert space.is_free(first)
    assert space.take(N * 8) == first, "sizes are compared in bytes"
    assert space.take(M * 8) == 2


def test_the_first_free_slot_is_taken() -> None:
    space = Workspace()
    numbers = [space.take(N * 8) for _ in range(3)]
    for number in reversed(numbers):
        space.release(number)
        space.release(number)  # no second entry
    assert [space.take(N * 8) for _ in range(4)] == [0, 1, 2, 3]


def test_a_larger_slot_serves_if_both_sizes_are_known() -> None:
    space = Workspace()
    large = space.take(Index.of(10) * 8)
    space.release(large)
    assert space.take(Index.of(3) * 8) == large
    space.release(large)
    assert space.take(Index.of(11) * 8) == 1, "too small"
    assert space.take(N * 8) == 2, "of unknown size"


def test_the_last_buffer_of_a_slot_is_the_one_it_holds() -> None:
    space = Workspace()
    one, two = buffer("one", N), buffer("two", N)
    number = space.take(N * 8)
    space.put(number, [one])
    space.put(number, [two])
    assert space.holds(number, two)
    assert not space.holds(number, one)
    (slot,) = space.finished()
    assert (slot.buffers, slot.size) == ((one, two), N * 8)

"""Memories: what follows from where a buffer lies."""

from __future__ import annotations

from typing import get_args, get_type_hints

import pytest

from symtheano.loopir import Alias, Allocate, Buffer, Index, Local
from symtheano.loopir.memory import CHOSEN, CONSTANT, INPUT, LOCAL, MEMORIES, OUTPUT, SHARED, Memory
from symtheano.loopir.operands import Address

FOUR = Index.of(4)


def buffer(memory: Memory, size: Index = FOUR) -> Buffer:
    position = 0 if memory.numbered else None
    return Buffer("b", "float64", memory.name, size, position)  # type: ignore[arg-type]


@pytest.mark.parametrize("memory", MEMORIES.values(), ids=lambda memory: memory.name)
def test_what_memories_are(memory: Memory) -> None:
    assert buffer(memory).memory is memory
    assert memory.numbered == (memory in (INPUT, OUTPUT))
    assert memory.local == (memory in (LOCAL, SHARED))
    assert not memory.constant or (memory is CONSTANT and not memory.passed)


@pytest.mark.parametrize("memory", MEMORIES.values(), ids=lambda memory: memory.name)
def test_what_may_be_declared(memory: Memory) -> None:
    made = buffer(memory)
    for right, make in (
        (memory.local, lambda: Local(made)),
        (memory is OUTPUT, lambda: Allocate(made, (FOUR,))),
        (memory is CHOSEN, lambda: Alias(made, Address(buffer(INPUT), Index.of(0)))),
    ):
        if right:
            make()
        else:
            with pytest.raises(ValueError, match="LoopIR: "):
                make()


def test_memory_of_a_block_has_a_known_size() -> None:
    Local(buffer(LOCAL, Index.symbol("n")))
    with pytest.raises(ValueError, match="size is unknown"):
        Local(buffer(SHARED, Index.symbol("n")))


def test_every_name_is_that_of_a_memory() -> None:
    assert set(get_args(get_type_hints(Buffer)["space"])) == set(MEMORIES)

"""Memory of single steps: parts of the workspace, or the caller's if the size is known late."""

from __future__ import annotations

from symtheano.codegen.passes.arena import KernelMemory, LateMemory, known_early
from symtheano.codegen.passes.kernels import kernels
from symtheano.codegen.passes.reserve import reserve
from symtheano.codegen.processors import CPU
from symtheano.dataclass import replace
from symtheano.loopir import (
    Allocate,
    Buffer,
    Index,
    LetIndex,
    Local,
    Program,
    Reserve,
    Value,
)
from symtheano.loopir.names import walk
from tests.support.naive_programs import OUT, N, filled, program, program_context

M = Index.symbol("m")


def named(name: str) -> LetIndex:
    """Return a statement that defines an integer."""
    return LetIndex(Value(name, "int64"), N + 1)


def test_what_is_known_before_the_workspace_is_opened() -> None:
    assert known_early(program(named("m"), Reserve(), named("k"))) == {"n", "m"}
    assert known_early(program(named("m"))) == {"n"}
    memory = LateMemory(program(named("m"), Reserve(), named("k")))
    assert not memory.is_late([N * M, Index.of(3)])
    assert memory.is_late([N, M + Index.symbol("k")])


def test_memory_is_lent_at_positions_that_nothing_else_has() -> None:
    buffer = Buffer("own", "float64", "local", M)
    wanted = Buffer("own", "float64", "output", M + 2, 1)
    memory = LateMemory(program(Reserve(), Allocate(OUT, (N, N))))
    assert memory.allocation(buffer, 2) == Allocate(wanted, (M + 2,))
    assert memory.allocation(buffer).buffer.position == 2
    more = Allocate(Buffer("rows", "float64", "output", N, 5), (N,), Value("k", "int64"))
    assert LateMemory(program(Reserve(), more)).allocation(buffer).buffer.position == 6
    x = Buffer("x", "float64", "input", N, 0)
    donated = Program("f", (x,), (("n",),), (OUT, x), (Reserve(), Allocate(OUT, (N, N))))
    assert LateMemory(donated).allocation(buffer).buffer.position == 2


def test_kernels_share_parts_with_others_but_not_with_themselves() -> None:
    memory, used = KernelMemory(program(Reserve())), list[int]()
    first, second, third = (Buffer(name, "float64", "local", N) for name in ("a", "b", "c"))
    placed = [memory.place(buffer, used) for buffer in (first, second)]
    again = memory.place(third, [])
    assert [slot.buffers for slot in memory.slots] == [(placed[0], again), (placed[1],)]
    assert [slot.size for slot in memory.slots] == [8 * N] * 2
    assert isinstance(memory.place(replace(first, size=M), used), Allocate)
    assert len(memory.slots) == 2


def test_memory_of_kernels_is_a_part_of_the_workspace() -> None:
    naive = program(Reserve(), filled("first", 1.0, N), filled("second", 2.0, N))
    around = program_context()
    changed = reserve(kernels(naive, replace(CPU, passes=()), around), CPU, around)
    assert not any(isinstance(s, Local) for s in walk(changed.body))
    (slot,) = changed.arena
    assert (slot.size, [buffer.name for buffer in slot.buffers]) == (8 * N, ["own", "own"])

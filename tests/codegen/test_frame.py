"""The frame: what a program has once, around all of its regions."""

from __future__ import annotations

from typing import Any

from symtheano.codegen.frame import Frame
from symtheano.codegen.passes import CPU_PASSES
from symtheano.codegen.passes.trace import Trace
from symtheano.codegen.targets import CPU
from symtheano.loopir import Buffer, Builder, For, Index, Kernel, Literal, Local, Store, View
from symtheano.loopir.host import Tick
from symtheano.loopir.names import walk
from symtheano.loopir.nodes import LetIndex, Reduce, Update
from symtheano.loopir.operands import Value
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules

N = Index.symbol("n")
OUT = Buffer("out", "float64", "output", N * N, 0)


def frame(**options: Any) -> Frame:
    given: dict[str, Any] = {"measured": False, "passes": CPU_PASSES, "trace": None, "target": CPU}
    return Frame(Rewriter(default_rules()), **{**given, **options})


def filled(name: str, value: float, local: bool = False) -> Kernel:
    """Write a kernel that fills a matrix, by way of a vector of its own."""
    b = Builder()
    with b.loop("i", N, kind="independent") as i:
        if local:
            b.local("own", "float64", N)
        with b.loop("j", N, kind="independent") as j:
            b.store(View(OUT, (), (), i * N + j), [], Literal(value, "float64"))
    return Kernel(name, "fill", b.statements())


class Memory:
    """A plan that has no hidden outputs to lend."""

    hidden_buffer = None


def emitted(made: Frame, *kernels: Kernel) -> list[Any]:
    needed: list[Index] = []
    for kernel in kernels:
        made.emit_kernel(kernel, Memory(), needed.append)  # type: ignore[arg-type]
    return list(made.b.statements())


def test_a_kernel_is_emitted_after_its_passes() -> None:
    (kernel,) = emitted(frame(), filled("first", 1.0))
    kinds = [s.kind for s in walk([kernel]) if isinstance(s, For)]
    assert kinds == ["parallel simd"]
    assert not any(isinstance(s, Reduce | Update | Local) for s in walk([kernel]))
    (kernel,) = emitted(frame(passes=()), filled("first", 1.0))
    assert [s.kind for s in walk([kernel]) if isinstance(s, For)] == ["independent"] * 2


def test_kernels_of_one_form_are_changed_once_unless_somebody_looks() -> None:
    made = frame()
    emitted(made, filled("first", 1.0), filled("second", 1.0), filled("third", 2.0))
    assert len(made.repeats.found) == 1
    trace = Trace()
    looked = frame(trace=trace)
    emitted(looked, filled("first", 1.0), filled("second", 1.0))
    assert len(trace.kernels) == 2
    assert looked.repeats.found == []


def test_steps_are_told_if_they_are_measured() -> None:
    class Node:
        origin = None

    made = frame(measured=True)
    for label in ("one", "two"):
        made.tick(label, Node())  # type: ignore[arg-type]
    assert [s.step for s in made.b.statements() if isinstance(s, Tick)] == [0, 1]
    assert made.result.steps == [("one", None), ("two", None)]
    silent = frame()
    silent.tick("one", Node())  # type: ignore[arg-type]
    assert silent.b.statements() == ()


def test_the_workspace_opens_where_its_sizes_are_known() -> None:
    made = frame()
    made.b.emit(LetIndex(Value("before", "int64"), N))
    made.open()
    made.b.emit(LetIndex(Value("after", "int64"), N))
    body, arena = made.program()
    assert [s.target.name for s in body if isinstance(s, LetIndex)] == ["before", "after"]
    assert arena == ()


def test_a_loop_of_rows_is_one_that_threads_of_a_routine_can_run() -> None:
    row = frame().loop_of_rows(filled("rows", 1.0))
    assert row is not None
    assert row.kind == "independent"
    assert [s.kind for s in walk(row.body) if isinstance(s, For)] == ["simd"]
    assert frame().loop_of_rows(filled("rows", 1.0, local=True)) is None
    two = Kernel("two", "", filled("a", 1.0).body * 2)
    assert frame().loop_of_rows(two) is None
    store = Store(OUT, Index.of(0), Literal(1.0, "float64"))
    assert frame().loop_of_rows(Kernel("none", "", (store,))) is None

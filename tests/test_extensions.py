"""What one writes to extend the compiler: each part is added here, in one place, and used."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, config, function
from symtheano.codegen import convolutions
from symtheano.codegen.c.lines import Lines
from symtheano.codegen.c.printer import Printer
from symtheano.codegen.c.program import print_c
from symtheano.codegen.library import Algorithm
from symtheano.codegen.lower import lower
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.passes.trace import Context
from symtheano.codegen.processors import CPU
from symtheano.codegen.source import build
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.graph.op import Op
from symtheano.graph.variable import Apply
from symtheano.loopir import (
    Builder,
    Declare,
    For,
    Index,
    Kernel,
    Literal,
    NodeArrays,
    Program,
    Value,
    names,
    text as loopir_text,
)
from symtheano.loopir.builder import Names, Reader
from symtheano.loopir.operands import Operand, Parts
from symtheano.loopir.rewrite import Copier, with_loops
from symtheano.loopir.routine import Routine, signature
from symtheano.lowering import Element, Statements, contiguous
from symtheano.scalar import row, table
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.elemwise import elemwise

x = T.dvector("x")
X = np.linspace(-2, 3, 7)


class On(Mode):
    """A mode whose programs are for a target."""

    def __init__(self, target: Target) -> None:
        super().__init__()
        object.__setattr__(self, "processor", target)

    def target(self, device: str = "cpu") -> Target:
        return self.processor  # type: ignore[attr-defined,no-any-return]


# -- a scalar op: a row ----------------------------------------------------------------------------

bent = ScalarOp(
    name="bent",
    nin=1,
    numpy=lambda v: v / (1 + np.abs(v)),
    signature=row.floating,
    c={"f": "({0} / (1 + fabs{f}({0})))"},
    libm=("fabs",),
    derivative=lambda v, y: T.sqr(1 - abs(y)),
    doc="Identity, bent towards its limits -1 and 1.",
)


def test_a_scalar_op_is_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(table, "TABLE", {**table.TABLE, "bent": bent})
    y = elemwise(bent)(x)
    value, slope = function([x], [y, T.grad(y.sum(), x)])(X)
    np.testing.assert_allclose(value, X / (1 + np.abs(X)))
    np.testing.assert_allclose(slope, 1 / (1 + np.abs(X)) ** 2)


# -- an op on arrays: a class ----------------------------------------------------------------------


class Mirrored(Op):
    """A vector and its mirror image, one after the other."""

    __props__ = ()
    takes = "v"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [T.TensorType(inputs[0].dtype, (None,))]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [(2 * shapes[0][0],)]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = np.concatenate([inputs[0], inputs[0][::-1]])

    def pullback(self, inputs: Any, outputs: Any, gradients: Any) -> list[Any]:
        n, g = inputs[0].shape[0], gradients[0]
        return [g[:n] + g[n:][::-1]]

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        return [shapes[0][0]]

    @partial(Element, scalars=scalars)
    def lowering(
        self, b: Builder, node: Apply, index: Sequence[Index], read: Reader, scalars: list[Index]
    ) -> Operand:
        return read(0, [b.minimum(index[0], scalars[0] * 2 - 1 - index[0], "place")])


def test_an_array_op_is_a_class() -> None:
    y = Mirrored()(x)
    w = np.arange(14.0)
    value, slope = function([x], [T.exp(y), T.grad((y * w).sum(), x)])(X)
    np.testing.assert_allclose(value, np.exp([*X, *X[::-1]]))
    np.testing.assert_allclose(slope, w[:7] + w[:6:-1])


# -- a routine: a declaration, and an op that calls it ---------------------------------------------

_TEXT = """\
static void st_alternate_f64(const st_runtime *runtime, int64_t n, double *to, const double *from) {
    for (int64_t i = 0; i < n; i++) to[i] = i & 1 ? -from[i] : from[i];
}
"""
ALTERNATE = Routine(
    "alternate",
    signature("n, to: out float64, from: in float64"),
    lambda dtype: (_TEXT,),
    dtypes=("float64",),
)


class Alternate(Op):
    """A vector with every second sign changed."""

    __props__ = ()
    takes = "v"

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [inputs[0].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        output_storage[0][0] = inputs[0] * (-1.0) ** np.arange(len(inputs[0]))

    @partial(Statements, accepts=contiguous)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        (target,), (source,) = arrays.outputs, arrays.inputs
        b.call("alternate", target.size, target.address, source.address)


def test_a_routine_is_a_declaration_that_a_target_lists() -> None:
    target = replace(CPU, routines={**CPU.routines, "alternate": ALTERNATE})
    f = function([x], T.exp(Alternate()(x)), mode=On(target))
    np.testing.assert_allclose(f(X), np.exp(X * (-1.0) ** np.arange(7)))
    assert "st_alternate_f64(runtime, " in f.c_source
    with pytest.raises(NotImplementedError, match="alternate is not a routine of this target"):
        lower(f.stages.final, target=replace(CPU, routines={}))


# -- a pass: a function, and a line of the target's list -------------------------------------------


def backwards(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Let loops in lanes run backwards."""

    def change(loop: For) -> list[For] | None:
        if "simd" not in loop.kind or loop.reductions:
            return None
        context.note(loop, "backwards")
        there = {loop.index.name: loop.stop - 1 + loop.start - loop.index.index}
        copies = Copier(context.names, there).block(loop.body)
        return [replace(loop, body=tuple(copies))]

    return with_loops(kernel, change)


def test_a_pass_is_a_function_that_a_target_lists() -> None:
    target = replace(CPU, passes=(*CPU.passes, backwards))
    y = T.exp(x) * 3
    f, plain = function([x], y, mode=On(target)), function([x], y)
    np.testing.assert_array_equal(f(X), plain(X))
    texts = [build(g.stages.final, frozenset, target=t).source.text
             for g, t in ((f, target), (plain, CPU))]  # fmt: skip
    assert texts[0] != texts[1]
    assert "x[x_d0 - i - 1]" in texts[0]


# -- an algorithm of an own library: a file, and a line of the declaration ------------------------


def test_an_algorithm_is_a_file_and_a_line(tmp_path: Path) -> None:
    folder = Path(convolutions.LIBRARY.module).parent
    for file in folder.glob("*.c"):
        (tmp_path / file.name).write_text(file.read_text())
    (tmp_path / "nothing.c").write_text(
        "typedef struct nothing { int unused; } nothing;\n"
        "static int fits_nothing(const call *c, void *plan) { return c->w->n == 0; }\n"
        "static void plan_nothing(const call *c, void *plan, arena *memory) { }\n"
        "static void run_nothing(const call *c, const void *plan) { }\n"
    )
    library = convolutions.LIBRARY
    longer = replace(
        library,
        module=str(tmp_path / "__init__.py"),
        algorithms=(Algorithm("nothing", ("result",)), *library.algorithms),
    )
    before, after = library.text("f64"), longer.text("f64")
    assert after.count("run_nothing") == 2
    assert "{1 << RESULT, fits_nothing, plan_nothing, 0, run_nothing}," in after
    without = after.replace((tmp_path / "nothing.c").read_text() + "\n", "")
    assert len(without.splitlines()) == len(before.splitlines()) + 1
    (tmp_path / "all.c").write_text(after)
    command = [*find_toolchain(config.cc).command, "-fsyntax-only", str(tmp_path / "all.c")]
    subprocess.run(command, check=True)


# -- a statement of LoopIR: a class with its roles, a line of text, and a printer's method ---------


@dataclass(frozen=True)
class Observe:
    """Keep a value alive for a debugger."""

    value: Value
    parts = Parts(operands=("value",))


def _print_observe(printer: Printer, s: Observe, out: Lines) -> None:
    out.add(f"st_observe({printer.spell(s.value.name)});")


def test_a_statement_is_a_class_a_line_and_a_method(monkeypatch: pytest.MonkeyPatch) -> None:
    value = Value("v", "float64")
    monkeypatch.setitem(names._OPERANDS, Observe, names._getter(Observe.parts.operands))
    monkeypatch.setitem(names.PARTS, Observe, Observe.parts)
    monkeypatch.setitem(loopir_text._WRITERS, Observe, lambda s: f"observe {s.value.name}")
    monkeypatch.setattr(Printer, "observe", _print_observe, raising=False)
    monkeypatch.setitem(Printer.methods, Observe, "observe")
    statements = [Declare(value, Literal(1.0, "float64")), Observe(value)]
    assert names.operands(statements[1]) == (value,)
    assert loopir_text.statements_text(statements).splitlines()[1] == "observe v"
    (copy,) = Copier(Names(), values={"v": Value("w", "float64")}).statement(statements[1])
    assert copy == Observe(Value("w", "float64"))
    program = Program("f", (), (), (), tuple(statements))
    assert "    st_observe(v);" in print_c(program).text.splitlines()

"""Programs of LoopIR for the C printer, and what they are made with."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symtheano.codegen.abi import ABI
from symtheano.codegen.c.prelude import announcing
from symtheano.codegen.c.program import print_c
from symtheano.codegen.passes.outline import outlined
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.runtime.python_ops import ArraySpec, PythonOp
from symtheano.codegen.targets import COSTS
from symtheano.loopir import (
    Allocate,
    Buffer,
    Builder,
    Call,
    Check,
    Comment,
    If,
    Index,
    Kernel,
    Literal,
    Program,
    PythonCall,
    Value,
    View,
    While,
)
from symtheano.loopir.host import Interrupt, Reserve
from symtheano.loopir.program import Slot
from symtheano.loopir.verify import verify

Array = npt.NDArray[Any]


Run = Callable[..., list[Array]]


Golden = Callable[[str, str], None]


N, M, K = map(Index.symbol, "nmk")


ZERO = Index.of(0)


YES = Literal(True, "bool")


NASTY = "h = f(x) /* */ ??/ \\"


@dataclass(frozen=True)
class Line:
    """An origin."""

    place: str
    text: str


@dataclass(frozen=True)
class Case:
    """A program, and the views that its outputs are."""

    program: Program
    outputs: tuple[View, ...]

    def text(self) -> str:
        """Return the printed text without its beginning, which is the same in all files."""
        source = print_c(self.program, frozenset(["expf", "tanhf"]))
        first = "\n\n".join(text.strip("\n") for text in (ABI, announcing(COSTS)))
        head, found, tail = source.text.partition(first)
        assert found
        return head + tail.lstrip("\n")


def given(name: str, dtype: str, position: int, *shape: Index) -> View:
    return View.contiguous(Buffer(name, dtype, "input", _size(shape), position), shape)


def result(name: str, dtype: str, position: int, *shape: Index) -> View:
    return View.contiguous(Buffer(name, dtype, "output", _size(shape), position), shape)


def slot(name: str, dtype: str, space: Any, *shape: Index) -> View:
    return View.contiguous(Buffer(name, dtype, space, _size(shape)), shape)


def _size(shape: Sequence[Index]) -> Index:
    size = Index.of(1)
    for dim in shape:
        size = size * dim
    return size


def make(inputs: Sequence[View], outputs: Sequence[View], b: Builder, **more: Any) -> Case:
    """Make a program; dims of its inputs have the names that their views say."""
    seen: set[str] = set()
    dims = []
    for view in inputs:
        names = [str(dim) if str(dim).isidentifier() else "" for dim in view.shape]
        dims.append(tuple("" if name in seen else name for name in names))
        seen.update(names)
    program = Program(
        more.pop("name", "entry"),
        tuple(view.buffer for view in inputs),
        tuple(dims),
        tuple(view.buffer for view in outputs),
        b.statements(),
        **more,
    )
    verify(program)
    program = outlined(program, b.names)
    verify(program)
    return Case(program, tuple(outputs))


def axpy() -> Case:
    """Y = 2.5 x + y, with the user's lines."""
    x, y = given("x", "float32", 0, N), given("y", "float32", 1, N)
    out = result("out0", "float32", 0, N)
    b = Builder()
    same = b.let("eq", "bool", [Value("n", "int64"), Value("m", "int64")], "same")
    b.emit(Check(same, "shape", 7, (N, M)))
    b.emit(Allocate(out.buffer, out.shape))
    k = Builder(b.names)
    with k.loop("i", N, kind="parallel simd", work=N) as i:
        k.origin = Line("model.py:12", "scaled = 2.5 * x")
        scaled = k.let("mul", "float32", [k.load(x, [i]), Literal(2.5, "float32")])
        k.origin = Line("model.py:13", "out = scaled + y  # " + NASTY)
        k.store(out, [i], k.let("add", "float32", [scaled, k.load(y, [i])]))
    origins = (Line("model.py:12", "scaled = 2.5 * x"), Line("model.py:13", "out = scaled + y"))
    b.emit(Kernel("axpy", "scale and add", k.statements(), origins=origins))
    y = dataclasses.replace(y, shape=(M,))
    return make([x, y], [out], b, title="2.5 x + y")


def softmax() -> Case:
    """Softmax of each row: maximum, sum of exponentials, quotient."""
    x, out = given("x", "float32", 0, N, M), result("out0", "float32", 0, N, M)
    b = Builder()
    b.emit(Allocate(out.buffer, out.shape))
    k = Builder(b.names)
    with k.loop("i", N, kind="parallel", work=N * M * 20) as i:
        largest = k.declare("largest", Literal(-np.inf, "float32"))
        with k.loop("j", M, kind="simd", reductions=((largest, "maximum"),)) as j:
            k.assign(largest, k.let("maximum", "float32", [largest, k.load(x, [i, j])]))
        total = k.declare("total", Literal(0.0, "float32"))
        with k.loop("j", M, kind="simd", reductions=((total, "add"),)) as j:
            shifted = k.let("sub", "float32", [k.load(x, [i, j]), largest])
            power = k.let("exp", "float32", [shifted])
            k.store(out, [i, j], power)
            k.assign(total, k.let("add", "float32", [total, power]))
        with k.loop("j", M, kind="simd") as j:
            quotient = k.let("true_div", "float32", [k.load(out, [i, j]), total])
            k.store(out, [i, j], quotient)
    origin = Line("model.py:3", "p = T.nnet.softmax(x)")
    b.emit(Kernel("softmax", "softmax of rows", k.statements(), origins=(origin,)))
    return make([x], [out], b)


def total() -> Case:
    """Sum all elements: one partial sum for each chunk, then the sum of these."""
    chunk = 1000
    x, out = given("x", "float64", 0, N), result("out0", "float64", 0)
    b = Builder()
    b.emit(Allocate(out.buffer, ()))
    rounded = b.let("add", "int64", [Value("n", "int64"), Literal(chunk - 1, "int64")])
    chunks = b.let("int_div", "int64", [rounded, Literal(chunk, "int64")], "chunks")
    partial = slot("partial", "float64", "arena", chunks.index)
    k = Builder(b.names)
    with k.loop("c", chunks.index, kind="parallel", work=N) as c:
        stop = k.index_value((c + 1) * chunk, "stop")
        end = k.let("minimum", "int64", [stop, Value("n", "int64")], "end")
        sum_ = k.declare("sum", Literal(0.0, "float64"))
        with k.loop("i", end.index, c * chunk, kind="simd", reductions=((sum_, "add"),)) as i:
            k.assign(sum_, k.let("add", "float64", [sum_, k.load(x, [i])]))
        k.store(partial, [c], sum_)
    b.emit(Reserve())
    b.emit(Kernel("sum_of_chunks", "", k.statements()))
    k = Builder(b.names)
    whole = k.declare("whole", Literal(0.0, "float64"))
    with k.loop("c", chunks.index) as c:
        k.assign(whole, k.let("add", "float64", [whole, k.load(partial, [c])]))
    b.emit(Kernel("sum_of_sums", "", k.statements(), (whole,)))
    b.store(out, [], whole)
    return make([x], [out], b, arena=(Slot((partial.buffer,), chunks.index * 8),))


def collatz() -> Case:
    """Count steps of the Collatz sequence: a while loop, a branch, two results of a kernel."""
    x, out = given("x", "int64", 0, N), result("steps", "int64", 0, N)
    top = result("top", "int64", 1)
    b = Builder()
    b.emit(Allocate(out.buffer, out.shape))
    b.emit(Allocate(top.buffer, ()))
    k = Builder(b.names)
    highest = k.declare("highest", Literal(0, "int64"))
    checked = k.declare("checked", Literal(0, "int64"))
    with k.loop("i", N) as i:
        start = k.load(x, [i])
        k.emit(Check(k.let("gt", "bool", [start, Literal(0, "int64")]), "value", 3, (i,)))
        current, steps = k.declare("current", start), k.declare("steps_i", Literal(0, "int64"))
        with k.block() as test:
            go = k.let("neq", "bool", [current, Literal(1, "int64")], "go")
        with k.block() as body:
            rest = k.let("mod", "int64", [current, Literal(2, "int64")])
            odd = k.let("eq", "bool", [rest, Literal(1, "int64")], "odd")
            with k.block() as then:
                triple = k.let("mul", "int64", [current, Literal(3, "int64")])
                k.assign(current, k.let("add", "int64", [triple, Literal(1, "int64")]))
            with k.block() as otherwise:
                k.assign(current, k.let("int_div", "int64", [current, Literal(2, "int64")]))
            k.emit(If(odd, tuple(then), tuple(otherwise)))
            k.assign(steps, k.let("add", "int64", [steps, Literal(1, "int64")]))
            k.assign(highest, k.let("maximum", "int64", [highest, current]))
        k.emit(While(tuple(test), go, tuple(body)))
        k.store(out, [i], steps)
        k.assign(checked, k.let("add", "int64", [checked, Literal(1, "int64")]))
    b.emit(Kernel("collatz", "steps to one", k.statements(), (highest, checked)))
    b.store(top, [], b.let("sub", "int64", [highest, checked]))
    return make([x], [out, top], b)


def layer() -> Case:
    """Y = tanh(x w + b) by way of the arena; then a Python op sorts each row of it."""
    x, w = given("x", "float32", 0, N, K), given("w", "float32", 1, K, M)
    bias, out = given("bias", "float32", 2, M), result("out0", "float32", 0, N, M)
    product, spare = slot("product", "float32", "arena", N, M), slot("spare", "int8", "arena", N)
    ordered = slot("ordered", "float32", "arena", N, M)
    b = Builder()
    origin = Line("net.py:5", "h = T.tanh(T.dot(x, w) + b)")
    one, none = Literal(1.0, "float32"), Literal(0.0, "float32")
    a, c, t = x.address, w.address, product.address
    b.emit(Reserve())
    b.emit(Call(ROUTINES["gemm"], (False, False, N, M, K, one, a, K, c, M, none, t, M), origin))
    k = Builder(b.names)
    k.origin = origin
    with k.loop("i", N, kind="parallel", work=N * M * 20) as i, k.loop("j", M, kind="simd") as j:
        v = k.let("add", "float32", [k.load(product, [i, j]), k.load(bias, [j])])
        k.store(product, [i, j], k.let("tanh", "float32", [v]))
    b.emit(Interrupt())
    b.emit(Kernel("activation", "tanh(. + bias)", k.statements(), origins=(origin,)))
    b.emit(Interrupt())
    b.emit(Call(ROUTINES["zero"], (spare.address, N)))
    b.emit(Comment("sorted by a Python op", Line("net.py:6", NASTY)))
    rows, columns = Value("rows", "int64"), Value("columns", "int64")
    outputs = ((ordered.buffer, (rows, columns)),)
    b.emit(PythonCall(0, ((product.address, (N, M)),), outputs, Line("net.py:6", NASTY)))
    b.emit(Allocate(out.buffer, out.shape))
    b.emit(Interrupt())
    b.emit(Call(ROUTINES["copy"], (out.address, ordered.address, rows.index * columns.index)))
    arena = (Slot((spare.buffer,), N), Slot((product.buffer,), N * M * 4))
    return make([x, w, bias], [out], b, arena=arena)


def tables() -> Case:
    """Use a look-up table, a stack buffer of each thread's own, names which C reserves."""
    x, out = given("double", "int64", 0, N), result("exp", "float64", 0, N)
    table = slot("table", "float64", "constant", Index.of(4))
    recent = slot("recent", "float64", "stack", Index.of(2))
    b = Builder()
    b.emit(Allocate(out.buffer, out.shape))
    with b.loop("i", N, kind="parallel", work=N * 10**6, worker=Value("status", "int64")) as i:
        at = b.load(x, [i])
        b.store(recent, [ZERO], b.load(table, [at.index]))
        b.store(recent, [Index.of(1)], b.let("exp", "float64", [b.load(recent, [ZERO])]))
        b.store(out, [i], b.load(recent, [Index.of(1)]))
    values = [0.0, -0.0, 1.0, -np.inf]
    return make([x], [out], b, constants=((table.buffer, values),), name="main")


CASES = [axpy, softmax, total, collatz, layer, tables]


def sort_rows(function: Callable[[Array], Sequence[Any]]) -> PythonOp:
    spec = ArraySpec(np.dtype("float32"), 2)
    return PythonOp(function, (spec,), (spec,))

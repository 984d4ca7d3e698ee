"""The C printer: golden files of its text, and the values that the text computes."""

from __future__ import annotations

import ctypes
import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from symtheano import dtypes
from symtheano.codegen.abi import ABI, ErrorCode
from symtheano.codegen.build.cache import Cache
from symtheano.codegen.build.toolchain import Toolchain
from symtheano.codegen.c.program import print_c
from symtheano.codegen.record import OutputSpec
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.runtime import blas
from symtheano.codegen.runtime.load import CompiledEntry, EntryError
from symtheano.codegen.runtime.python_ops import ArraySpec, PythonOp
from symtheano.loopir import (
    Allocate,
    Buffer,
    Builder,
    Call,
    Check,
    Comment,
    For,
    If,
    Index,
    Kernel,
    Let,
    Literal,
    Program,
    PythonCall,
    Store,
    Value,
    View,
    While,
)
from symtheano.loopir.nodes import Address
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
        """Return the printed text without the ABI, which is the same in all files."""
        source = print_c(self.program, frozenset(["expf", "tanhf"]))
        head, found, tail = source.text.partition(ABI.rstrip("\n"))
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
    return Case(program, tuple(outputs))


@pytest.fixture
def run(cache: Cache, toolchain: Toolchain) -> Run:
    """Return a function that prints, compiles and calls a program."""

    def call(
        case: Case,
        *inputs: Array,
        threads: int = 1,
        python_ops: Sequence[PythonOp] = (),
        functions: Sequence[int] = (),
        use: Toolchain = toolchain,
    ) -> list[Array]:
        source = print_c(case.program, use.vector_functions)
        outputs = [
            OutputSpec(
                np.dtype(view.dtype),
                view.ndim,
                view.buffer.position if view.buffer.space == "input" else None,
            )
            for view in case.outputs
        ]
        table = blas.table(blas.find_blas(toolchain=use, cache=cache))
        entry = CompiledEntry(cache.obtain(source.text, use), source.entry, table, functions)
        return entry(inputs, outputs, python_ops, threads)

    return call


# -- programs ----------------------------------------------------------------------------------


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
    b.emit(Call(ROUTINES["gemm"], (False, False, N, M, K, one, a, K, c, M, none, t, M), origin))
    k = Builder(b.names)
    k.origin = origin
    with k.loop("i", N, kind="parallel", work=N * M * 20) as i, k.loop("j", M, kind="simd") as j:
        v = k.let("add", "float32", [k.load(product, [i, j]), k.load(bias, [j])])
        k.store(product, [i, j], k.let("tanh", "float32", [v]))
    b.emit(Kernel("activation", "tanh(. + bias)", k.statements(), origins=(origin,)))
    b.emit(Call(ROUTINES["zero"], (spare.address, N)))
    b.emit(Comment("sorted by a Python op", Line("net.py:6", NASTY)))
    rows, columns = Value("rows", "int64"), Value("columns", "int64")
    outputs = ((ordered.buffer, (rows, columns)),)
    b.emit(PythonCall(0, ((product.address, (N, M)),), outputs, Line("net.py:6", NASTY)))
    b.emit(Allocate(out.buffer, out.shape))
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


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_text(case: Callable[[], Case], golden: Golden) -> None:
    golden(case().text(), f"codegen/{case.__name__}.c")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_text_is_ascii_and_not_wide(case: Callable[[], Case]) -> None:
    text = print_c(case().program).text
    assert text.isascii()
    assert text == print_c(case().program).text
    # From the first function on; the text before it does not come from the printer.
    assert all(len(line) <= 100 for line in text[text.rindex("ST_KERNEL") :].splitlines())


@pytest.mark.needs_cc
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_text_compiles_without_openmp(
    case: Callable[[], Case], cache: Cache, toolchain: Toolchain
) -> None:
    flags = [flag for flag in toolchain.flags if flag not in ("-fopenmp", "-w")]
    strict = ("-fopenmp-simd", "-Wall", "-Werror", "-Wno-unused", "-Wno-attributes")
    source = print_c(case().program)
    assert cache.obtain(source.text, toolchain._replace(flags=(*flags, *strict))).exists()


# -- computed values ---------------------------------------------------------------------------

RNG = np.random.default_rng(0)


@pytest.mark.needs_cc
@pytest.mark.parametrize("size", [0, 1, 5, 100, 1000, 100_003])
@pytest.mark.parametrize("threads", [1, 2, 3])
def test_axpy(run: Run, size: int, threads: int) -> None:
    x, y = RNG.normal(size=(2, size)).astype("float32")
    (out,) = run(axpy(), x, y, threads=threads)
    np.testing.assert_array_equal(out, np.float32(2.5) * x + y)


@pytest.mark.needs_cc
def test_a_failed_check_says_what_and_where(run: Run) -> None:
    with pytest.raises(EntryError) as raised:
        run(axpy(), np.zeros(3, "float32"), np.zeros(4, "float32"))
    assert raised.value.code is ErrorCode.SHAPE
    assert raised.value.site == 7
    assert raised.value.values[:3] == (3, 4, 0)


@pytest.mark.needs_cc
@pytest.mark.parametrize("shape", [(3, 5), (0, 4), (4, 0), (1, 1), (2000, 300)])
def test_softmax(run: Run, shape: tuple[int, int]) -> None:
    x = RNG.normal(size=shape).astype("float32")
    one, two = (run(softmax(), x, threads=threads)[0] for threads in (1, 2))
    powers = np.exp(x - x.max(1, keepdims=True, initial=-np.inf))
    np.testing.assert_allclose(one, powers / powers.sum(1, keepdims=True), rtol=1e-5)
    assert one.tobytes() == two.tobytes()


@pytest.mark.needs_cc
def test_softmax_of_nan(run: Run) -> None:
    x = np.zeros((70, 70), "float32")
    x[range(70), range(70)] = np.nan
    assert np.isnan(run(softmax(), x)[0]).all()


@pytest.mark.needs_cc
@pytest.mark.parametrize("size", [0, 1, 999, 1000, 1001, 250_001])
def test_total_has_the_same_bits_on_any_number_of_threads(run: Run, size: int) -> None:
    x = RNG.normal(size=size)
    sums = [run(total(), x, threads=threads)[0] for threads in (1, 2, 5)]
    np.testing.assert_allclose(sums[0], x.sum(), atol=1e-9)
    assert len({s.tobytes() for s in sums}) == 1


@pytest.mark.needs_cc
def test_vectors_begin_where_they_begin_on_one_thread(run: Run) -> None:
    x, out = given("x", "float32", 0, N), result("y", "float32", 0, N)
    b = Builder()
    b.emit(Allocate(out.buffer, out.shape))
    with b.loop("i", N - 1, 1, kind="parallel simd") as i:
        b.store(out, [i], b.let("exp", "float32", [b.load(x, [i])]))
    case = make([x], [out], b)
    for size in (3, 255, 258, 259, 514, 520, 2050, 5000):
        x_ = RNG.normal(size=size).astype("float32")
        one, *more = (run(case, x_, threads=t)[0][1:-1] for t in (1, 2, 3, 7))
        np.testing.assert_allclose(one, np.exp(x_[1:-1]), rtol=1e-6)
        assert all(other.tobytes() == one.tobytes() for other in more)


@pytest.mark.needs_cc
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("start", "stop", "step"), [(2, 11, 3), (9, -1, -2), (5, 5, 1), (7, 2, 4)])
@pytest.mark.parametrize("kind", ["serial", "simd", "parallel", "parallel simd"])
def test_ranges(run: Run, start: int, stop: int, step: int, kind: str, threads: int) -> None:
    out = result("y", "int64", 0, Index.of(12))
    b = Builder()
    b.emit(Allocate(out.buffer, out.shape))
    b.emit(Call(ROUTINES["zero"], (out.address, Index.of(12))))
    with b.loop("i", stop, start, step=step, kind=kind) as i:
        b.store(out, [i], Literal(1, "int64"))
    (found,) = run(make([], [out], b), threads=threads)
    assert np.flatnonzero(found).tolist() == sorted(range(start, stop, step))


@pytest.mark.needs_cc
def test_while_and_if(run: Run) -> None:
    steps, top = run(collatz(), np.array([1, 6, 27]))
    assert steps.tolist() == [0, 8, 111]
    assert top == 9232 - 3


@pytest.mark.needs_cc
def test_a_check_in_a_kernel(run: Run) -> None:
    with pytest.raises(EntryError) as raised:
        run(collatz(), np.array([1, 0]))
    assert raised.value.code is ErrorCode.VALUE
    assert (raised.value.site, raised.value.values[0]) == (3, 1)


def sort_rows(function: Callable[[Array], Sequence[Any]]) -> PythonOp:
    spec = ArraySpec(np.dtype("float32"), 2)
    return PythonOp(function, (spec,), (spec,))


@pytest.mark.needs_cc
@pytest.mark.parametrize(("n", "k", "m"), [(3, 4, 5), (0, 4, 5), (3, 0, 5), (300, 20, 100)])
def test_layer(run: Run, n: int, k: int, m: int) -> None:
    x, w = RNG.normal(size=(n, k)).astype("float32"), RNG.normal(size=(k, m)).astype("float32")
    bias = RNG.normal(size=m).astype("float32")
    op = sort_rows(lambda t: [np.sort(t, 1)])
    (out,) = run(layer(), x, w, bias, threads=2, python_ops=[op])
    np.testing.assert_allclose(out, np.sort(np.tanh(x @ w + bias), 1), rtol=1e-4, atol=1e-6)


@pytest.mark.needs_cc
def test_what_a_python_op_raises(run: Run) -> None:
    def refuse(_: Array) -> Sequence[Any]:
        raise LookupError("no")

    x = np.zeros((2, 2), "float32")
    with pytest.raises(LookupError, match="no"):
        run(layer(), x, x, x[0], python_ops=[sort_rows(refuse)])


@pytest.mark.needs_cc
@pytest.mark.parametrize("threads", [1, 4])
def test_tables(run: Run, threads: int) -> None:
    x = np.array([0, 1, 2, 3] * 10)
    (out,) = run(tables(), x, threads=threads)
    np.testing.assert_allclose(out, np.exp([0.0, -0.0, 1.0, -np.inf] * 10))


@pytest.mark.needs_cc
def test_no_memory_for_the_arena(run: Run) -> None:
    x = given("x", "int8", 0, N)
    huge = slot("huge", "complex128", "arena", N, N, N, N, N)
    b = Builder()
    b.store(huge, [ZERO] * 5, Literal(0, "complex128"))
    case = make([x], [], b, arena=(Slot((huge.buffer,), huge.buffer.size * 16),))
    # 16 * 65536**5 is 2**84, which is 0 in 64 bits.
    for size in (3000, 65536):
        with pytest.raises(EntryError) as raised:
            run(case, np.zeros(size, "int8"))
        assert raised.value.code is ErrorCode.MEMORY
        assert raised.value.values[0] == (16 * size**5) % 2**64


@pytest.mark.needs_cc
def test_slots_lie_apart_and_buffers_of_one_slot_share_it(run: Run) -> None:
    x, out = given("x", "float64", 0, N, M), result("y", "float64", 0, Index.of(2))
    rows, columns = slot("rows", "float64", "arena", N), slot("columns", "float64", "arena", M)
    again = slot("again", "float64", "arena", N)
    b = Builder()
    b.store(rows, [N - 1], Literal(1.0, "float64"))
    b.store(columns, [ZERO], Literal(2.0, "float64"))
    b.emit(Allocate(out.buffer, out.shape))
    both = b.let("add", "float64", [b.load(rows, [N - 1]), b.load(columns, [ZERO])])
    b.store(out, [ZERO], both)
    b.store(again, [N - 1], Literal(5.0, "float64"))
    b.store(out, [Index.of(1)], b.load(rows, [N - 1]))
    arena = (Slot((rows.buffer, again.buffer), N * 8), Slot((columns.buffer,), M * 8))
    case = make([x], [out], b, arena=arena)
    for shape in ((100_000, 1), (1, 1), (8, 100_000), (9, 2)):
        assert run(case, np.zeros(shape))[0].tolist() == [3.0, 5.0]


@pytest.mark.needs_cc
def test_an_output_in_its_donor(run: Run) -> None:
    x = given("x", "float32", 0, N)
    b = Builder()
    with b.loop("i", N, kind="simd") as i:
        b.store(x, [i], b.let("neg", "float32", [b.load(x, [i])]))
    data = np.arange(5, dtype="float32")
    (out,) = run(make([x], [x], b), data)
    assert out is data
    assert data.tolist() == [0, -1, -2, -3, -4]


LITERALS = {
    "bool": [True, False],
    "uint8": [0, 255],
    "uint32": [2**32 - 1],
    "uint64": [2**64 - 1],
    "int8": [-128, 127],
    "int32": [-(2**31), 2**31 - 1],
    "int64": [-(2**63), 2**63 - 1],
    "float16": [0.1, 65504.0, 6e-8, np.inf, -0.0],
    "float32": [0.1, 3.4028235e38, 1e-45, -np.inf, np.nan, 123456789.0],
    "float64": [0.1, 5e-324, 1.7976931348623157e308, np.inf, np.nan, -0.0],
    "complex64": [complex(0.1, -0.0), complex(-np.inf, np.nan), complex(-0.0, 1e-45)],
    "complex128": [complex(0.1, -0.0), complex(np.nan, np.inf)],
}


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", LITERALS)
def test_literals_are_exact(run: Run, dtype: str) -> None:
    values = LITERALS[dtype]
    count = Index.of(len(values))
    stored, looked_up = result("y", dtype, 0, count), result("z", dtype, 1, count)
    table = slot("table", dtype, "constant", count)
    b = Builder()
    for out in (stored, looked_up):
        b.emit(Allocate(out.buffer, out.shape))
    for position, value in enumerate(values):
        b.store(stored, [Index.of(position)], Literal(value, dtype))
    b.emit(Call(ROUTINES["copy"], (looked_up.address, table.address, count)))
    found = run(make([], [stored, looked_up], b, constants=((table.buffer, values),)))
    expected = np.array(values, dtype)
    for out in found:
        np.testing.assert_array_equal(out, expected)
        assert np.signbit(out.real).tolist() == np.signbit(expected.real).tolist()
        assert np.signbit(out.imag).tolist() == np.signbit(expected.imag).tolist()


@pytest.mark.needs_cc
@pytest.mark.parametrize("source", dtypes.ALL)
def test_casts(run: Run, source: str) -> None:
    x = given("x", source, 0, N)
    outputs = [result(f"y{p}", dtype, p, N) for p, dtype in enumerate(dtypes.ALL)]
    b = Builder()
    for out in outputs:
        b.emit(Allocate(out.buffer, out.shape))
    with b.loop("i", N) as i:
        for out in outputs:
            b.store(out, [i], b.load(x, [i]))
    values = [0, 1, 2, 100] if source != "bool" else [False, True]
    if source in dtypes.SIGNED + dtypes.CONTINUOUS:
        values += [-3]
    data = np.array(values, source)
    if source in ("float64", "complex128"):
        # Rounded to float16 by way of float32 this would become 1.
        data = np.append(data, [1 + 2**-11 + 2**-40]).astype(source)
    with np.errstate(all="ignore"):
        for view, found in zip(outputs, run(make([x], outputs, b), data), strict=True):
            real = view.dtype not in (*dtypes.COMPLEX, "bool")
            wide = data.real if real else data
            if view.dtype in dtypes.UNSIGNED and dtypes.is_continuous(source):
                wide, found = wide[wide >= 0], found[data.real >= 0]
            np.testing.assert_array_equal(found, wide.astype(view.dtype), view.dtype)


@pytest.mark.needs_cc
def test_float16_is_computed_as_float_and_rounded_once(run: Run) -> None:
    x, out = given("x", "float16", 0, N), result("y", "float16", 0, N)
    b = Builder()
    b.emit(Allocate(out.buffer, out.shape))
    with b.loop("i", N, kind="simd") as i:
        v = b.load(x, [i])
        b.store(out, [i], b.let("mul", "float16", [v, b.let("exp", "float16", [v])]))
    data = np.array([0.0, -0.0, 1.5, 11.0, -20.0, np.inf, np.nan], "float16")
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(run(make([x], [out], b), data)[0], data * np.exp(data))


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", dtypes.COMPLEX)
def test_complex(run: Run, dtype: str) -> None:
    x, out = given("x", dtype, 0, N), result("y", dtype, 0)
    b = Builder()
    b.emit(Allocate(out.buffer, ()))
    total = b.declare("total", Literal(0, dtype))
    with b.loop("i", N, kind="simd", reductions=((total, "add"),)) as i:
        v = b.load(x, [i])
        term = b.let("true_div", dtype, [v, Literal(complex(0.5, 2.0), dtype)])
        b.assign(total, b.let("add", dtype, [total, term]))
    b.store(out, [], total)
    data = (RNG.normal(size=50) + 1j * RNG.normal(size=50)).astype(dtype)
    np.testing.assert_allclose(
        run(make([x], [out], b), data)[0], (data / (0.5 + 2j)).sum(), rtol=1e-5
    )


REDUCTIONS = [
    ("add", np.add, ("int8", "int64", "float32", "float64", "complex64")),
    ("mul", np.multiply, ("uint32", "float64", "complex128")),
    ("maximum", np.maximum, ("bool", "int8", "uint64", "float32", "float64", "complex64")),
    ("minimum", np.minimum, ("int32", "float16", "float64")),
    ("or_", np.bitwise_or, ("int64", "bool")),
    ("and_", np.bitwise_and, ("uint8", "int32", "bool")),
    ("xor", np.bitwise_xor, ("int16",)),
]


@pytest.mark.needs_cc
@pytest.mark.parametrize(
    ("op", "ufunc", "dtype"),
    [(op, ufunc, dtype) for op, ufunc, all_ in REDUCTIONS for dtype in all_],
)
def test_reductions(run: Run, op: str, ufunc: np.ufunc, dtype: str) -> None:
    x, out = given("x", dtype, 0, N), result("y", dtype, 0)
    b = Builder()
    b.emit(Allocate(out.buffer, ()))
    first = b.declare("first", b.load(x, [ZERO]))
    with b.loop("i", N, 1, kind="simd", reductions=((first, op),)) as i:
        b.assign(first, b.let(op, dtype, [first, b.load(x, [i])]))
    b.store(out, [], first)
    case = make([x], [out], b)
    data = (RNG.normal(size=60) * 2).astype(dtype)
    np.testing.assert_allclose(run(case, data)[0], ufunc.reduce(data, dtype=dtype), rtol=1e-5)
    if dtypes.is_continuous(dtype):
        for position in (0, 1, 17, 59):
            broken = data.copy()
            broken[position] = np.nan
            assert np.isnan(run(case, broken)[0])


@pytest.mark.needs_cc
def test_external_functions(run: Run) -> None:
    x, out = given("x", "float64", 0, N), result("y", "float64", 0, N)
    b = Builder()
    b.emit(Allocate(out.buffer, out.shape))
    k = Builder(b.names)
    with k.loop("i", N, kind="parallel") as i:
        k.store(out, [i], k.let("i0", "float64", [k.load(x, [i])]))
    b.emit(Kernel("bessel", "", k.statements()))
    case = make([x], [out], b)
    assert print_c(case.program).links == ("i0",)
    stand_in = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int)(lambda v, _: 3 * v)
    address = ctypes.cast(stand_in, ctypes.c_void_p).value
    data = np.array([1.0, 2.0])
    assert run(case, data, functions=[address])[0].tolist() == [3.0, 6.0]


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_blas_calls(run: Run, dtype: str) -> None:
    a, v = given("a", dtype, 0, N, M), given("v", dtype, 1, M)
    product, outer = result("y", dtype, 0, N), result("z", dtype, 1, N, M)
    square = result("s", dtype, 2)
    one, none = Literal(1.0, dtype), Literal(0.0, dtype)
    unit = Index.of(1)
    b = Builder()
    for out in (product, outer, square):
        b.emit(Allocate(out.buffer, out.shape))
    y, z = product.address, outer.address
    b.emit(Call(ROUTINES["gemv"], (False, N, M, one, a.address, M, v.address, unit, none, y, unit)))
    b.emit(Call(ROUTINES["copy"], (z, a.address, N * M)))
    b.emit(Call(ROUTINES["ger"], (N, M, Literal(2.0, dtype), y, unit, v.address, unit, z, M)))
    b.emit(
        Call(
            ROUTINES["dot"],
            (M, v.address, unit, Address(v.buffer, M - 1), Index.of(-1), square.address),
        )
    )
    rng = np.random.default_rng(1)
    data = [rng.normal(size=(3, 4)).astype(dtype), rng.normal(size=4).astype(dtype)]
    y_, z_, s_ = run(make([a, v], [product, outer, square], b), *data)
    np.testing.assert_allclose(y_, data[0] @ data[1], rtol=1e-4)
    np.testing.assert_allclose(z_, data[0] + 2 * np.outer(y_, data[1]), rtol=1e-4)
    np.testing.assert_allclose(s_, data[1] @ data[1][::-1], rtol=1e-4)


def test_names_that_c_or_the_file_would_misunderstand() -> None:
    text = tables().text()
    assert "int32_t main_(" in text
    assert "const int64_t *double_" in text
    assert "double *exp_" in text
    assert "const int64_t status_" in text


def test_the_prelude_holds_what_is_needed_and_no_more() -> None:
    text = make([], [], Builder()).text()
    assert "st_" not in text.replace("st_runtime", "").replace("st_array", "").replace(
        "st_error", ""
    )
    assert "#pragma" not in text
    assert "goto" not in text
    assert 'simd("notinbranch"), const)) float expf(float);' in softmax().text()
    assert "__attribute__((const)) double exp(double);" in tables().text()


def test_printing_takes_linear_time_and_no_recursion() -> None:
    b = Builder()
    v: Any = Literal(1.0, "float64")
    for _ in range(20_000):
        v = b.let("add", "float64", [v, v])
    assert print_c(make([], [], b).program).text.count("\n") > 20_000


def test_statements_inside_are_indented() -> None:
    b = Builder()
    out = slot("out", "float32", "stack", Index.of(1))
    inner = Store(out.buffer, ZERO, Literal(1.0, "float32"))
    b.emit(For(Value("i", "int64"), ZERO, Index.of(3), (If(YES, (inner,)),)))
    assert (
        "        if (true) {\n            out[0] = 1.0f;\n        }\n    }\n"
        in make([], [], b).text()
    )


def test_a_let_is_one_line() -> None:
    b = Builder()
    b.emit(Let(Value("v", "float32"), "sub", (Literal(1.0, "float32"), Literal(-1.0, "float32"))))
    assert "    const float v = 1.0f - (-1.0f);\n" in make([], [], b).text()

"""Statements in C: one line each, and the values that they compute."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from symtheano import dtypes
from symtheano.codegen.abi import ErrorCode
from symtheano.codegen.c.lines import Lines, origin_comment
from symtheano.codegen.c.needs import find_needs
from symtheano.codegen.c.printer import Printer
from symtheano.codegen.routines import ROUTINES
from symtheano.codegen.runtime.load import EntryError
from symtheano.loopir import (
    Allocate,
    Assign,
    Builder,
    Call,
    Check,
    Comment,
    Declare,
    For,
    If,
    Index,
    Leave,
    Let,
    LetIndex,
    Literal,
    Load,
    Partition,
    Prefetch,
    Reduce,
    Statement,
    Store,
    Value,
)
from symtheano.loopir.host import Poll, Tick
from symtheano.loopir.nodes import Alias, Choose, Swap
from symtheano.loopir.operands import Address, Expression
from symtheano.loopir.program import Program, Slot
from tests.codegen.c.programs import (
    YES,
    ZERO,
    Array,
    Line,
    M,
    N,
    Run,
    collatz,
    given,
    layer,
    make,
    result,
    slot,
    sort_rows,
)

RNG = np.random.default_rng(0)


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


@pytest.mark.needs_cc
def test_what_a_python_op_raises(run: Run) -> None:
    def refuse(_: Array) -> Sequence[Any]:
        raise LookupError("no")

    x = np.zeros((2, 2), "float32")
    with pytest.raises(LookupError, match="no"):
        run(layer(), x, x, x[0], python_ops=[sort_rows(refuse)])


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


X, T_ = given("x", "float32", 0, N).buffer, slot("t", "float32", "arena", N).buffer
HALF, PART = slot("h", "float16", "arena", N).buffer, slot("part", "float32", "chosen", N).buffer
V, S, COUNT = Value("v", "float32"), Value("s", "float32"), Value("count", "int64")


def printed(*statements: Statement) -> list[str]:
    """Return the lines of statements, without their indentation."""
    program = Program("entry", (X,), (("n",),), (), statements, (Slot((T_,), N * 4),))
    printer, out = Printer(program, find_needs(program)), Lines("entry")
    printer.block(statements, out)
    return [line.strip() for line in out.lines]


@pytest.mark.parametrize(
    ("statement", "line"),
    [
        (Let(V, "add", (S, Literal(2.0, "float32"))), "const float v = s + 2.0f;"),
        (Let(V, "exp", (S,)), "const float v = expf(s);"),
        (Let(V, "cast", (COUNT,)), "const float v = (float)count;"),
        (LetIndex(COUNT, N * M + 1, "of all"), "const int64_t count = m*n + 1;  /* of all */"),
        (Load(V, X, N - 1), "const float v = x[n - 1];"),
        (Store(X, ZERO, V), "x[0] = v;"),
        (Store(X, N * 2, Literal(-0.0, "float32")), "x[n*2] = -0.0f;"),
        (Declare(V, Literal(-np.inf, "float32")), "float v = -__builtin_inff();"),
        (Assign(V, S), "v = s;"),
        (Prefetch(X, N), "__builtin_prefetch(&x[n]);"),
        (Prefetch(X, N, write=True), "__builtin_prefetch(&x[n], 1);"),
        (Leave(YES), "if (true) break;"),
        (Leave(Expression("lt", "bool", (S, V))), "if (s < v) break;"),
        (Comment("rows"), "/* rows */"),
        (Tick(3), "if (runtime->tick) runtime->tick(runtime->context, 3);"),
        (Alias(PART, Address(X, N)), "const float *part = &x[n];"),
        (
            Choose(PART, YES, Address(X, ZERO), Address(T_, N)),
            "const float *part = true ? x : &t[n];",
        ),
        (Call(ROUTINES["zero"], (Address(X, N), M)), "st_zero(runtime, &x[n], m*4);"),
        (Check(YES, "shape", 7, (N, M)), "ST_REQUIRE(true, SHAPE, 7, n, m);"),
        (Check(YES, "value", 2), "ST_REQUIRE(true, VALUE, 2, 0);"),
    ],
    ids=lambda item: type(item).__name__.lower() if not isinstance(item, str) else "",
)
def test_a_statement_is_one_line(statement: Statement, line: str) -> None:
    assert printed(statement) == [line]


def test_a_partition_is_two_integers() -> None:
    rows = Value("rows", "int64")
    assert printed(Partition(rows, COUNT, N, M, 100, 8)) == [
        "const int64_t rows = st_chunk_rows(n, m, 100, 8);",
        "const int64_t count = (n + rows - 1) / rows;",
    ]


def test_pointers_are_exchanged() -> None:
    other = slot("other", "float32", "chosen", N).buffer
    named = Alias(PART, Address(X, N)), Alias(other, Address(T_, N))
    assert printed(*named, Swap(PART, other))[2:] == [
        "{", "const float *const st_before = part;", "part = other;", "other = st_before;", "}",
    ]  # fmt: skip
    written = printed(*named, Swap(PART, other), Store(other, ZERO, V))
    assert written[:2] == ["float *part = &x[n];", "float *other = &t[n];"]
    assert written[3] == "float *const st_before = part;"


def test_a_half_is_computed_as_a_float() -> None:
    half = Value("a", "float16")
    assert printed(Load(half, HALF, ZERO), Let(Value("b", "float16"), "add", (half, half))) == [
        "const _Float16 a = h[0];",
        "const _Float16 b = (_Float16)((float)a + (float)a);",
    ]


@pytest.mark.parametrize(
    ("step", "start", "stop", "head"),
    [
        (1, ZERO, N, "for (int64_t i = 0; i < n; i++) {"),
        (4, M, N, "for (int64_t i = m; i < n; i += 4) {"),
        (-1, N, ZERO, "for (int64_t i = n; i > 0; i--) {"),
        (-2, N, ZERO, "for (int64_t i = n; i > 0; i -= 2) {"),
    ],
)
def test_the_head_of_a_loop(step: int, start: Index, stop: Index, head: str) -> None:
    loop = For(Value("i", "int64"), start, stop, (Store(X, ZERO, V),), step=step)
    assert printed(loop) == [head, "x[0] = v;", "}"]


def test_lanes_name_what_they_reduce() -> None:
    sums = ((V, "add"), (S, "add"), (Value("most", "float32"), "maximum"))
    loop = For(Value("i", "int64"), ZERO, N, (), "simd", reductions=sums)
    assert printed(loop)[0] == (
        "#pragma omp simd reduction(+ : v, s) reduction(st_reduce_maximum_f32 : most)"
    )


def test_a_users_line_is_written_where_it_changes() -> None:
    line = Line("model.py:3", "y = x + 1")
    first, second = (Let(Value(name, "float32"), "neg", (S,), line) for name in "ab")
    comment = "/* model.py:3: y = x + 1 */"
    assert printed(first, second) == [comment, "const float a = -s;", "const float b = -s;"]
    assert origin_comment(Line("model.py:3", "")) == "/* model.py:3 */"


def test_what_only_passes_understand_is_not_printed() -> None:
    with pytest.raises(KeyError):
        printed(Reduce(V, "add", S))


def test_a_poll_that_no_pass_has_counted_is_refused() -> None:
    with pytest.raises(ValueError, match="no pass has counted"):
        printed(Poll())

"""What C and languages like it say alike, and how another language says more."""

from __future__ import annotations

from typing import ClassVar

from symtheano.codegen.c.lines import Lines
from symtheano.codegen.c.plain import PlainPrinter
from symtheano.codegen.c.printer import Printer
from symtheano.codegen.processors import CPU
from symtheano.loopir import Barrier, Buffer, Builder, For, Index, Let, Literal, Load, Value, View

N = Index.symbol("n")
X = Buffer("x", "float16", "input", N, 0)


class Language(PlainPrinter):
    """A language in which threads wait for each other, with another name of float16."""

    methods: ClassVar = {**PlainPrinter.methods, Barrier: "barrier"}
    half = "__half"

    def barrier(self, s: Barrier, out: Lines) -> None:
        out.add(f"wait({s.threads});")


def lines(printer: PlainPrinter, b: Builder) -> list[str]:
    out = Lines("f")
    printer.block(b.statements(), out)
    return [line.removeprefix("    ") for line in out.lines]


def test_another_language_says_more() -> None:
    b = Builder()
    with b.loop("i", N) as i:
        x = b.load(View.contiguous(X, (N,)), [i])
        b.store(View.contiguous(X, (N,)), [i], b.let("add", "float16", [x, x]))
    b.emit(Barrier("block"))
    assert lines(Language({"x": "x_"}), b) == [
        "for (int64_t i = 0; i < n; i++) {",
        "    const __half x_i = x_[i];",
        "    const __half v = (__half)((float)x_i + (float)x_i);",
        "    x_[i] = v;",
        "}",
        "wait(block);",
    ]


def test_loops_of_all_kinds_are_plain_loops() -> None:
    loop = For(Value("i", "int64"), N, Index.of(-1), (), "simd", -2)
    b = Builder()
    b.emit(loop)
    assert lines(PlainPrinter({}), b) == ["for (int64_t i = n; i > -1; i -= 2) {", "}"]


def test_doubles_are_rounded_to_halves_once() -> None:
    b = Builder()
    b.emit(Let(Value("h", "float16"), "cast", (Literal(0.1, "float64"),)))
    b.emit(Load(Value("g", "float16"), X, Index.of(0)))
    assert lines(Language({}), b) == ["const __half h = (__half)0.1;", "const __half g = x[0];"]


def test_c_prints_what_its_dialect_can_say() -> None:
    assert set(Printer.methods) == CPU.dialect.statements
    assert set(PlainPrinter.methods) < set(Printer.methods)

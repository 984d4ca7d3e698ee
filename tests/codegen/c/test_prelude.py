"""The text before the functions: what the statements need, and no more."""

from __future__ import annotations

import ctypes
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano import config, dtypes
from symtheano.codegen.c.needs import find_needs, library_functions
from symtheano.codegen.c.prelude import prelude, reduction_operator
from symtheano.codegen.native.toolchain import Toolchain, compile_shared, find_toolchain
from symtheano.codegen.passes.outline import outlined
from symtheano.codegen.routines import ROUTINES
from symtheano.dataclass import replace
from symtheano.loopir import (
    Allocate,
    Builder,
    For,
    If,
    Let,
    Literal,
    Load,
    Partition,
    Statement,
    Value,
)
from symtheano.loopir.builder import Names
from symtheano.loopir.nodes import Call, Check, Kernel
from symtheano.loopir.operands import Address
from symtheano.loopir.program import Program, Slot
from tests.codegen.c.programs import (
    ZERO,
    N,
    Run,
    given,
    make,
    result,
    slot,
    softmax,
    tables,
)

RNG = np.random.default_rng(0)


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


def test_the_prelude_holds_what_is_needed_and_no_more() -> None:
    text = make([], [], Builder()).text()
    assert "st_" not in text.replace("st_runtime", "").replace("st_array", "").replace(
        "st_error", ""
    )
    assert "#pragma" not in text
    assert "goto" not in text
    assert 'simd("notinbranch"), const)) float expf(float);' in softmax().text()
    assert "__attribute__((const)) double exp(double);" in tables().text()


EMPTY, COUNTER = prelude(find_needs(Program("f", (), (), (), ())), frozenset()), Value("i", "int64")


def text_for(*statements: Statement, **more: Any) -> str:
    """Return what statements add to the prelude of an empty program."""
    needs = find_needs(outlined(Program("f", (), (), (), statements, **more), Names()))
    text = prelude(needs, frozenset(["expf"]))
    assert text.startswith(EMPTY.rstrip("\n"))
    return text.removeprefix(EMPTY.rstrip("\n"))


BUFFER = slot("t", "float32", "arena", N).buffer
ONE = Literal(1.0, "float32")
SECTIONS = {
    "st_fail(": Check(Literal(True, "bool"), "value", 0),
    "#define ST_KERNEL": Kernel("k", "", ()),
    "st_my_share(": For(COUNTER, ZERO, N, (), "parallel"),
    "st_chunk_rows(": Partition(Value("r", "int64"), Value("c", "int64"), N, N, 1, 1),
    "#define ST_SCALAR": For(COUNTER, ZERO, N, (), "scalar"),
    "st_widened(": Load(Value("v", "float32x4"), BUFFER, ZERO),
    "st_half_load(": Load(Value("h", "float32"), replace(BUFFER, dtype="float16"), ZERO),
    "float expf(float);": Let(Value("v", "float32"), "exp", (ONE,)),
    "st_copy(": Call(ROUTINES["copy"], (Address(BUFFER, ZERO), Address(BUFFER, N), N)),
}


@pytest.mark.parametrize("words", SECTIONS)
def test_a_section_is_there_for_what_needs_it(words: str) -> None:
    assert words in text_for(SECTIONS[words])
    assert words in text_for(If(Literal(True, "bool"), (SECTIONS[words],)))
    others = [statement for other, statement in SECTIONS.items() if other != words]
    if words == "st_my_share(":  # copies are shared by threads
        others.remove(SECTIONS["st_copy("])
    if words == "#define ST_KERNEL":
        others = [SECTIONS["st_fail("], SECTIONS["st_chunk_rows("]]
    assert words not in text_for(*others)


def test_the_workspace_is_opened_by_a_function() -> None:
    assert "st_arena_open(" in text_for(arena=(Slot((BUFFER,), N * 4),))
    assert "st_arena_open(" not in text_for(SECTIONS["st_copy("])


def test_functions_of_the_c_library_are_declared_once() -> None:
    lets = [Let(Value(name, "float32"), "exp", (ONE,)) for name in "ab"]
    text = text_for(*lets)
    assert text.count("expf(float);") == 1
    assert "simd" in text
    program = Program("f", (), (), (), tuple(lets))
    assert list(library_functions(find_needs(program))) == ["expf"]
    assert "simd" not in prelude(find_needs(program), frozenset())


@pytest.mark.parametrize(
    ("op", "dtype", "operator"),
    [
        ("add", "float64", "+"),
        ("mul", "int8", "*"),
        ("add", "float16", "st_reduce_add_f16"),
        ("or_", "bool", "|"),
        ("maximum", "float32", "st_reduce_maximum_f32"),
    ],
)
def test_operators_of_reductions(op: str, dtype: str, operator: str) -> None:
    assert reduction_operator(op, dtype) == operator


ZONES = Path(__file__).parents[2] / "support" / "red_zones.h"
_TOUCHED = """
int printf(const char *, ...);
int main(int count, char **words) {
    static st_runtime runtime;
    const int64_t second = st_padded(40), bytes = second + st_padded(64);
    char *const arena = st_arena_open(&runtime, bytes, 1.0);
    for (int k = 0; k < 40; k++) arena[k] = 1;
    for (int k = 0; k < 64; k++) arena[second + k] = 1;
    printf("slots\\n");
    if (count > 1) arena[40 + (words[1][0] == 'b' ? 64 : 0)] = 2;
    st_arena_close(&runtime, arena);
    printf("end\\n");
    return 0;
}
"""


@pytest.mark.needs_cc
def test_sanitizers_see_what_is_between_slots(toolchain: Toolchain, tmp_path: Path) -> None:
    needs = find_needs(Program("f", (), (), (), (), arena=(Slot((BUFFER,), N * 4),)))
    source, made = tmp_path / "slots.c", tmp_path / "slots"
    source.write_text(prelude(needs, frozenset()) + _TOUCHED)
    for sanitized in (False, True):
        options = ["-fsanitize=address", "-include", str(ZONES)] if sanitized else []
        command = [*toolchain.command, "-std=gnu11", "-w", *options, str(source), "-o", str(made)]
        built = subprocess.run(command, capture_output=True, text=True, check=False)
        if sanitized and "asan" in built.stderr:
            pytest.skip("the compiler has no sanitizers")
        assert built.returncode == 0, built.stderr
        for place in ("", "after the first", "before the second"):
            environment = {**os.environ, "LD_PRELOAD": "", "ASAN_OPTIONS": "detect_leaks=0"}
            ran = subprocess.run([made, *[place[:1]] * bool(place)], capture_output=True, text=True,
                                 check=False, env=environment)  # fmt: skip
            seen = "use-after-poison" in ran.stderr
            assert seen == (sanitized and place != ""), ran.stderr
            assert ran.stdout == ("slots\nend\n" if not seen else ran.stdout)


@pytest.mark.needs_cc
def test_two_threads_have_about_as_much_to_do(tmp_path: Path) -> None:
    source = (
        EMPTY + text_for(SECTIONS["st_chunk_rows("]) + '\n__attribute__((visibility("default")))'
        "\nint64_t rows(int64_t n, int64_t unit, int64_t least, int64_t most) {"
        "\n    return st_chunk_rows(n, unit, least, most);\n}\n"
    )
    library = tmp_path / "chunks.so"
    compile_shared(source, library, find_toolchain(config.cc))
    function = ctypes.CDLL(str(library)).rows
    function.restype, function.argtypes = ctypes.c_int64, [ctypes.c_int64] * 4
    for n in (*range(40), 163, 200, 1000, 1290, 4095, 4096, 4097, 10**6, 10**9 + 7):
        for unit, least, most in ((1, 1, 8), (1, 100, 8), (200, 32768, 16), (7, 1 << 15, 64)):
            rows = function(n, unit, least, most)
            chunks = -(-n // rows)
            assert rows >= 1
            assert chunks <= most
            assert rows <= 128 or rows % 16 == 0 or chunks <= 1
            if chunks > 1 and n >= 40:
                assert -(-chunks // 2) * rows < 0.6 * n
                assert 2 * rows * unit >= least - 2 * unit

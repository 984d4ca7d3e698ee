"""Libraries without optimization."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest

from symtheano.codegen.native import parts
from symtheano.codegen.native.first_tier import compile_first_tier, unoptimized_toolchain
from symtheano.codegen.native.later import Later
from symtheano.codegen.native.parts import divide
from symtheano.codegen.native.toolchain import compile_shared, find_toolchain
from symtheano.errors import CompileError

pytestmark = pytest.mark.needs_cc

SUM = """\
ST_KERNEL float st_sum(const float *x) {
    float sum = 0;
    #pragma omp simd reduction(+:sum)
    for (int i = 0; i < 1024; i++) sum += x[i];
    return sum;
}
"""
TEXT = f"""\
#define ST_KERNEL static __attribute__((noinline))

{SUM}
ST_KERNEL float st_more(const float *x) {{
    return st_sum(x) + st_routine(x);
}}

__attribute__((visibility("default"))) float entry(const float *x) {{
    return st_more(x) + 1;
}}
""".replace("ST_KERNEL float st_sum", "float st_routine(const float *);\n\nST_KERNEL float st_sum")


@pytest.fixture(autouse=True)
def short_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "_SMALL", 0)
    monkeypatch.setattr(parts, "_LEAST_FREE", 0.0)


def test_fixed_functions_have_parts_of_their_own() -> None:
    division = divide(TEXT)
    assert division.free is not None
    fixed = [division.parts[number] for number in division.fixed]
    assert all("sum += x[i]" in part and "entry" not in part for part in fixed)
    assert "sum += x[i]" not in division.free
    assert "st_more(x) + 1" in division.free
    assert "st_sum(x) + st_routine(x)" in division.free


def test_both_libraries_have_the_same_objects(tmp_path: Path) -> None:
    toolchain = find_toolchain()
    quick = unoptimized_toolchain(toolchain)
    if quick is None:
        pytest.skip("this compiler or processor has no first tier")
    assert "-Og" in quick.flags
    assert quick.flags[-2:] == ("-Og", "-pipe")
    routine = tmp_path / "routine.c"
    routine.write_text("float st_routine(const float *x) { return x[1]; }\n")
    compile_shared(routine.read_text(), tmp_path / "r.o", toolchain.with_flags(["-c"]))
    objects = [Later.of((tmp_path / "r.o").read_bytes())]
    division = divide(TEXT)
    (tmp_path / "early").mkdir()
    made = compile_first_tier(division, objects, str(tmp_path / "early/first.so"), toolchain, quick)
    assert made.keys() == division.fixed
    for folder, compiled in (("a", made), ("b", {})):
        target = tmp_path / folder / "late.so"
        compile_shared(TEXT, target, toolchain, objects=objects, compiled=compiled)
    assert (tmp_path / "a/late.so").read_bytes() == (tmp_path / "b/late.so").read_bytes()
    values = (ctypes.c_float * 1024)(*(0.1 * k for k in range(1024)))
    sums = []
    for name in ("early/first.so", "a/late.so"):
        entry = ctypes.CDLL(str(tmp_path / name)).entry
        entry.restype = ctypes.c_float
        sums.append(entry(values))
    assert sums[0] == sums[1]


def test_errors_of_the_compiler_are_raised(tmp_path: Path) -> None:
    toolchain = find_toolchain()
    for broken in (TEXT.replace("x[i]", "y"), TEXT.replace("st_more(x) + 1", "y")):
        with pytest.raises(CompileError, match="undeclared"):
            compile_first_tier(divide(broken), (), str(tmp_path / "first.so"), toolchain, toolchain)


def test_flags_of_the_user_have_no_first_tier() -> None:
    assert unoptimized_toolchain(find_toolchain().with_flags(["-march=x86-64"])) is None
    assert unoptimized_toolchain(find_toolchain()._replace(flags=("-O2",))) is None

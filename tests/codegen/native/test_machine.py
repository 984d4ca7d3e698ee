"""The machine for which code is compiled: one line that tells its processor and C library."""

from __future__ import annotations

from pathlib import Path

import pytest

from symtheano.codegen.native import machine
from symtheano.codegen.native.machine import (
    cpu_identity,
    machine_identity,
    processor_levels,
    vector_functions,
)


def test_machine_is_described_the_same_each_time() -> None:
    before = cpu_identity(), vector_functions()
    cpu_identity.cache_clear()
    vector_functions.cache_clear()
    assert (cpu_identity(), vector_functions()) == before


def test_what_changes_between_two_readings_does_not_count(no_cpuinfo: Path) -> None:
    seen = set()
    for text in ("flags : fpu avx2\ncpu MHz : 800\n", "flags : fpu avx2\ncpu MHz : 4000\n",
                 "flags : fpu avx2\n\nflags : of the second processor\n"):  # fmt: skip
        no_cpuinfo.write_text(text)
        cpu_identity.cache_clear()
        seen.add(cpu_identity())
    assert len(seen) == 1
    no_cpuinfo.write_text("flags : fpu\n")
    cpu_identity.cache_clear()
    assert cpu_identity() not in seen


@pytest.mark.parametrize(
    "text", [None, "", "processor : 0\n", "model name : some\n\nflags : fpu\n"]
)
def test_a_processor_that_is_not_described(no_cpuinfo: Path, text: str | None) -> None:
    if text is not None:
        no_cpuinfo.write_text(text)
    assert cpu_identity() is None


def test_the_c_library_is_part_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    before = machine_identity("a processor")
    monkeypatch.setattr(machine.os, "confstr", lambda name: "glibc 9.99", raising=False)
    assert machine_identity("a processor") != before
    assert "glibc 9.99" in machine_identity("a processor")


def test_no_vector_functions_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine.platform, "machine", lambda: "riscv64")
    assert vector_functions.__wrapped__() == frozenset()


def test_functions_of_floats_and_doubles() -> None:
    names = vector_functions()
    assert not names or {"exp", "expf", "sin", "sinf", "pow", "powf"} <= names


V3 = "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 abm avx avx2 bmi1 bmi2 f16c fma movbe xsave"
V4 = f"{V3} avx512bw avx512cd avx512dq avx512f avx512vl"


@pytest.mark.parametrize(
    ("flags", "count"),
    [(V4, 3), (V3, 2), (V4.replace("fma ", ""), 1), ("fpu", 0), (V3.replace("pni", ""), 0)],
)
def test_levels_of_processors(no_cpuinfo: Path, flags: str, count: int) -> None:
    no_cpuinfo.write_text(f"processor : 0\nflags\t\t: fpu {flags} other\nbugs : avx512f\n")
    processor_levels.cache_clear()
    levels = ["x86-64-v2", "x86-64-v3", "x86-64-v4"]
    assert processor_levels() == set(levels[:count])
    processor_levels.cache_clear()

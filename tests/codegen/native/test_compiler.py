"""Running a compiler, and learning which flags it accepts."""

from __future__ import annotations

import platform
from pathlib import Path

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.native.compiler import (
    CompilerTroubleError,
    compiler_traits,
    find_executable,
    machine_of,
    run_compiler,
)
from symtheano.codegen.native.toolchain import Toolchain, compile_shared, find_toolchain
from symtheano.errors import CompileError
from tests.codegen.native.stand_ins import fake_compiler


def test_executables_are_found_as_the_shell_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "prog"
    program.touch()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_executable("prog") is None
    program.chmod(0o755)
    assert find_executable("prog") == str(program)
    assert find_executable(str(program)) == str(program)
    assert find_executable(str(tmp_path)) is None


@pytest.mark.parametrize("content", [None, "", "processor : 0\nmodel name : some\n\nflags : fpu\n"])
def test_the_compiler_names_the_processor_if_the_system_does_not(
    content: str | None, no_cpuinfo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Machines that share a cache must not run each other's code."""
    if content is not None:
        no_cpuinfo.write_text(content)
    macros = {"one": "__AVX2__", "same": "__AVX2__", "other": "__AVX512F__"}
    seen = {}
    for name, defined in macros.items():
        script = f"print(*(a for a in sys.argv if a[:2] == '-m'), {defined!r})"
        program = fake_compiler(tmp_path / name, "cc 1", script)
        seen[name] = machine_of((program,), ("-O1", "-march=native"))
    assert seen["one"] == seen["same"] != seen["other"]
    assert machine_of((program,), ("-O1",)) != seen["other"]

    program = fake_compiler(tmp_path / "none", "cc 1", "sys.exit('unknown option')")
    unknown = set()
    for node in ("a", "b"):
        monkeypatch.setattr(platform, "node", lambda node=node: node)
        unknown.add(machine_of((program,), ()))
    assert len(unknown) == 2


@pytest.mark.needs_cc
def test_second_start_runs_no_subprocess(
    toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compiler_traits(toolchain.command, tmp_path)

    def refuse(*arguments: object) -> str:
        raise AssertionError("a subprocess was started")

    monkeypatch.setattr("symtheano.codegen.native.compiler.run_compiler", refuse)
    assert compiler_traits(toolchain.command, tmp_path) == first


@pytest.mark.needs_cc
@pytest.mark.parametrize("text", ["", "one line", "a\nb\nc\nd\n", b"\xff\xfe"])
def test_damaged_memory_is_written_anew(
    toolchain: Toolchain, tmp_path: Path, text: str | bytes
) -> None:
    first = compiler_traits(toolchain.command, tmp_path)
    (remembered,) = tmp_path.glob("compiler-*.txt")
    whole = remembered.read_bytes()
    remembered.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert compiler_traits(toolchain.command, tmp_path) == first
    assert remembered.read_bytes() == whole


@pytest.mark.needs_cc
def test_replaced_compiler_is_asked_again(toolchain: Toolchain, tmp_path: Path) -> None:
    real = f"sys.exit(subprocess.run([*{toolchain.command!r}, *sys.argv[1:]]).returncode)"
    builds = set()
    for version in (f"{toolchain.version} old", f"{toolchain.version} newer"):
        program = fake_compiler(tmp_path / "cc", version, real)
        traits = compiler_traits((program,), tmp_path)
        assert traits.version == version
        builds.add(traits.build)
    assert len(builds) == 2


@pytest.mark.needs_cc
def test_flags_that_are_refused_are_left_out(toolchain: Toolchain, tmp_path: Path) -> None:
    script = (
        "bad = {'-march=native', '-fopenmp', '-fcx-fortran-rules',\n"
        "       '-fcomplex-arithmetic=smith', '-lmvec'}\n"
        "if bad & set(sys.argv): sys.exit('error: what is that?')\n"
        "arguments = [a for a in sys.argv[1:] if a != '-mcpu=native']\n"
        f"sys.exit(subprocess.run([*{toolchain.command!r}, *arguments]).returncode)"
    )
    program = fake_compiler(tmp_path / "cc", toolchain.version, script)
    picky = find_toolchain(program, directory=tmp_path)
    assert {"-mcpu=native", "-fopenmp-simd"} < set(picky.flags)
    assert not {"-march=native", "-fopenmp", "-fcx-fortran-rules"} & set(picky.flags)
    assert "-lmvec" not in picky.link_flags
    assert picky.vector_functions == frozenset()
    assert not picky.parallel


@pytest.mark.parametrize(
    ("script", "message"),
    [
        ("sys.exit('x.c: fatal error: write: No space left on device')", "no space left"),
        ("os.kill(os.getpid(), 9)", "killed .signal 9.*out of memory"),
        ("sys.exit(3)", "exit status 3 without a message"),
        ("print('note: x'); sys.exit('x.c:1: error: the first\\nerror: second')", "the first"),
    ],
)
def test_failures_are_told_in_one_line(tmp_path: Path, script: str, message: str) -> None:
    program = fake_compiler(tmp_path / "cc", "bad 1.0", script)
    with pytest.raises(CompileError, match=message) as info:
        run_compiler((program,), (), tmp_path, 60)
    assert "\n" not in str(info.value)


@pytest.mark.parametrize(
    "said",
    [
        "gcc: fatal error: cannot execute 'cc1': vfork: Resource temporarily unavailable",
        "cc1: out of memory allocating 65536 bytes after a total of 405504 bytes",
        "virtual memory exhausted: Cannot allocate memory",
        "clang: error: posix_spawn failed: Resource temporarily unavailable",
    ],
)
def test_a_compiler_without_processes_or_memory_has_no_defect(said: str, tmp_path: Path) -> None:
    program = fake_compiler(tmp_path / "cc", "cc 1", f"sys.exit({said!r})")
    tools = Toolchain((program,), "cc 1", (), (), "a cpu", frozenset())
    with pytest.raises(CompilerTroubleError, match="no more processes") as raised:
        compile_shared("int x;", tmp_path / "folder" / "x.so", tools)
    assert "mode='INTERPRET'" in str(raised.value)
    assert "defect" not in str(raised.value)
    assert list((tmp_path / "folder").iterdir()) == []
    with pytest.raises(CompilerTroubleError, match=r"can't be tried: .*no more processes"):
        compiler_traits((program,), tmp_path)
    assert list(tmp_path.glob("compiler-*")) == [], "nothing is noted"


@pytest.mark.needs_cc
@pytest.mark.parametrize("dtype", ["int64", "float64", "int32"])
def test_constants_keep_the_zeros_at_their_end(dtype: str) -> None:
    """Compilers that copy constants in wide registers have filled these with the number before."""
    for length, zeros, number in ((24, 4, 1), (24, 4, 3), (16, 4, 7), (12, 2, 9)):
        value = np.full(length, number, dtype)
        value[-zeros:] = 0
        result = function([], T.constant(value, dtype=dtype))()
        assert result.tolist() == [number] * (length - zeros) + [0] * zeros

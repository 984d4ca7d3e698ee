"""Finding a compiler, learning its flags, compiling one file."""

from __future__ import annotations

import ctypes
import os
import platform
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from symtheano.codegen.build import machine
from symtheano.codegen.build.cache import entry_key
from symtheano.codegen.build.compiler import (
    compiler_traits,
    find_executable,
    machine_of,
    run_compiler,
)
from symtheano.codegen.build.machine import cpu_identity, vector_functions
from symtheano.codegen.build.toolchain import Toolchain, compile_shared, find_toolchain
from symtheano.errors import CompileError, NoCompilerError

ANSWER = '__attribute__((visibility("default"))) int answer(void) { return 42; }\n'


def fake_compiler(path: Path, version: str, script: str) -> str:
    """Write a program that replaces a compiler, and return its path."""
    path.write_text(
        f"#!{sys.executable}\nimport os, subprocess, sys\n"
        f"if '--version' in sys.argv:\n    print({version!r})\n    sys.exit()\n{script}\n"
    )
    path.chmod(0o755)
    return str(path)


def test_a_script_that_adds_flags_is_another_compiler(tmp_path: Path) -> None:
    keys = set()
    plain = find_toolchain(directory=tmp_path)
    for flags in ([], ["-DADDED=1"]):
        real = f"sys.exit(subprocess.call([{plain.command[0]!r}, *{flags!r}, *sys.argv[1:]]))"
        program = fake_compiler(tmp_path / f"cc{len(flags)}", plain.version, real)
        keys.add(entry_key("int x;", find_toolchain(program, directory=tmp_path)))
    assert len(keys) == 2
    assert entry_key("int x;", plain) not in keys


def test_missing_compiler_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(NoCompilerError, match=r"(?s)apt install gcc.*pip install ziglang"):
        find_toolchain("no-such-compiler-anywhere", directory=tmp_path)


def test_no_compiler_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(NoCompilerError, match="no C compiler was found; install one"):
        find_toolchain(directory=tmp_path)


def test_program_that_is_no_compiler(tmp_path: Path) -> None:
    program = fake_compiler(tmp_path / "cc", "nonsense 1.0", "sys.exit('cannot do that')")
    with pytest.raises(NoCompilerError, match=r"nonsense 1\.0.*cannot do that"):
        find_toolchain(program, directory=tmp_path)


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


def test_machine_is_described_the_same_each_time() -> None:
    before = cpu_identity(), vector_functions()
    cpu_identity.cache_clear()
    vector_functions.cache_clear()
    assert (cpu_identity(), vector_functions()) == before


@pytest.fixture
def no_cpuinfo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A file in place of /proc/cpuinfo, which does not exist yet."""
    path = tmp_path / "cpuinfo"
    monkeypatch.setattr(machine, "_CPUINFO", str(path))
    cpu_identity.cache_clear()
    yield path
    cpu_identity.cache_clear()


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
def test_code_compiled_where_the_processor_is_not_told_is_kept_apart(
    no_cpuinfo: Path, toolchain: Toolchain, tmp_path: Path
) -> None:
    keys = {entry_key("int x;", toolchain)}
    for place in ("first", "second"):
        found = find_toolchain(shlex.join(toolchain.command), directory=tmp_path / place)
        assert found._replace(cpu="") == toolchain._replace(cpu="")
        keys.add(entry_key("int x;", found))
    assert len(keys) == 2 or not Path("/proc/cpuinfo").exists()


@pytest.mark.needs_cc
def test_flags_keep_ieee_arithmetic(toolchain: Toolchain) -> None:
    assert "-ffp-contract=off" in toolchain.flags
    assert not {"-ffast-math", "-funsafe-math-optimizations", "-Ofast"} & set(toolchain.flags)


@pytest.mark.needs_cc
def test_same_question_same_answer(toolchain: Toolchain, tmp_path: Path) -> None:
    cc = shlex.join(toolchain.command)
    assert find_toolchain(cc, directory=tmp_path) is find_toolchain(cc, (), tmp_path)
    assert find_toolchain(cc, directory=tmp_path) == toolchain
    assert find_toolchain(cc, ["-DX"], tmp_path).flags == (*toolchain.flags, "-DX")


@pytest.mark.needs_cc
def test_second_start_runs_no_subprocess(
    toolchain: Toolchain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = compiler_traits(toolchain.command, tmp_path)

    def refuse(*arguments: object) -> str:
        raise AssertionError("a subprocess was started")

    monkeypatch.setattr("symtheano.codegen.build.compiler.run_compiler", refuse)
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
    for version in (f"{toolchain.version} old", f"{toolchain.version} newer"):
        program = fake_compiler(tmp_path / "cc", version, real)
        assert compiler_traits((program,), tmp_path).version.startswith(f"{version} (script ")


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


@pytest.mark.needs_cc
def test_compiled_library_runs_and_its_text_is_kept(toolchain: Toolchain, tmp_path: Path) -> None:
    target = tmp_path / "sub" / "answer.so"
    compile_shared(ANSWER, target, toolchain)
    assert ctypes.CDLL(str(target)).answer() == 42
    assert target.with_suffix(".c").read_text() == ANSWER
    assert sorted(path.name for path in target.parent.iterdir()) == ["answer.c", "answer.so"]


@pytest.mark.needs_cc
def test_same_text_makes_the_same_bytes(toolchain: Toolchain, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        compile_shared(ANSWER, tmp_path / folder / "answer.so", toolchain)
    assert (tmp_path / "one/answer.so").read_bytes() == (tmp_path / "two/answer.so").read_bytes()


@pytest.mark.needs_cc
def test_error_is_short_and_the_text_is_kept(toolchain: Toolchain, tmp_path: Path) -> None:
    source = "int fine;\n" * 500 + "int broken = missing;\n"
    with pytest.raises(CompileError, match="undeclared") as info:
        compile_shared(source, tmp_path / "bad.so", toolchain)
    message = str(info.value)
    assert len(message.splitlines()) == 4
    assert "int fine" not in message
    kept = tmp_path / "bad.failed.c"
    assert str(kept) in message
    assert kept.read_text() == source
    assert [path.name for path in tmp_path.iterdir()] == [kept.name]


@pytest.mark.needs_cc
def test_compiler_that_takes_too_long_is_stopped(tmp_path: Path, toolchain: Toolchain) -> None:
    program = fake_compiler(tmp_path / "cc", "slow 1.0", "import time; time.sleep(60)")
    slow = toolchain._replace(command=(program,))
    with pytest.raises(CompileError, match=r"gave up after 0\.2 seconds"):
        compile_shared(ANSWER, tmp_path / "x.so", slow, timeout=0.2)
    assert not list(tmp_path.glob(".build-*"))


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


def test_target_that_can_not_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    toolchain = Toolchain(("cc",), "cc 1.0", (), (), "a cpu", frozenset())
    with pytest.raises(CompileError, match="can't be written to"):
        compile_shared(ANSWER, tmp_path / "file" / "x.so", toolchain)


@pytest.mark.needs_cc
def test_arithmetic_is_not_fused(toolchain: Toolchain, tmp_path: Path) -> None:
    source = (
        '__attribute__((visibility("default")))\n'
        "double f(double x, double y, double z) { return x * y + z; }\n"
    )
    compile_shared(source, tmp_path / "f.so", toolchain)
    function = ctypes.CDLL(os.fspath(tmp_path / "f.so")).f
    function.argtypes, function.restype = [ctypes.c_double] * 3, ctypes.c_double
    # Fused, the rounding error of the product would be left over.
    assert function(0.1, 10.0, -1.0) == 0.1 * 10.0 - 1.0 == 0.0


@pytest.mark.needs_cc
def test_processor_named_with_the_compiler_is_not_overruled(tmp_path: Path) -> None:
    name = shlex.join(find_toolchain().command)
    chain = find_toolchain(f"{name} -DWORD", directory=tmp_path)
    native = [flag for flag in chain.flags if flag.startswith(("-march=", "-mcpu="))]
    assert native, "the probe takes none of the flags"
    named = find_toolchain(f"{name} {native[0]}", directory=tmp_path)
    assert native[0] in named.command
    assert native[0] not in named.flags
    assert named.flags == tuple(flag for flag in chain.flags if flag not in native)


def test_a_command_with_an_open_quote_is_an_error_that_names_the_option() -> None:
    with pytest.raises(ValueError, match="SYMTHEANO_CC, CC"):
        find_toolchain('gcc "')

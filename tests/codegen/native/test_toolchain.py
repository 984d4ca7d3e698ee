"""Finding a compiler, learning its flags, compiling one file."""

from __future__ import annotations

import ctypes
import os
import shlex
from pathlib import Path

import pytest

from symtheano.codegen.native.cache import entry_key
from symtheano.codegen.native.toolchain import Toolchain, compile_shared, find_toolchain
from symtheano.errors import CompileError, NoCompilerError
from tests.codegen.native.stand_ins import ANSWER, fake_compiler


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
    with pytest.raises(CompileError, match=r"did not finish within 0\.2 seconds"):
        compile_shared(ANSWER, tmp_path / "x.so", slow, timeout=0.2)
    assert not list(tmp_path.glob(".build-*"))


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

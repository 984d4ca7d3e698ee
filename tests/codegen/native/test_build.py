"""Compilers that print one version line: what tells them apart in the cache."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from symtheano.codegen.native.build import (
    build_digest,
    compiler_environment,
    is_current,
    stamp_of,
)
from symtheano.codegen.native.cache import entry_key
from symtheano.codegen.native.compiler import known_traits
from symtheano.codegen.native.toolchain import Toolchain, find_toolchain, knows_compiler

GCC = shutil.which("gcc")
TEXT = "int x;"

needs_gcc = pytest.mark.skipif(GCC is None, reason="copies gcc's driver")


def compiler_of_gcc() -> str:
    """Return the path of the program that gcc's driver starts."""
    asked = ["gcc", "-print-prog-name=cc1"]
    return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()


def copied(place: Path, more: bytes = b"") -> str:
    """Return the path of a copy of gcc's driver, with bytes after its end that it does not read."""
    assert GCC is not None
    (place / "bin").mkdir(parents=True)
    libraries = Path(compiler_of_gcc().partition("/gcc/")[0])
    (place / libraries.name).symlink_to(libraries)
    driver = place / "bin" / "gcc"
    driver.write_bytes(Path(GCC).read_bytes() + more)
    driver.chmod(0o755)
    return str(driver)


def found(cc: str, place: Path) -> Toolchain:
    """Return a compiler as it is found with notes in a directory."""
    return find_toolchain(cc, directory=place)


@needs_gcc
def test_drivers_of_one_version(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    drivers = [
        copied(tmp_path / name, more) for name, more in (("a", b""), ("b", b""), ("c", b"\0"))
    ]
    first, same, other = (found(driver, notes) for driver in drivers)
    assert first.version == same.version == other.version
    assert first.flags == same.flags == other.flags
    assert entry_key(TEXT, first) == entry_key(TEXT, same), "wherever they are"
    assert entry_key(TEXT, first) != entry_key(TEXT, other)


@needs_gcc
def test_drivers_that_start_other_compilers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert GCC is not None
    notes, place = tmp_path / "notes", tmp_path / "programs"
    plain = found(GCC, notes)
    real = compiler_of_gcc()
    place.mkdir()
    own = place / "cc1"

    def write(text: str) -> None:
        own.write_text(f'#!/bin/sh\n# {text}\nexec {real} -DOTHER=1 "$@"\n')
        own.chmod(0o755)

    write("one")
    monkeypatch.setenv("COMPILER_PATH", str(place))
    assert not knows_compiler(GCC, notes), "also in this process"
    first = found(GCC, notes)
    assert first.version == plain.version
    assert entry_key(TEXT, first) != entry_key(TEXT, plain)
    assert known_traits((GCC,), notes) is not None
    write("another")
    assert known_traits((GCC,), notes) is None, "the driver has not changed, what it starts has"
    monkeypatch.delenv("COMPILER_PATH")
    assert entry_key(TEXT, found(GCC, notes)) == entry_key(TEXT, plain)


@needs_gcc
@pytest.mark.parametrize("variable", ["CPATH", "C_INCLUDE_PATH", "LIBRARY_PATH"])
def test_other_headers_and_libraries(
    variable: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert GCC is not None
    plain = found(GCC, tmp_path)
    monkeypatch.setenv(variable, str(tmp_path))
    assert compiler_environment() == (f"{variable}={tmp_path}",)
    other = found(GCC, tmp_path)
    assert other.version == plain.version
    assert entry_key(TEXT, other) != entry_key(TEXT, plain)


def test_stamps(tmp_path: Path) -> None:
    program = tmp_path / "a b"
    program.write_text("one")
    stamp, build = stamp_of(str(program)), build_digest([str(program)])
    assert len(stamp.split()) == 1
    assert is_current(stamp)
    program.write_text("other")
    assert not is_current(stamp)
    assert build_digest([str(program)]) != build
    program.unlink()
    assert not is_current(stamp)
    program.write_text("one")
    assert build_digest([str(program)]) == build

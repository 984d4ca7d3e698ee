"""Compiled code on disk: found again, never trusted, made anew when damaged."""

from __future__ import annotations

import ctypes
import dataclasses
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from symtheano.codegen import cache as cache_module
from symtheano.codegen.cache import Cache, entry_key
from symtheano.codegen.directory import cache_directory
from symtheano.codegen.toolchain import Toolchain

SOURCE = '__attribute__((visibility("default"))) int answer(void) { return 42; }\n'
PLAIN = Toolchain(("cc",), "cc 1.0", ("-O1",), ("-lm",), "a cpu", frozenset())


@pytest.fixture
def own(tmp_path: Path) -> Cache:
    """Return a cache of this test's own."""
    return Cache(tmp_path / "cache")


def answer(library: Path, tmp_path: Path) -> int:
    """Load a copy of a library: the loader would return what it has under the same name."""
    copy = tmp_path / f"copy{len(list(tmp_path.iterdir()))}.so"
    copy.write_bytes(library.read_bytes())
    return int(ctypes.CDLL(str(copy)).answer())


@pytest.mark.parametrize(
    "change",
    [
        {"version": "cc 1.1"},
        {"flags": ("-O2",)},
        {"flags": ("-O1", "-g")},
        {"link_flags": ()},
        {"flags": ("-O1", "-lm"), "link_flags": ()},
        {"cpu": "another cpu"},
    ],
)
def test_key_depends_on_the_toolchain(change: dict[str, object]) -> None:
    changed = dataclasses.replace(PLAIN, **change)  # type: ignore[arg-type]
    assert entry_key(SOURCE, changed) != entry_key(SOURCE, PLAIN)


def test_key_depends_on_text_and_format(monkeypatch: pytest.MonkeyPatch) -> None:
    before = entry_key(SOURCE, PLAIN)
    assert entry_key(SOURCE, PLAIN) == before
    assert entry_key(SOURCE + " ", PLAIN) != before
    monkeypatch.setattr(cache_module, "FORMAT", cache_module.FORMAT + 1)
    assert entry_key(SOURCE, PLAIN) != before


def test_key_does_not_depend_on_where_the_compiler_is() -> None:
    moved = dataclasses.replace(PLAIN, command=("/elsewhere/cc",))
    assert entry_key(SOURCE, moved) == entry_key(SOURCE, PLAIN)


@pytest.mark.needs_cc
def test_second_time_is_found(own: Cache, toolchain: Toolchain, tmp_path: Path) -> None:
    library = own.obtain(SOURCE, toolchain)
    assert answer(library, tmp_path) == 42
    written = library.stat().st_mtime_ns
    assert Cache(own.directory).obtain(SOURCE, toolchain) == library
    assert library.stat().st_mtime_ns == written
    assert library.with_suffix(".c").read_text() == SOURCE
    assert own.obtain(SOURCE, toolchain) == library
    statistics = own.statistics()
    assert (statistics.entries, statistics.hits, statistics.misses) == (1, 1, 1)
    assert statistics.bytes >= library.stat().st_size


@pytest.mark.needs_cc
@pytest.mark.parametrize("damage", ["flip", "truncate", "empty", "remove", "undigested", "digest"])
def test_damaged_entry_is_made_anew(
    own: Cache, toolchain: Toolchain, tmp_path: Path, damage: str
) -> None:
    library = own.obtain(SOURCE, toolchain)
    digest = library.with_suffix(".sha256")
    whole = library.read_bytes()
    if damage == "flip":
        library.write_bytes(whole[:100] + bytes([whole[100] ^ 1]) + whole[101:])
    elif damage == "truncate":
        library.write_bytes(whole[: len(whole) // 2])
    elif damage == "empty":
        library.write_bytes(b"")
    elif damage == "remove":
        library.unlink()
    elif damage == "undigested":
        digest.unlink()
    else:
        digest.write_bytes(b"\xff")
    assert [entry.library for entry in own.entries()] == ([] if damage == "remove" else [library])
    assert own.obtain(SOURCE, toolchain) == library
    assert library.read_bytes() == whole
    assert answer(library, tmp_path) == 42
    assert own.verify() == []


@pytest.mark.needs_cc
def test_verify_removes_what_is_damaged(own: Cache, toolchain: Toolchain) -> None:
    good = own.obtain(SOURCE, toolchain)
    bad = own.obtain(SOURCE + "int other;", toolchain)
    bad.write_bytes(b"rubbish")
    assert [entry.library for entry in own.verify()] == [bad]
    assert [entry.library for entry in own.entries()] == [good]
    assert not list(bad.parent.glob(f"{bad.stem}.*"))


@pytest.mark.needs_cc
def test_clear(own: Cache, toolchain: Toolchain) -> None:
    library = own.obtain(SOURCE, toolchain)
    left = library.parent / ".build-left"
    left.mkdir()
    stranger = library.parent / "notes.so"
    stranger.touch()
    assert own.clear() == 1
    assert own.statistics().entries == 0
    assert list(library.parent.iterdir()) == [stranger]


@pytest.mark.needs_cc
def test_four_processes_at_once(own: Cache, toolchain: Toolchain, tmp_path: Path) -> None:
    program = (
        "import ctypes, sys\n"
        "from pathlib import Path\n"
        "from symtheano.codegen.cache import Cache\n"
        "from symtheano.codegen.toolchain import find_toolchain\n"
        "cache = Cache(Path(sys.argv[1]))\n"
        "sys.stdin.readline()\n"
        "path = cache.obtain(sys.argv[2], find_toolchain(sys.argv[3], directory=cache.directory))\n"
        "print(path, ctypes.CDLL(str(path)).answer())\n"
    )
    command = shlex.join(toolchain.command)
    arguments = [sys.executable, "-c", program, str(own.directory), SOURCE, command]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    processes = [
        subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    printed = {process.communicate(timeout=120)[0].strip() for process in processes}
    assert printed == {f"{own.obtain(SOURCE, toolchain)} 42"}
    assert own.verify() == []
    assert len(list(own.entries())) == 1
    assert not list(own.directory.glob("*/.*"))


def test_directory_is_private(own: Cache) -> None:
    assert own.directory.stat().st_mode & 0o777 == 0o700


def test_directory_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache_directory.cache_clear()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_directory() == tmp_path / "xdg" / "symtheano"
    cache_directory.cache_clear()
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "symtheano"
    cache_directory.cache_clear()


def test_directory_that_others_can_write(tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    with pytest.warns(RuntimeWarning, match=r"others may write to .*chmod 700"):
        substitute = Cache(shared).directory
    assert substitute != shared
    assert substitute.stat().st_mode & 0o777 == 0o700


def test_directory_that_can_not_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.warns(RuntimeWarning, match="will not be kept"):
        assert Cache(tmp_path / "file" / "cache").directory.is_dir()
    with pytest.warns(RuntimeWarning, match="will not be kept"):
        assert Cache(tmp_path / "file").directory.is_dir()


def test_directory_that_is_read_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Permissions don't hold back a superuser, so the system's answer is given instead.
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    with pytest.warns(RuntimeWarning, match="can't be written to"):
        assert Cache(tmp_path / "cache").directory != tmp_path / "cache"


def test_directory_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stranger = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: stranger)
    with pytest.warns(RuntimeWarning, match="belongs to another user"):
        assert Cache(tmp_path / "cache").directory != tmp_path / "cache"

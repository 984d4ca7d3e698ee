"""The files of entries: written whole, and believed only if nobody changed them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from symtheano.codegen.native import entries
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from tests.codegen.native.stand_ins import ANSWER, DAMAGES, KEY, do_damage


@pytest.mark.needs_cc
@pytest.mark.parametrize("suffix", [".so", ".c", ".seal"])
def test_files_of_gigabytes_are_not_read(own: Cache, toolchain: Toolchain, suffix: str) -> None:
    library = own.obtain(ANSWER, toolchain)
    file = library.with_suffix(suffix)
    os.truncate(file, 3 << 30)  # it takes no space on the disk
    with pytest.raises(ValueError, match=r"has 3221225472 bytes; no file of the cache"):
        entries.read_own(file)
    assert [entry.key for entry in own.verify()] == [library.stem]


@pytest.mark.needs_cc
def test_files_of_another_entry_are_not_believed(own: Cache, toolchain: Toolchain) -> None:
    library = own.obtain(ANSWER, toolchain)
    other = own.obtain(ANSWER.replace("42", "43"), toolchain)
    for suffix in (".so", ".c", ".seal"):
        library.with_suffix(suffix).write_bytes(other.with_suffix(suffix).read_bytes())
    assert own.path_of(library.stem) is None
    with pytest.raises(FileNotFoundError):
        own.source_of(library.stem)


def test_a_sealed_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.graph"
    for data in (b"", b"one\ntwo", bytes(range(256))):
        entries.write_sealed(path, data)
        assert entries.read_sealed(path) == data
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.iterdir()] == ["a.graph"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_not_believed(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "a.graph"
    entries.write_sealed(path, b"something" * 20)
    do_damage(path, damage)
    with pytest.raises((ValueError, OSError)):
        entries.read_sealed(path)


def test_a_file_under_another_name_is_not_believed(tmp_path: Path) -> None:
    entries.write_sealed(tmp_path / "a.graph", b"data")
    (tmp_path / "a.graph").rename(tmp_path / "b.graph")
    with pytest.raises(ValueError, match=r"b\.graph is damaged"):
        entries.read_sealed(tmp_path / "b.graph")


@pytest.mark.skipif(os.name != "posix", reason="permissions are those of POSIX")
def test_only_plain_files_of_ones_own_are_read(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"data")
    path.chmod(0o600)
    assert entries.read_own(path) == b"data"
    for mode in (0o620, 0o602):
        path.chmod(mode)
        with pytest.raises(PermissionError, match="only this user can change"):
            entries.read_own(path)
    path.chmod(0o600)
    (tmp_path / "link").symlink_to(path)
    os.mkfifo(tmp_path / "pipe", 0o600)
    for name in ("link", "pipe", "missing", "."):
        with pytest.raises(OSError):  # noqa: PT011 - of several kinds
            entries.read_own(tmp_path / name)


def test_a_file_that_can_not_be_written_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "taken" / "inner").mkdir(parents=True)
    with pytest.raises(OSError):  # noqa: PT011 - the system's
        entries.write_whole(tmp_path / "taken", b"data")
    assert [file.name for file in tmp_path.iterdir()] == ["taken"]


def test_the_seal_of_a_library_is_over_both_files(tmp_path: Path) -> None:
    library = tmp_path / f"{KEY}.so"
    for path, data in ((library, b"code"), (library.with_suffix(".c"), b"int x;")):
        entries.write_whole(path, data)
    assert not entries.is_whole_library(library)
    entries.seal_library(library)
    assert entries.is_whole_library(library)
    assert entries.read_text(library) == "int x;"
    entries.write_whole(library.with_suffix(".c"), b"int y;")
    assert entries.is_whole_library(library)
    with pytest.raises(ValueError, match=r"\.c is damaged"):
        entries.read_text(library)
    entries.write_whole(library, b"other")
    assert not entries.is_whole_library(library)


def test_what_is_in_the_way_is_removed(tmp_path: Path) -> None:
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    (tmp_path / "file").touch()
    (tmp_path / "link").symlink_to("folder")
    for name in ("link", "file", "folder", "missing"):
        entries.remove_path(tmp_path / name)
    assert list(tmp_path.iterdir()) == []

"""Where compiled code is kept: private, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from symtheano.codegen.native import directory, directory as directory_module
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.directory import (
    cache_directory,
    private_directory,
    temporary_directory,
)
from symtheano.errors import CompileError
from tests.codegen.native.stand_ins import Owners


@pytest.fixture(autouse=True)
def forget_directories() -> Iterator[None]:
    """Have each test look at the directories again."""
    directory._cache_directory.cache_clear()
    yield
    directory._cache_directory.cache_clear()


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o077])
def test_directory_is_private(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        made = Cache(tmp_path / "one" / "two").directory
    finally:
        os.umask(before)
    assert made == tmp_path / "one" / "two"
    for folder in (made, made.parent):
        assert folder.stat().st_mode & 0o777 == 0o700


def test_directory_by_default(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setenv("SYMTHEANO_CACHE_DIR", str(tmp_path / "named"))
    assert Path(private_directory()) == tmp_path / "named"
    monkeypatch.setenv("SYMTHEANO_CACHE_DIR", "~/named at home")
    assert Path(private_directory()) == tmp_path / "named at home"
    monkeypatch.setenv("SYMTHEANO_CACHE_DIR", "")
    assert Path(private_directory()) == tmp_path / "xdg" / "symtheano"
    monkeypatch.delenv("SYMTHEANO_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert Path(private_directory()) == tmp_path / ".cache" / "symtheano"


def test_missing_home_is_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.delenv("SYMTHEANO_CACHE_DIR")
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    with pytest.warns(RuntimeWarning, match="home directory .*nobody does not exist"):
        assert Cache().place == temporary_directory()
    assert not (tmp_path / "nobody").exists()


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
    (tmp_path / "cache").mkdir(mode=0o700)
    Owners(monkeypatch, tmp_path / "cache")
    with pytest.warns(RuntimeWarning, match="belongs to another user"):
        assert Cache(tmp_path / "cache").directory != tmp_path / "cache"


def test_group_that_may_write(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared").chmod(0o770)
    with pytest.warns(RuntimeWarning, match="others may write to"):
        assert Cache(tmp_path / "shared").directory != tmp_path / "shared"


def test_temporary_directory_is_one_and_private() -> None:
    first = Path(temporary_directory())
    assert first.stat().st_mode & 0o777 == 0o700
    assert Path(temporary_directory()) == first


def test_temporary_directory_that_was_removed_is_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(directory_module, "_temporary", [])
    first = Path(temporary_directory())
    first.rmdir()
    # The file that now has that name may belong to another user.
    first.mkdir()
    first.chmod(0o777)
    second = Path(temporary_directory())
    assert second != first
    assert second.stat().st_mode & 0o777 == 0o700
    first.rmdir()


def test_no_place_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> Path:
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr(directory_module, "temporary_directory", refuse)
    (tmp_path / "file").touch()
    with pytest.raises(CompileError, match=r"no place .*file.*no usable.*set SYMTHEANO_CACHE_DIR"):
        cache_directory(tmp_path / "file")

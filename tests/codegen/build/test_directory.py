"""Where compiled code is kept: private, or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from symtheano.codegen.build import directory, directory as directory_module
from symtheano.codegen.build.ancestry import anchored
from symtheano.codegen.build.cache import Cache
from symtheano.codegen.build.directory import (
    cache_directory,
    private_directory,
    temporary_directory,
)
from symtheano.errors import CompileError


@pytest.fixture(autouse=True)
def forget_directories() -> Iterator[None]:
    """Have each test look at the directories again."""
    directory._cache_directory.cache_clear()
    yield
    directory._cache_directory.cache_clear()


class Owners:
    """The system's answer, except that some files belong to another user."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *paths: Path) -> None:
        self.foreign = {(path.lstat().st_dev, path.lstat().st_ino) for path in paths}
        self.lstat, self.fstat = os.lstat, os.fstat
        monkeypatch.setattr(os, "lstat", lambda *a, **k: self.changed(self.lstat(*a, **k)))
        monkeypatch.setattr(os, "fstat", lambda *a, **k: self.changed(self.fstat(*a, **k)))

    def changed(self, status: os.stat_result) -> os.stat_result:
        if (status.st_dev, status.st_ino) not in self.foreign:
            return status
        return os.stat_result((*status[:4], os.geteuid() + 1, *status[5:]))


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


def test_way_in_that_others_can_write(tmp_path: Path) -> None:
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="others may write to .*above and replace"):
        assert Cache(above / "cache").directory != above / "cache"
    above.chmod(0o1777)
    assert Cache(above / "sticky").directory == above / "sticky"


@pytest.mark.parametrize("mode", [0o755, 0o1777])
def test_way_in_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mode: int) -> None:
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(mode)
    Owners(monkeypatch, home)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    # The owner of a directory can rename what is in it, even if it is sticky.
    with pytest.raises(PermissionError, match=r"home, on the way to .*belongs to another user"):
        private_directory(home / "named")
    monkeypatch.delenv("SYMTHEANO_CACHE_DIR")
    with pytest.raises(PermissionError, match="belongs to another user"):
        private_directory()


def test_link_of_another_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert private_directory(tmp_path / "link") == str(tmp_path / "real")
    Owners(monkeypatch, tmp_path / "link")
    with pytest.raises(PermissionError, match=r"link, on the way to .*belongs to another user"):
        private_directory(tmp_path / "link")


def test_links_are_walked(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True, mode=0o700)
    (tmp_path / "a" / "up").symlink_to("../a/./b/../b")
    (tmp_path / "again").symlink_to("a/up")
    assert private_directory(tmp_path / "again" / "new") == str(tmp_path / "a" / "b" / "new")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(OSError, match="too many symbolic links"):
        private_directory(tmp_path / "loop" / "new")
    assert (tmp_path / "a" / "b" / "new").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    ("members", "primary", "private"),
    [([], [], True), (["me"], ["me"], True), (["you"], [], False), ([], ["me", "you"], False)],
)
def test_private_groups(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    members: list[str],
    primary: list[str],
    private: bool,
) -> None:
    grp, pwd = pytest.importorskip("grp"), pytest.importorskip("pwd")
    mine, gid = os.geteuid(), tmp_path.stat().st_gid
    user = {"me": (mine, "me"), "you": (mine + 1, "you")}

    def entry(name: str) -> SimpleNamespace:
        return SimpleNamespace(pw_name=name, pw_uid=user[name][0], pw_gid=gid)

    monkeypatch.setattr(pwd, "getpwuid", lambda uid: entry("me"))
    monkeypatch.setattr(pwd, "getpwall", lambda: [entry(name) for name in primary])
    monkeypatch.setattr(
        grp, "getgrgid", lambda gid: SimpleNamespace(gr_name="me", gr_mem=members, gr_gid=gid)
    )
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o775)
    if private:
        assert private_directory(above / "cache") == str(above / "cache")
        # With an access control list, the bits of the group are its mask.
        monkeypatch.setattr(os, "getxattr", lambda *a: b"", raising=False)
    with pytest.raises(PermissionError, match=r"others may write to .*above and replace"):
        private_directory(above / "cache")


def test_anchored_paths_stay_in_the_directory(tmp_path: Path) -> None:
    place = tmp_path / "cache"
    place.mkdir(mode=0o700)
    (place / "file").write_text("mine")
    path = anchored(str(place))
    assert anchored(str(place)) == path
    place.rename(tmp_path / "moved")
    with pytest.raises(OSError):  # noqa: PT011 - it is not there
        anchored(str(place))
    place.mkdir(mode=0o700)
    (place / "file").write_text("other")
    again = anchored(str(place))
    assert Path(again, "file").read_text() == "other"
    os.close(int(again.rpartition("/")[2]))
    assert Path(anchored(str(place)), "file").read_text() == "other"


def test_path_of_a_directory_that_became_a_link(tmp_path: Path) -> None:
    place = tmp_path / "cache"
    place.mkdir(mode=0o700)
    (tmp_path / "other").mkdir(mode=0o700)
    anchored(str(place))
    place.rmdir()
    place.symlink_to(tmp_path / "other")
    with pytest.raises(PermissionError, match="replaced by a link"):
        anchored(str(place))


def test_link_to_a_directory_is_followed_once(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    assert Cache(tmp_path / "link").directory == tmp_path / "real"


def test_link_into_what_others_can_write(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "real").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    with pytest.warns(RuntimeWarning, match="others may write to .*real"):
        assert Cache(tmp_path / "link").place == temporary_directory()


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

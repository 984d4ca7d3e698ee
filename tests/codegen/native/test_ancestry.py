"""Directories that no other user can change or replace, and paths that stay in them."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from symtheano.codegen.native.ancestry import anchored, walk
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.directory import (
    private_directory,
    temporary_directory,
)
from tests.codegen.native.stand_ins import Owners


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


def test_missing_directories_are_made_only_on_request(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"there is no directory .*one"):
        walk(str(tmp_path / "one" / "two"))
    path, descriptor = walk(str(tmp_path / "one" / "two"), make=True)
    assert path == str(tmp_path / "one" / "two")
    assert descriptor is not None
    assert os.path.samestat(os.fstat(descriptor), os.stat(path))
    os.close(descriptor)


def test_a_file_on_the_way(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in ("file", "file/inner"):
        with pytest.raises(NotADirectoryError, match="file is not a directory"):
            walk(str(tmp_path / place), make=True)


def test_no_descriptor_is_left_open_by_a_failure(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    for _ in range(3):
        with pytest.raises(FileNotFoundError):
            walk(str(tmp_path / "missing"))
    assert len(os.listdir("/proc/self/fd")) == before

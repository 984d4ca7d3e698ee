"""Files that are replaced as a whole: permissions, links, remains, and what is no file."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from symtheano import files
from symtheano.files import read_regular, save_file

posix = pytest.mark.skipif(os.name != "posix", reason="permissions and links of POSIX")


def mode(path: Path) -> int:
    """Return the permissions of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def test_a_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "file"
    save_file(path, b"old")
    assert read_regular(path) == b"old"
    save_file(path, b"new")
    assert read_regular(path) == b"new"
    assert list(tmp_path.iterdir()) == [path]


@posix
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_new_files_follow_the_mask_and_old_ones_keep_their_mode(tmp_path: Path, mask: int) -> None:
    path = tmp_path / "file"
    before = os.umask(mask)
    try:
        save_file(path, b"")
        assert mode(path) == 0o666 & ~mask
        for kept in (0o600, 0o640, 0o444, 0o664):
            path.chmod(kept)
            save_file(path, b"x")
            assert mode(path) == kept
    finally:
        assert os.umask(before) == mask


@posix
def test_the_mask_of_the_process_is_never_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(mask: int) -> int:
        raise AssertionError("files that other threads make now would get wrong permissions")

    monkeypatch.setattr(os, "umask", refuse)
    save_file(tmp_path / "file", b"")


@posix
@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root gives files away")
def test_the_owner_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    os.chown(path, 65534, 65533)
    path.chmod(0o640)
    save_file(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid, mode(path)) == (65534, 65533, 0o640)


@posix
def test_another_group_may_do_no_more_than_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o664)
    real = os.fstat

    def of_others(descriptor: int) -> os.stat_result:
        found = real(descriptor)
        return os.stat_result((*found[:5], found.st_gid + 1, *found[6:]))

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fstat", of_others)
    monkeypatch.setattr(os, "fchown", refuse)
    save_file(path, b"new")
    assert mode(path) == 0o644


@posix
def test_links_stay_and_their_files_are_replaced(tmp_path: Path) -> None:
    target, link, further = tmp_path / "sub" / "file", tmp_path / "link", tmp_path / "further"
    target.parent.mkdir()
    link.symlink_to(Path("sub", "file"))
    further.symlink_to(link)
    save_file(further, b"first")  # to a file that is not there yet
    save_file(further, b"second")
    assert link.is_symlink()
    assert further.is_symlink()
    assert target.read_bytes() == b"second"
    assert list(target.parent.iterdir()) == [target]
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    with pytest.raises(OSError, match="loop"):
        save_file(loop, b"")


@posix
def test_what_is_no_regular_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, Path("/dev/null"), Path("/dev/zero")):
        with pytest.raises(OSError, match="is not a regular file"):
            save_file(path, b"x")
        with pytest.raises(OSError, match="is not a regular file"):
            read_regular(path)
    for act in (lambda: save_file(tmp_path, b""), lambda: read_regular(tmp_path)):
        with pytest.raises(IsADirectoryError, match="is not a regular file"):
            act()
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert list(tmp_path.iterdir()) == [pipe]


def test_there_is_no_directory(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no directory"):
        save_file(tmp_path / "none" / "file", b"")


def test_a_failure_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    save_file(path, b"old")

    def refuse(*_: object) -> None:
        raise OSError("no")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, refuse)
            with pytest.raises(OSError, match="no"):
                save_file(path, b"new")
        assert path.read_bytes() == b"old"
        assert list(tmp_path.iterdir()) == [path]


KILLED = """
import os, signal, sys
from symtheano import files
stops = {"begin": "_hold", "end": "_copy_permissions"}[sys.argv[2]]
real = getattr(files, stops)
def stop(*args):
    real(*args)
    print("here", flush=True)
    signal.pause()
setattr(files, stops, stop)
files.save_file(sys.argv[1], b"new" * 100_000)
"""


@posix
@pytest.mark.parametrize("moment", ["begin", "end"])
def test_remains_of_killed_processes_go_and_those_of_living_ones_stay(
    tmp_path: Path, moment: str
) -> None:
    path = tmp_path / "file"
    save_file(path, b"old")
    command = [sys.executable, "-c", KILLED, str(path), moment]
    children = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "here\n"
    children[0].send_signal(signal.SIGKILL)
    children[0].communicate()
    assert len(list(tmp_path.iterdir())) == 3
    save_file(tmp_path / "other", b"")
    (tmp_path / "other").unlink()
    assert len(list(tmp_path.iterdir())) == 3  # those of another file are left alone
    save_file(path, b"mine")
    assert len(list(tmp_path.iterdir())) == 2
    children[1].kill()
    children[1].communicate()
    assert path.read_bytes() == b"mine"
    save_file(path, b"mine")
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_what_was_taken_for_abandoned_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, real, removed = tmp_path / "file", files._hold, []

    def late(descriptor: int) -> bool:
        if not removed:  # another process came between the opening and the lock
            removed.extend(tmp_path.iterdir())
            removed[0].unlink()
        return real(descriptor)

    monkeypatch.setattr(files, "_hold", late)
    save_file(path, b"new")
    assert len(removed) == 1
    assert path.read_bytes() == b"new"
    assert list(tmp_path.iterdir()) == [path]

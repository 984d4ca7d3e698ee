"""What a cache's directory holds: entries by last use, and remains of killed processes."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from symtheano.codegen.native import inventory
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.entries import write_sealed
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.dataclass import replace
from tests.codegen.native.stand_ins import ANSWER, KEY, OTHER


@pytest.mark.needs_cc
@pytest.mark.parametrize("suffix", [".so", ".c", ".seal"])
def test_verify_removes_what_is_damaged(own: Cache, toolchain: Toolchain, suffix: str) -> None:
    good = own.obtain(ANSWER, toolchain)
    bad = own.obtain(ANSWER + "int other;", toolchain)
    bad.with_suffix(suffix).write_bytes(b"rubbish")
    own.remember(KEY, b"record")
    own.remember(OTHER, b"record")
    (own.directory / OTHER[:2] / f"{OTHER}.graph").write_bytes(b"rubbish")
    damaged = own.verify()
    assert {(entry.key, entry.kind) for entry in damaged} == {
        (bad.stem, "library"),
        (OTHER, "graph"),
    }
    assert {entry.key for entry in own.entries()} == {good.stem, KEY}
    assert not list(bad.parent.glob(f"{bad.stem}.*"))
    assert own.verify() == []


HOUR = 3600.0


@pytest.mark.parametrize("age", [2 * HOUR, -2 * HOUR])
def test_old_remains_are_swept(own: Cache, age: float) -> None:
    own.remember(KEY, b"")
    folder = own.directory / KEY[:2]
    remains = [folder / ".build-left", own.directory / ".symtheano-probe-left"]
    recent = [folder / ".build-new", own.directory / ".symtheano-probe-new"]
    strangers = [folder / "build-x", own.directory / "probe-x", own.directory / ".build"]
    for path in (*remains, *recent, *strangers):
        (path / "inner").mkdir(parents=True)
        if path not in recent:
            os.utime(path, (time.time() - age,) * 2)
    own.remember(KEY, b"")
    assert not any(path.exists() for path in remains)
    assert all(path.exists() for path in (*recent, *strangers))


def test_entries_are_listed_by_their_keys(tmp_path: Path) -> None:
    for name, size in ((f"{KEY}.graph", 3), (f"{KEY}.so", 5), (f"{KEY}.seal", 7), (f"{KEY}.c", 11),
                       (f"{OTHER}.failed.c", 13), ("notes.so", 1), (f"{KEY[1:]}.so", 1),
                       (f"{KEY}.so.old", 1), (f"{KEY[1:]}G.so", 1)):  # fmt: skip
        folder = tmp_path / name[:2]
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(b"x" * size)
    (tmp_path / "compiler-0.txt").touch()
    found = [(e.key, e.kind, e.path.name, e.bytes) for e in inventory.entries_of(tmp_path)]
    assert found == [
        (KEY, "graph", f"{KEY}.graph", 3),
        (KEY, "library", f"{KEY}.so", 23),
        (OTHER, "failed", f"{OTHER}.failed.c", 13),
    ]
    assert list(inventory.entries_of(tmp_path / "missing")) == []
    for entry in inventory.entries_of(tmp_path):
        inventory.remove(entry)
    kept = sorted(path.name for path in tmp_path.rglob("*") if path.is_file())
    assert kept == sorted(
        ["compiler-0.txt", "notes.so", f"{KEY[1:]}.so", f"{KEY}.so.old", f"{KEY[1:]}G.so"]
    )


def test_the_last_use_is_the_time_of_the_file_that_makes_it_valid(tmp_path: Path) -> None:
    now = time.time()
    for suffix, age in ((".so", 0), (".c", 0), (".seal", HOUR)):
        (tmp_path / f"{KEY}{suffix}").touch()
        os.utime(tmp_path / f"{KEY}{suffix}", (now - age,) * 2)
    (entry,) = inventory.entries_in(tmp_path)
    assert entry.used == pytest.approx(now - HOUR)
    assert not entry.recent(now)
    os.utime(tmp_path / f"{KEY}.seal")  # another process uses it meanwhile
    assert entry.recent(now)
    ages = [replace(entry, used=now + offset).age(now) for offset in (2 * HOUR, -HOUR, 0.0)]
    assert sorted(ages) == ages  # times in the future are of a wrong clock


def test_an_entry_is_whole_if_its_files_are(tmp_path: Path) -> None:
    write_sealed(tmp_path / f"{KEY}.graph", b"record")
    (entry,) = inventory.entries_in(tmp_path)
    assert inventory.is_whole(entry)
    (tmp_path / f"{KEY}.graph").write_bytes(b"rubbish")
    assert not inventory.is_whole(entry)

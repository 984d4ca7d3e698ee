"""cache: listing, damaged entries, and removal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import symtheano
import symtheano.tensor as T
from symtheano.codegen.native.cache import Cache
from tests.cli.conftest import Run


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[Path]:
    """Return a separate cache, which contains the entries of one function."""
    directory = tmp_path / "kept"
    with symtheano.config.change_flags(cache_dir=str(directory)):
        x = T.dvector("x")
        symtheano.function([x], T.sinh(x) * 3)
        yield directory


def test_path(run: Run, tmp_path: Path) -> None:
    with symtheano.config.change_flags(cache_dir=str(tmp_path / "mine")):
        assert run("cache", "path") == (0, f"{tmp_path / 'mine'}\n", "")


def test_nothing_is_kept(run: Run, tmp_path: Path) -> None:
    with symtheano.config.change_flags(cache_dir=str(tmp_path / "empty")):
        assert run("cache", "list") == (0, "the cache is empty\n", "")
        assert json.loads(run("cache", "list", "--json")[1]) == []
        assert run("cache", "clear") == (0, "removed 0 entries, 0 B\n", "")
        assert "last used" not in run("cache", "stats")[1]


@pytest.mark.needs_cc
def test_list_and_stats_agree_with_the_cache(run: Run, kept: Path) -> None:
    entries = list(Cache(kept).entries())
    assert entries
    listed = json.loads(run("cache", "list", "--json")[1])
    assert {item["key"] for item in listed} == {entry.key for entry in entries}
    assert all(Path(item["path"]).exists() for item in listed)
    stats = json.loads(run("cache", "stats", "--json")[1])
    assert stats["directory"] == str(kept)
    assert stats["entries"] == len(entries)
    assert stats["bytes"] == sum(entry.bytes for entry in entries)
    table = run("cache", "list")[1].splitlines()
    assert table[0].split() == ["key", "kind", "size", "last", "used"]
    assert len(table) == 1 + len(entries)
    assert f"entries     {len(entries)}" in run("cache", "stats")[1]


@pytest.mark.needs_cc
def test_limit(run: Run, kept: Path) -> None:
    with symtheano.config.change_flags(cache_size=2):
        assert json.loads(run("cache", "stats", "--json")[1])["limit_bytes"] == 2 << 20
    with symtheano.config.change_flags(cache_size=0):
        assert json.loads(run("cache", "stats", "--json")[1])["limit_bytes"] is None


@pytest.mark.needs_cc
def test_verify_removes_what_is_damaged(run: Run, kept: Path) -> None:
    count = len(list(Cache(kept).entries()))
    assert run("cache", "verify") == (0, f"{count} entries checked, 0 damaged\n", "")
    damaged = next(entry for entry in Cache(kept).entries() if entry.kind == "library")
    # another file in its place: this process has the library in its memory
    damaged.path.unlink()
    damaged.path.write_bytes(b"damaged")
    status, out, err = run("cache", "verify")
    assert (status, err) == (1, "")
    assert out.splitlines() == [
        f"removed {damaged.path}",
        f"{count} entries checked, 1 damaged",
    ]
    assert not damaged.path.exists()


@pytest.mark.needs_cc
def test_clear(run: Run, kept: Path) -> None:
    count = len(list(Cache(kept).entries()))
    status, out, _ = run("cache", "clear")
    assert status == 0
    assert out.startswith(f"removed {count} entries, ")
    assert list(Cache(kept).entries()) == []


def test_a_directory_of_others_is_a_line(run: Run, tmp_path: Path) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    with symtheano.config.change_flags(cache_dir=str(shared)):
        status, out, err = run("cache", "path")
    assert status == 0
    assert out.strip() != str(shared)
    assert err.startswith("symtheano: warning: ")
    assert "chmod 700" in err

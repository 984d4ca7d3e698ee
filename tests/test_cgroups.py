"""Limits of containers, from files such as Linux has."""

from __future__ import annotations

from pathlib import Path

import pytest

from symtheano.cgroups import free_memory, processor_quota


def tree(folder: Path, own: str, **files: str) -> tuple[str, str]:
    """Write the files of control groups; return their root, and the file of the process."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("-", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "own").write_text(own)
    return str(folder), str(folder / "own")


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("200000 100000", 2),
        ("150000 100000", 2),
        ("1000 100000", 1),
        ("max 100000", None),
        ("", None),
    ],
)
def test_quota(tmp_path: Path, text: str, wanted: int | None) -> None:
    root, own = tree(tmp_path, "0::/a/b\n", **{"a__b__cpu-max": text})
    assert processor_quota(root, own) == wanted


def test_the_smallest_quota_of_all_groups_around(tmp_path: Path) -> None:
    files = {"a__b__cpu-max": "800000 100000", "a__cpu-max": "300000 100000", "cpu-max": "max 1"}
    root, own = tree(tmp_path, "0::/a/b\n", **files)
    assert processor_quota(root, own) == 3


def test_the_first_version_and_paths_of_the_host(tmp_path: Path) -> None:
    files = {"cpu__cpu-cfs_quota_us": "250000", "cpu__cpu-cfs_period_us": "100000"}
    root, own = tree(tmp_path, "3:cpu,cpuacct:/docker/1234\n1:name=systemd:/x\n", **files)
    assert processor_quota(root, own) == 3
    files = {"cpu__cpu-cfs_quota_us": "-1", "cpu__cpu-cfs_period_us": "100000"}
    root, own = tree(tmp_path, "3:cpu,cpuacct:/\n", **files)
    assert processor_quota(root, own) is None


def test_memory(tmp_path: Path) -> None:
    system = tmp_path / "meminfo"
    system.write_text("MemTotal: 100 kB\nMemAvailable:   80 kB\n")
    root, own = tree(tmp_path, "0::/a\n")
    assert free_memory(root, own, str(system)) == 80 << 10
    files = {"a__memory-max": "50000", "a__memory-current": "40000",
             "a__memory-stat": "anon 7\ninactive_file 5000\n"}  # fmt: skip
    root, own = tree(tmp_path, "0::/a\n", **files)
    assert free_memory(root, own, str(system)) == 15000
    (tmp_path / "a" / "memory.max").write_text("max")
    assert free_memory(root, own, str(system)) == 80 << 10


def test_systems_without(tmp_path: Path) -> None:
    missing = str(tmp_path / "missing")
    assert processor_quota(missing, missing) is None
    assert free_memory(missing, missing, missing) is None

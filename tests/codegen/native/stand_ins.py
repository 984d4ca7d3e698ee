"""Compilers, owners and damages that tests of compilation stand in for real ones."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

ANSWER = '__attribute__((visibility("default"))) int answer(void) { return 42; }\n'
KEY, OTHER = "0123456789abcdef" * 4, "fedcba9876543210" * 4
DAMAGES = ("flip", "truncate", "cut", "empty", "remove", "rubbish")


def do_damage(path: Path, kind: str) -> None:
    """Damage a file in one of several ways."""
    whole = path.read_bytes()
    middle = len(whole) // 2
    changed = {
        "flip": whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
        "truncate": whole[:middle],
        "cut": whole[:-1],
        "empty": b"",
        "rubbish": b"\xff\n\xfe",
    }
    if kind == "remove":
        path.unlink()
    else:
        path.write_bytes(changed[kind])


def fake_compiler(path: Path, version: str, script: str) -> str:
    """Write a program that replaces a compiler, and return its path."""
    path.write_text(
        f"#!{sys.executable}\nimport os, subprocess, sys\n"
        f"if '--version' in sys.argv:\n    print({version!r})\n    sys.exit()\n{script}\n"
    )
    path.chmod(0o755)
    return str(path)


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

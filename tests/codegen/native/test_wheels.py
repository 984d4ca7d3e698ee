"""Libraries of wheels: the first environment that has one, the newest version last."""

from __future__ import annotations

from pathlib import Path

import pytest

from symtheano.codegen.native.wheels import CUBLAS, CUFFT, library_paths, wheel_libraries


def test_the_first_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("one/nvidia/cu12/lib/liba.so.12", "two/nvidia/cu13/lib/liba.so.13",
                 "two/nvidia/cu12/lib/liba.so.12", "two/nvidia/cu13/lib/libb.so.1"):  # fmt: skip
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    monkeypatch.setattr("sys.path", [str(tmp_path / "none"), str(tmp_path / "two")])
    names = [path.rpartition("/")[2] for path in wheel_libraries("liba.so.*")]
    assert names == ["liba.so.12", "liba.so.13"]
    monkeypatch.setattr("sys.path", [str(tmp_path / "one"), str(tmp_path / "two")])
    assert len(wheel_libraries("liba.so.*")) == 1
    assert len(wheel_libraries("libb.so.*")) == 1


def test_where_a_library_may_be(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SYMTHEANO_LIBCUBLAS", "/my/libcublas.so")
    assert library_paths(CUBLAS) == ["/my/libcublas.so"]
    monkeypatch.delenv(CUBLAS.variable)
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    assert library_paths(CUBLAS) == ["libcublas.so.13", "libcublas.so.12"]
    folder = tmp_path / "nvidia" / "cufft" / "lib"
    folder.mkdir(parents=True)
    for name in ("libcufft.so.11", "libcufftw.so.11"):
        (folder / name).touch()
    assert library_paths(CUFFT) == [str(folder / "libcufft.so.11"), *CUFFT.files]

"""doctor: it lists what is installed, and how to install what is missing."""

from __future__ import annotations

import ctypes
import dataclasses
import json
import subprocess
import sysconfig
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import symtheano
from symtheano.cli.doctor import FEATURES, Check, cpu_features, guarded, product_is_right
from symtheano.codegen.native.toolchain import find_toolchain
from symtheano.codegen.runtime.blas import find_blas
from tests.cli.conftest import Run

Start = Callable[..., subprocess.CompletedProcess[str]]


def examined(run: Run) -> tuple[int, dict[str, dict[str, Any]]]:
    """Return the exit status and the checks by name."""
    status, out, _ = run("doctor", "--json")
    return status, {check["name"]: check for check in json.loads(out)}


@pytest.mark.needs_cc
def test_what_works(run: Run) -> None:
    status, checks = examined(run)
    assert status == 0
    for name in ("C compiler", "compiled function", "BLAS", "cache", "packages"):
        assert checks[name]["status"] == "ok", checks[name]
    assert f"numpy {np.__version__}" in checks["packages"]["found"]
    told = {"sympy", "networkx", "safetensors", "CUDA driver", "pycuda", "Python headers"}
    assert told | {"threads"} <= set(checks)
    assert all(check["fix"] for check in checks.values() if check["status"] == "warn")


@pytest.mark.needs_cc
def test_the_screen_tells_the_same(run: Run) -> None:
    status, out, err = run("doctor")
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    names = list(examined(run)[1])
    shown = [line[6:].split("  ")[0].strip() for line in lines if line[:4].strip() in _STATUSES]
    assert [name for name in names if name in shown] == names


_STATUSES = ("ok", "note", "warn", "fail")


def test_without_a_compiler(run: Run) -> None:
    with symtheano.config.change_flags(cc="no-such-compiler"):
        status, checks = examined(run)
        assert status == 1
        assert checks["C compiler"]["status"] == "fail"
        assert "apt install gcc" in checks["C compiler"]["fix"]
        assert "compiled function" not in checks
        status, out, _ = run("doctor")
    assert status == 1
    assert "does not work: C compiler" in out


def test_blas_that_is_not_there(run: Run) -> None:
    with symtheano.config.change_flags(blas="/no/such/library.so"):
        status, checks = examined(run)
    assert status == 1
    assert checks["BLAS"]["status"] == "fail"
    assert "/no/such/library.so" in checks["BLAS"]["found"]
    assert checks["BLAS"]["fix"]


def test_kernels_for_an_older_processor(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    provider = dataclasses.replace(find_blas("numpy"), kernels="Haswell")
    monkeypatch.setattr("symtheano.codegen.runtime.blas.find_blas", lambda *args: provider)
    levels = {"x86-64-v2", "x86-64-v3", "x86-64-v4"}
    monkeypatch.setattr("symtheano.codegen.native.machine.processor_levels", lambda: levels)
    status, checks = examined(run)
    assert status == 0
    assert checks["BLAS"]["status"] == "warn"
    assert "Haswell" in checks["BLAS"]["found"]
    assert "OPENBLAS_CORETYPE" in checks["BLAS"]["fix"]
    levels.remove("x86-64-v4")
    assert examined(run)[1]["BLAS"]["status"] == "ok"


def test_a_wrong_product_is_seen() -> None:
    provider = find_blas("numpy")
    assert product_is_right(provider)
    idle = ctypes.CFUNCTYPE(None)(lambda: None)
    address = ctypes.cast(idle, ctypes.c_void_p).value
    wrong: Any = SimpleNamespace(ilp64=provider.ilp64, pointers={"cblas_dgemm": address})
    assert not product_is_right(wrong)


@pytest.mark.needs_cc
def test_without_headers(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    original = sysconfig.get_path

    def get_path(name: str, *args: Any) -> str:
        return str(tmp_path) if name == "include" else original(name, *args)

    monkeypatch.setattr(sysconfig, "get_path", get_path)
    status, checks = examined(run)
    assert status == 0
    assert checks["Python headers"]["status"] == "warn"
    assert "Python.h is missing" in checks["Python headers"]["found"]
    assert "apt install python3" in checks["Python headers"]["fix"]


@pytest.mark.needs_cc
def test_a_directory_of_others(run: Run, tmp_path: Path) -> None:
    shared = tmp_path / "for all"
    shared.mkdir()
    shared.chmod(0o777)
    with symtheano.config.change_flags(cache_dir=str(shared)):
        status, checks = examined(run)
    assert status == 0
    assert checks["cache"]["status"] == "warn"
    assert f"chmod 700 {shared}" in checks["cache"]["fix"]


@pytest.mark.needs_cc
def test_more_threads_than_processors(run: Run) -> None:
    with symtheano.config.change_flags(threads=4096):
        checks = examined(run)[1]
    assert checks["threads"]["status"] == "warn"


DRIVER = """\
int cuInit(unsigned flags) { return STATUS; }
int cuDriverGetVersion(int *version) { *version = 12040; return 0; }
int cuDeviceGetCount(int *count) { *count = 2; return 0; }
"""


@pytest.mark.needs_cc
@pytest.mark.parametrize(
    ("status", "expected", "found"),
    [(0, "ok", "CUDA 12.4, 2 devices"), (100, "note", "cuInit fails with error 100")],
)
def test_cuda_driver(program: Start, folder: Path, status: int, expected: str, found: str) -> None:
    """A library of the test replaces the driver."""
    (folder / "driver.c").write_text(DRIVER)
    command = [*find_toolchain().command, f"-DSTATUS={status}", "-shared", "-fPIC", "driver.c"]
    subprocess.run([*command, "-o", "libcuda.so.1"], cwd=folder, check=True)
    result = program("doctor", "--json", LD_LIBRARY_PATH=str(folder))
    check = next(item for item in json.loads(result.stdout) if item["name"] == "CUDA driver")
    assert check["status"] == expected
    assert found in check["found"]


def test_a_check_that_breaks_is_a_failure() -> None:
    def broken() -> Check:
        raise RuntimeError("it broke")

    check = guarded("thing", broken)
    assert (check.name, check.status) == ("thing", "fail")
    assert "it broke" in check.found


def test_features_are_numpys() -> None:
    assert set(cpu_features()) <= set(FEATURES)

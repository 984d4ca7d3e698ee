"""A libcuda of ours, in front of which the driver of CUDA devices is tested."""

from __future__ import annotations

import ctypes
import gc
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from symtheano.codegen.native.wheels import LIBCUBLAS
from symtheano.codegen.runtime import cuda
from symtheano.codegen.runtime.cuda import LIBCUDA
from symtheano.codegen.runtime.emulated import EmulatedDevice

STUB = Path(__file__).parents[1] / "cuda" / "stub_libcuda.c"
STUB_CUBLAS = STUB.with_name("stub_libcublas.c")


@pytest.fixture(scope="session")
def stub(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("stub") / "libcuda.so.1"
    command = ["cc", "-shared", "-fPIC", "-w", "-o", str(path), str(STUB), "-ldl"]
    subprocess.run(command, check=True)
    return str(path)


def free_unused(stub: str) -> None:
    """Give back the memory that is kept for later arrays."""
    if stub in cuda._drivers:
        for number in range(2):
            cuda._drivers[stub].st_free_unused(number)


@pytest.fixture
def libcuda(stub: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ctypes.CDLL]:
    monkeypatch.setenv(LIBCUDA, stub)
    library = ctypes.CDLL(stub)
    free_unused(stub)
    before = library.stub_allocated()
    yield library
    while gc.collect():  # what is finalized lets go of more
        pass
    free_unused(stub)
    assert library.stub_allocated() == before, "memory of the device was not freed"


@pytest.fixture
def cublas(libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ctypes.CDLL:
    """A cuBLAS of our own, for programs that call it."""
    path = tmp_path / "libcublas.so"
    command = ["cc", "-shared", "-fPIC", "-w", "-o", str(path), str(STUB_CUBLAS), "-ldl"]
    subprocess.run(command, check=True)
    monkeypatch.setenv(LIBCUBLAS, str(path))
    monkeypatch.setattr(EmulatedDevice, "multiplies", True)
    return ctypes.CDLL(str(path))

"""The compiler and the cache that all tests of generated code share, and stubs of NVIDIA's."""

from __future__ import annotations

import ctypes
import gc
import os
import subprocess
from collections.abc import Callable, Iterator
from functools import cache as cache_of_results
from pathlib import Path

import pytest

from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain, find_toolchain
from symtheano.codegen.native.wheels import DEVICE_LIBRARIES
from symtheano.codegen.runtime import cuda
from symtheano.codegen.runtime.cuda import LIBCUDA
from symtheano.codegen.runtime.emulated import EmulatedDevice

STUBS = Path(__file__).parent / "cuda"


@pytest.fixture(scope="session")
def cache() -> Cache:
    """Return the cache of the whole test run."""
    return Cache(Path(os.environ["SYMTHEANO_CACHE_DIR"]))


@pytest.fixture(scope="module")
def toolchain(cache: Cache) -> Toolchain:
    """Return the compiler that SYMTHEANO_CC names, or otherwise the default one."""
    return find_toolchain(os.environ.get("SYMTHEANO_CC"), directory=cache.directory)


def _compiled(name: str, folder: Path) -> str:
    path = folder / f"{name}.so"
    command = ["cc", "-shared", "-fPIC", "-w", "-O1", "-o", str(path)]
    subprocess.run([*command, str(STUBS / f"stub_{name}.c"), "-ldl", "-lm"], check=True)
    return str(path)


@pytest.fixture(scope="session")
def compiled_stub(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Return a function that returns the path of a library of ours, the same in all tests."""
    folder = tmp_path_factory.mktemp("stubs")
    return cache_of_results(lambda name: _compiled(name, folder))


def _free_unused(stub: str) -> None:
    """Give back the memory that is kept for later arrays."""
    if stub in cuda._drivers:
        for number in range(2):
            cuda._drivers[stub].st_free_unused(number)


@pytest.fixture
def libcuda(
    compiled_stub: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[ctypes.CDLL]:
    """Put a libcuda of ours behind the driver of CUDA devices."""
    stub = compiled_stub("libcuda")
    monkeypatch.setenv(LIBCUDA, stub)
    library = ctypes.CDLL(stub)
    _free_unused(stub)
    before = library.stub_allocated()
    yield library
    while gc.collect():  # what is finalized lets go of more
        pass
    _free_unused(stub)
    assert library.stub_allocated() == before, "memory of the device was not freed"


@pytest.fixture
def device_library(
    compiled_stub: Callable[[str], str], libcuda: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> Callable[[str], ctypes.CDLL]:
    """Return a function that lets programs call a library of ours, by its name."""

    def use(name: str) -> ctypes.CDLL:
        (library,) = (each for each in DEVICE_LIBRARIES if each.name == name)
        path = compiled_stub(f"lib{name}")
        monkeypatch.setenv(library.variable, path)
        there = EmulatedDevice.libraries | {name} | ({"geev"} if name == "cusolver" else set())
        monkeypatch.setattr(EmulatedDevice, "libraries", there)
        return ctypes.CDLL(path)

    return use


@pytest.fixture
def cublas(device_library: Callable[[str], ctypes.CDLL]) -> ctypes.CDLL:
    """Let programs call a cuBLAS of ours."""
    return device_library("cublas")


@pytest.fixture
def cufft(device_library: Callable[[str], ctypes.CDLL]) -> ctypes.CDLL:
    """Let programs call a cuFFT of ours."""
    return device_library("cufft")

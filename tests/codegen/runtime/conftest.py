"""A libcuda of ours, in front of which the driver of CUDA devices is tested."""

from __future__ import annotations

import ctypes
import gc
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from symtheano.codegen.runtime.cuda import LIBCUDA

STUB = Path(__file__).parents[1] / "cuda" / "stub_libcuda.c"


@pytest.fixture(scope="session")
def stub(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("stub") / "libcuda.so.1"
    command = ["cc", "-shared", "-fPIC", "-w", "-o", str(path), str(STUB), "-ldl"]
    subprocess.run(command, check=True)
    return str(path)


@pytest.fixture
def libcuda(stub: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[ctypes.CDLL]:
    monkeypatch.setenv(LIBCUDA, stub)
    library = ctypes.CDLL(stub)
    before = library.stub_allocated()
    yield library
    while gc.collect():  # what is finalized lets go of more
        pass
    assert library.stub_allocated() == before, "memory of the device was not freed"

"""Machine code of kernels for several devices, kept in the cache of all tests."""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

from symtheano.codegen.cuda.program import CudaSource
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.nvrtc import FLAGS, compile_cubin
from symtheano.codegen.runtime.cuda import compile_module, compiler_for, module_text

ARCHITECTURES = ("sm_75", "sm_80", "sm_90", "sm_100")


def assert_compiles(source: CudaSource, name: str, few: bool = False) -> None:
    """Fail unless NVRTC takes kernels for one of the devices, which depends on a name.

    ``few`` says to check no more than the text for seven names of eight, which takes a thirtieth of
    the time. ``python -m tests.cuda_programs`` compiles all.
    """
    if not source.entries:
        return
    number = crc32(name.encode())
    if few and number // 4 % 8:
        compile_cubin(source.device, "compute_80", (*FLAGS, "-fdevice-syntax-only"))
        return
    compiler = compiler_for(ARCHITECTURES[number % 4])
    store = Cache(os.environ["SYMTHEANO_CACHE_DIR"])
    path = store.load(module_text(source), compiler, Path, make=compile_module)
    _, _, image = path.read_bytes().partition(b"\n")
    assert image.startswith(b"\x7fELF")

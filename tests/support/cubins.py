"""Machine code of kernels for several devices, kept in the cache of all tests."""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

from symtheano.codegen.cuda.program import CudaSource
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.runtime.cuda import compile_module, compiler_for, module_text

ARCHITECTURES = ("sm_75", "sm_80", "sm_90", "sm_100")


def assert_compiles(source: CudaSource, name: str) -> None:
    """Fail unless NVRTC takes kernels for one of the devices, which depends on a name."""
    if source.entries:
        compiler = compiler_for(ARCHITECTURES[crc32(name.encode()) % len(ARCHITECTURES)])
        store = Cache(os.environ["SYMTHEANO_CACHE_DIR"])
        path = store.load(module_text(source), compiler, Path, make=compile_module)
        _, _, image = path.read_bytes().partition(b"\n")
        assert image.startswith(b"\x7fELF")

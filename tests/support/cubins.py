"""Machine code of kernels for several devices, kept in the cache of all tests."""

from __future__ import annotations

import os
from pathlib import Path
from zlib import crc32

from symtheano.codegen.cuda.program import CudaSource
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.runtime.cuda import compile_module, compiler_for, module_text

ARCHITECTURES = ("sm_75", "sm_80", "sm_90", "sm_100")
VIRTUAL = tuple(architecture.replace("sm", "compute") for architecture in ARCHITECTURES)
"""Those for which NVRTC checks a text and stops before machine code, half of its work."""


def assert_compiles(source: CudaSource, name: str, few: bool = False) -> None:
    """Fail unless NVRTC takes kernels for one of the devices, which depends on a name.

    ``few`` says to stop before machine code for three names of four.
    """
    if source.entries:
        number = crc32(name.encode())
        kinds = VIRTUAL if few and number // 4 % 4 else ARCHITECTURES
        compiler = compiler_for(kinds[number % 4])
        store = Cache(os.environ["SYMTHEANO_CACHE_DIR"])
        path = store.load(module_text(source), compiler, Path, make=compile_module)
        _, _, image = path.read_bytes().partition(b"\n")
        assert kinds is VIRTUAL or image.startswith(b"\x7fELF")

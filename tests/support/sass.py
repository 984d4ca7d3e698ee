"""Machine code of kernels as text: which instructions access memory, and how wide they are."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from symtheano.codegen.cuda.program import CudaSource, print_cuda, wide_source
from symtheano.codegen.devices import CUDA
from symtheano.codegen.native.nvrtc import compile_cubin
from tests.codegen.passes.cuda.programs import cuda_program

_INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_.]+)", re.MULTILINE)
_ACCESSES = ("LDG", "STG", "LDL", "STL")


def disassembler() -> str:
    """Return the path of nvdisasm; the test is skipped if it is not there."""
    folders = [str(path) for root in sys.path for path in Path(root).glob("nvidia/*/bin")]
    for path in (shutil.which("nvdisasm", path=folder) for folder in folders):
        if path is not None:
            return path
    return shutil.which("nvdisasm") or pytest.skip("nvdisasm is not installed")


def instructions(
    inputs: Sequence[Any], outputs: Any, folder: Path, wide: bool = False
) -> list[list[str]]:
    """Return for each kernel of a function the names of the instructions of its code, in order.

    ``wide`` tells whether integers of addresses have 64 bits although 32 may suffice.
    """
    lowered = cuda_program(inputs, outputs)
    source: CudaSource = print_cuda(lowered, frozenset(), "default", CUDA)
    if wide:
        source = wide_source(source, lowered, CUDA)
    program = disassembler()
    path = folder / "kernels.cubin"
    path.write_bytes(compile_cubin(source.device, "sm_90"))
    text = subprocess.run([program, "-c", path], capture_output=True, text=True, check=True).stdout
    kernels = re.split(r"^\.section\s+\.text\.|^//-+ \.text\.", text, flags=re.MULTILINE)[1:]
    return [_INSTRUCTION.findall(kernel) for kernel in kernels]


def accesses(inputs: Sequence[Any], outputs: Any, folder: Path) -> list[Counter[str]]:
    """Return for each kernel of a function how often each access to memory is in its code.

    Those are loads and stores of global memory (``LDG``, ``STG``) and of a thread's own (``LDL``,
    ``STL``), which arrays have that are no registers.
    """
    return [
        Counter(word for word in kernel if word.startswith(_ACCESSES))
        for kernel in instructions(inputs, outputs, folder)
    ]

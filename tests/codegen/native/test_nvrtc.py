"""NVRTC: kernels become machine code, and what it rejects is an error."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from symtheano.codegen.native import nvrtc
from symtheano.codegen.native.nvrtc import NoNvrtcError, compile_cubin, nvrtc_version
from symtheano.errors import CompileError

KERNEL = """
extern "C" __global__ void add(const float *x, float *y) { y[threadIdx.x] += x[threadIdx.x]; }
"""


def test_a_kernel() -> None:
    cubin = compile_cubin(KERNEL, "sm_80")
    assert cubin.startswith(b"\x7fELF")
    assert b"add" in cubin
    assert compile_cubin(KERNEL, "sm_80") == cubin
    assert nvrtc_version().startswith("NVRTC ")


def test_what_it_rejects() -> None:
    with pytest.raises(CompileError, match=r'identifier "z" is undefined'):
        compile_cubin(KERNEL.replace("+=", "= z"), "sm_80")
    with pytest.raises(CompileError, match="invalid value for --gpu-architecture"):
        compile_cubin(KERNEL, "sm_1")


def test_it_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    nvrtc.nvrtc.cache_clear()
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    monkeypatch.setattr(nvrtc, "_NAMES", ("libnvrtc-not-there.so",))
    try:
        with pytest.raises(NoNvrtcError, match="pip install nvidia-cuda-nvrtc"):
            compile_cubin(KERNEL, "sm_80")
    finally:
        nvrtc.nvrtc.cache_clear()

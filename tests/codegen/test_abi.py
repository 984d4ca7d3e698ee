"""The binary interface: C at the top of each file, declarations for cffi, and their layout."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import pytest

from symtheano.codegen import abi
from symtheano.codegen.abi import ABI, BLAS_FUNCTIONS, ErrorCode, declarations
from symtheano.codegen.runtime import blas
from symtheano.codegen.runtime.load import foreign


def fields(struct: str) -> list[str]:
    """Return the fields of a struct in the C text, in order."""
    text = re.sub(r"/\*.*?\*/", "", ABI, flags=re.S)
    found = re.search(rf"typedef struct {struct} \{{(.*?)\}} {struct};", text, re.S)
    assert found
    words = (re.search(r"(\w+)(\[\w+\])?$|\(\*(?:const )?(\w+)\)\(.*\)$", part.strip(), re.S)
             for part in found[1].split(";") if part.strip())  # fmt: skip
    return [m[1] or m[3] for m in words if m]


@pytest.mark.parametrize("struct", ["st_array", "st_error", "st_blas", "st_runtime"])
def test_cffi_declares_the_structs_of_the_text(struct: str) -> None:
    declared: Any = foreign().ffi.typeof(struct) if hasattr(foreign(), "ffi") else None
    declared = declared or foreign().typeof(struct)
    assert [name for name, _ in declared.fields] == fields(struct)


def test_the_table_of_blas_has_the_layout_of_ctypes() -> None:
    layout: Any = blas.table(blas.find_blas())
    offsets = {name: getattr(type(layout), name).offset for name, *_ in layout._fields_}
    ffi = getattr(foreign(), "ffi", foreign())
    for name, field in ffi.typeof("st_blas").fields:
        assert offsets[name] == field.offset, name
    assert ctypes.sizeof(layout) >= ffi.sizeof("st_blas")  # our own kernels are behind it


def test_every_error_has_its_number_in_c() -> None:
    everywhere = [code for code in ErrorCode if code is not ErrorCode.DEVICE]
    for code in everywhere:
        name = "ST_OK" if code is ErrorCode.OK else f"ST_ERROR_{code.name}"
        assert re.search(rf"^#define {name} {code.value}$", ABI, re.M)
    assert ErrorCode.OK == 0
    assert len(re.findall(r"^#define ST_ERROR_", ABI, re.M)) == len(everywhere) - 1


def test_functions_of_blas_are_numbered_once() -> None:
    assert len(set(BLAS_FUNCTIONS)) == len(BLAS_FUNCTIONS)
    assert f"#define ST_BLAS_COUNT {len(BLAS_FUNCTIONS)}" in ABI
    assert f"fn[{len(BLAS_FUNCTIONS)}]" in declarations()


def test_the_parsed_form_is_that_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "_abi_ffi.py"
    abi.write_ffi(path)
    assert path.read_text() == Path(abi.__file__).with_name("_abi_ffi.py").read_text()

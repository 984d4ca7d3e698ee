"""Linking: an entry point with the functions and tables that its file asks for."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import symtheano.tensor as T
from symtheano import function
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.record import BLAS, LAPACK, Record
from symtheano.codegen.runtime import blas, tables
from symtheano.codegen.runtime.lapack import lapack_table
from symtheano.codegen.runtime.link import Linked, _external, link, load
from tests.codegen.native.stand_ins import ANSWER

PLAIN = Record("0" * 64, "answer", (), (), 0)


@pytest.fixture(scope="module")
def library(cache: Cache, toolchain: Toolchain) -> Path:
    """Return a compiled file with one function."""
    return cache.obtain(ANSWER, toolchain)


@pytest.mark.needs_cc
def test_the_entry_point_is_found_by_its_name(
    library: Path, cache: Cache, toolchain: Toolchain
) -> None:
    found = link(PLAIN, load(str(library)), toolchain, cache, "")
    assert ctypes.CFUNCTYPE(ctypes.c_int)(found.address)() == 42
    assert (found.blas, found.blas_address, found.python) == (None, 0, ())
    with pytest.raises(OSError, match="has no entry point other"):
        link(PLAIN._replace(entry="other"), load(str(library)), toolchain, cache, "")


@pytest.mark.needs_cc
def test_tables_and_functions_are_in_the_order_of_the_file(
    library: Path, cache: Cache, toolchain: Toolchain
) -> None:
    def linked(*links: str) -> Linked:
        return link(PLAIN._replace(links=links), load(str(library)), toolchain, cache, "")

    provider = blas.find_blas(None, toolchain, cache)
    of_lapack = ctypes.addressof(lapack_table(provider))
    assert list(linked("j0", "i0").functions) == [_external("j0"), _external("i0")]
    assert list(linked("i0", LAPACK).functions) == [_external("i0"), of_lapack]
    found = linked(BLAS, LAPACK)
    assert list(found.functions) == [of_lapack]
    assert found.blas is blas.table(provider)
    assert linked("i0").blas is None
    assert linked().functions_address != 0


@pytest.mark.needs_cc
def test_a_deterministic_function_waits_for_kernels(
    library: Path, cache: Cache, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = []
    real = blas.find_blas
    monkeypatch.setattr(
        blas, "find_blas", lambda *args: waited.append(args[-1]) or real(*args[:-1])
    )
    monkeypatch.setattr(tables, "wait_for_kernels", lambda: waited.append("kernels"))
    for wait in (False, True):
        for record in (
            PLAIN._replace(links=(BLAS,)),
            PLAIN._replace(links=("convolution_f32",)),
        ):
            link(record, load(str(library)), toolchain, cache, "", wait=wait)
    assert waited == [False, True, "kernels"]


@pytest.mark.needs_cc
def test_kernels_begin_before_a_file_is_compiled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    order: list[object] = []

    def begun(name: str) -> Callable[..., Any]:
        return lambda *args: order.append(name) or real[name](*args)

    real = {"find_blas": blas.find_blas, "kernel_table": tables.kernel_table}
    monkeypatch.setattr(blas, "find_blas", begun("find_blas"))
    monkeypatch.setattr(tables, "kernel_table", begun("kernel_table"))
    x, w = T.ftensor4(), T.ftensor4()
    outputs = [T.nnet.conv2d(x, w), T.dot(x[0, 0], w[0, 0])]
    stages = function([x, w], outputs).stages
    order.clear()
    monkeypatch.setattr(Cache, "load", lambda *_, **__: order.append("compiled"))
    monkeypatch.setattr(type(stages), "_linked", lambda *_: None)
    stages._compiled(None)
    assert order == ["find_blas", "kernel_table", "compiled"]


def test_a_file_that_is_no_library(tmp_path: Path, cache: Cache) -> None:
    (tmp_path / "x.so").write_bytes(b"rubbish")
    plain = Toolchain(("cc",), "cc 1.0", (), (), "a cpu", frozenset())
    with pytest.raises(OSError, match=r"x\.so"):
        link(PLAIN, load(str(tmp_path / "x.so")), plain, cache, "")


def test_functions_of_scipy_take_and_return_doubles() -> None:
    double = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double, ctypes.c_int)
    assert double(_external("i0"))(0.0, 0) == 1.0
    assert double(_external("psi"))(1.0, 0) == pytest.approx(-0.5772156649)  # of several types
    with pytest.raises(ImportError, match="has no C function no_such_function"):
        _external("no_such_function")

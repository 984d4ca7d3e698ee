"""The dispatcher: what it is compiled with, when it can't be had, what it knows of a function."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import function, shared
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime import dispatch
from symtheano.codegen.runtime.dispatch import (
    NoDispatcherError,
    begin_dispatcher,
    connection,
    load_dispatcher,
    python_headers,
)
from symtheano.graph.ports import Ports


def test_headers_of_python_and_numpy() -> None:
    python, numpy = python_headers()
    assert os.path.isfile(os.path.join(python, "Python.h"))
    assert os.path.isfile(os.path.join(numpy, "numpy", "arrayobject.h"))


def test_missing_headers_say_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    with pytest.raises(NoDispatcherError, match=r"Python\.h is missing") as caught:
        python_headers()
    assert "python3-dev" in caught.value.hint
    assert "python3-dev" not in caught.value.why
    assert caught.value.hint in str(caught.value)


def test_missing_headers_of_numpy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "get_include", lambda: str(tmp_path))
    with pytest.raises(NoDispatcherError, match="NumPy's headers are missing") as caught:
        python_headers()
    assert str(caught.value) == caught.value.why


def test_other_pythons_call_through_cffi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "_is_gil_enabled", lambda: False, raising=False)
    with pytest.raises(NoDispatcherError, match="relies on the GIL"):
        dispatch._check_python()
    other = type("Other", (), {"name": "pypy"})
    monkeypatch.setattr(sys, "implementation", other)
    with pytest.raises(NoDispatcherError, match="pypy calls compiled functions through cffi"):
        dispatch._check_python()


@pytest.mark.needs_cc
def test_it_is_compiled_once(cache: Cache, toolchain: Toolchain) -> None:
    module = load_dispatcher(toolchain, cache)
    assert load_dispatcher(toolchain, cache) is module
    begun = begin_dispatcher(toolchain, cache)
    assert begun is begin_dispatcher(toolchain, cache)
    assert begun.ready
    assert isinstance(module.Dispatcher, type)


@pytest.mark.needs_cc
def test_what_it_is_told_of_a_function() -> None:
    x = T.TensorType("float32", (None, 3))("x")
    w = shared(np.zeros(2), "w")
    f = function([x], [x * 2, T.exp(w)], updates=[(w, w + 1)])
    f.wait()
    linked: Any = f._linked
    ports = Ports.of(f) if hasattr(Ports, "of") else f._ports
    address, inputs, outputs, operations, returned, single, *rest = connection(
        linked, ports, False, 2
    )
    assert address == linked.address
    number, ndim, argument, donated, elsewhere, shape, cell, constant = inputs[0]
    assert (number, ndim, argument, donated, elsewhere, shape, cell, constant) == (
        np.dtype("float32").num, 2, 0, False, False, (-1, 3), None, None
    )  # fmt: skip
    assert inputs[1][2] == -1  # no argument, but a shared variable
    assert inputs[1][6] is w.container.storage
    assert [(ndim, elsewhere) for _, ndim, _, elsewhere, _ in outputs][:2] == [(2, 0), (1, 0)]
    assert outputs[-1][4] is w.container.storage
    assert (operations, returned, single) == ((), 2, False)
    assert rest[2] == 2

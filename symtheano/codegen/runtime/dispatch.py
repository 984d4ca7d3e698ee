"""The dispatcher: an extension module, compiled once, that calls all compiled functions.

Its C source is in ``dispatcher/``; ``module.c`` includes the other files. It needs the headers of
Python and NumPy; if they are missing, functions are called through cffi, with the same results and
some microseconds more per call.
"""

from __future__ import annotations

import os
import sys
from functools import partial
from types import ModuleType

import numpy as np

from symtheano.codegen.abi import ABI
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.later import Later
from symtheano.codegen.native.prebuilt import Unit, find_unit, load_unit
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.runtime.link import Linked
from symtheano.codegen.template import file_text, fill
from symtheano.errors import CompileError
from symtheano.graph import claims
from symtheano.graph.claims import Storage
from symtheano.graph.ports import Port, Ports
from symtheano.graph.shared import Container

_MODULE = "symtheano_dispatch"

# The files that module.c includes, besides pools.c, which includes outputs.c.
_PARTS = (
    *("workspace.c", "strided.c", "claims.c", "signals.c", "python_ops.c"),
    *("there.c", "inputs.c", "calls.c", "tiers.c", "objects.c", "choice.c", "directories.c"),
)


class NoDispatcherError(RuntimeError):
    """The dispatcher can't be built; the message is the reason, ``hint`` what to do."""

    def __init__(self, why: str, hint: str = "") -> None:
        super().__init__(f"{why}; {hint}" if hint else why)
        self.why, self.hint = why, hint


def python_headers() -> tuple[str, ...]:
    """Return the directories of the headers of Python and NumPy.

    Raises
    ------
    NoDispatcherError
        Where one of them is missing.
    """
    # The usual location; calling sysconfig would cost a warm start a millisecond.
    version = f"python{sys.version_info.major}.{sys.version_info.minor}{sys.abiflags}"
    python = os.path.join(sys.base_prefix, "include", version)
    if not os.path.isfile(os.path.join(python, "Python.h")):
        from sysconfig import get_path

        python = get_path("include")
    if not os.path.isfile(os.path.join(python, "Python.h")):
        raise NoDispatcherError(
            f"{python}/Python.h is missing: calls go through cffi and take longer",
            "apt install python3-dev (Debian, Ubuntu); dnf install python3-devel (Fedora)",
        )
    numpy = np.get_include()
    if not os.path.isfile(os.path.join(numpy, "numpy", "arrayobject.h")):
        raise NoDispatcherError(f"NumPy's headers are missing from {numpy}: calls go through cffi")
    return (python, numpy)


def load_dispatcher(toolchain: Toolchain, store: Cache) -> ModuleType:
    """Return the extension module, from the cache or newly compiled.

    Its ``Dispatcher`` is the base class of what can be called.

    Raises
    ------
    NoDispatcherError
        If headers are missing, Python is not CPython with a GIL, or the compiler fails.
    """
    return begin_dispatcher(toolchain, store).result()


_begun: dict[tuple[Toolchain, Cache], Later[ModuleType]] = {}


def begin_dispatcher(toolchain: Toolchain, store: Cache) -> Later[ModuleType]:
    """Return the extension module if it is in the cache, or start compiling it.

    Raises
    ------
    NoDispatcherError
        If headers are missing, or Python is not CPython with a GIL. If the compiler fails, the
        error is raised by the result.
    """
    earlier = _begun.get((toolchain, store))
    if earlier is not None and not earlier.failed:
        return earlier
    _check_python()
    unit = dispatcher_unit()

    def load() -> ModuleType:
        try:
            return load_unit(unit, toolchain, store, _load_extension, quiet=True)
        except (CompileError, ImportError) as error:
            raise NoDispatcherError(f"the dispatcher can't be built: {error}") from None

    module = find_unit(unit, toolchain, store, _load_extension)
    begun = Later(load) if module is None else Later.of(module)
    _begun[toolchain, store] = begun
    return begun


def dispatcher_unit() -> Unit:
    """Return what is compiled.

    Raises
    ------
    NoDispatcherError
        If headers are missing.
    """
    headers = python_headers()
    # Extension modules are compatible with Pythons of one minor version, and with NumPy 2 if they
    # were compiled with any of its versions. The key has these, like the text and the compiler.
    python = f"{sys.version_info.major}.{sys.version_info.minor}{sys.abiflags}"
    versions = f"/* Python {python}, NumPy {np.__version__.partition('.')[0]} */\n"
    parts = {part: _text(part) for part in _PARTS}
    parts["pools.c"] = fill(_text("pools.c"), {"outputs.c": _text("outputs.c")})
    return Unit(versions + fill(_text("module.c"), {"ABI": ABI, **parts}), headers=headers)


def connection(linked: Linked, ports: Ports, single: bool, threads: int) -> tuple[object, ...]:
    """Return the first arguments of a dispatcher's ``_connect``: inputs and outputs."""
    resident = linked.record.resident
    donated = {donor for _, _, donor in linked.record.outputs if donor is not None}
    inputs = tuple(
        _input(port, k in donated, k in resident.inputs) for k, port in enumerate(ports.inputs)
    )
    pairs = enumerate(zip(linked.record.outputs, ports.stores, strict=True))
    outputs = tuple(
        (*_output(*described, k in resident.outputs), _cell(store))
        for k, (described, store) in pairs
    )
    operations = tuple(
        (op.run, tuple((spec.dtype.num, spec.ndim) for spec in op.inputs)) for op in linked.python
    )
    record = linked.record
    places = (linked.blas_address, linked.functions_address, threads, len(record.steps))
    return (
        *(linked.address, inputs, outputs, operations, ports.returned, single),
        *(*places, *record.stacks),
    )


def _input(port: Port, donates: bool, elsewhere: bool) -> tuple[object, ...]:
    shape = None
    if any(dim is not None for dim in port.type.shape):
        shape = tuple(-1 if dim is None else dim for dim in port.type.shape)
    return (
        _number(port.type.dtype),
        port.type.ndim,
        -1 if port.argument is None else port.argument,
        donates,
        elsewhere,
        shape,
        _cell(port.container),
        port.constant,
    )


def _output(dtype: str, ndim: int, donor: int | None, elsewhere: bool) -> tuple[int, ...]:
    size = np.dtype(dtype).itemsize if elsewhere else 0
    return (_number(dtype), ndim, -1 if donor is None else donor, size)


def _cell(container: Container | None) -> Storage | None:
    return None if container is None else container.storage


def _number(dtype: str) -> int:
    return np.dtype(dtype).num


def _text(name: str) -> str:
    return file_text(__file__, os.path.join("dispatcher", name))


def _check_python() -> None:
    if sys.implementation.name != "cpython":
        raise NoDispatcherError(f"{sys.implementation.name} calls compiled functions through cffi")
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        raise NoDispatcherError("the dispatcher relies on the GIL: calls go through cffi")


def _load_extension(path: str) -> ModuleType:
    from importlib.machinery import ExtensionFileLoader, ModuleSpec

    loader = ExtensionFileLoader(_MODULE, path)
    module = loader.create_module(ModuleSpec(_MODULE, loader, origin=path))
    loader.exec_module(module)
    module.share(claims.CALLS, claims.CLAIMS)
    claims.is_claimed_by_call = module.is_claimed_by_call
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(
            before=module.before_fork,
            after_in_parent=partial(module.after_fork, False),
            after_in_child=partial(module.after_fork, True),
        )
    return module

"""Compiling the C++ file of a node, with the compiler and the cache of symtheano."""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib.machinery import ExtensionFileLoader, ModuleSpec
from importlib.util import module_from_spec
from types import ModuleType
from typing import Any

from symtheano.codegen.native.compiler import CompilerTroubleError, run_compiler
from symtheano.codegen.native.toolchain import (
    Toolchain,
    find_toolchain,
    remove_workplace,
    write_text,
)
from symtheano.codegen.runtime.dispatch import NoDispatcherError, python_headers
from symtheano.compat.ccode.text import NodeText
from symtheano.config import config
from symtheano.errors import CompileError, NoCompilerError, format_error
from symtheano.function.stages import open_cache
from symtheano.graph.digest import digest
from symtheano.graph.variable import Apply

_MODULE = "symtheano_node"
_TIMEOUT = 600.0
# Theano's programs were written for compilers of their time, which accepted more.
_FLAGS = (
    *("-x", "c++", "-std=gnu++14", "-fpermissive", "-w", "-g0", "-O2", "-fPIC", "-shared"),
    *("-fvisibility=hidden", "-fno-strict-aliasing", "-fwrapv", "-ffp-contract=off"),
)


def compiled_node(node: Apply, text: NodeText) -> ModuleType:
    """Return the module of a node's file, from the cache or newly compiled.

    Raises
    ------
    NotImplementedError
        If there is no C compiler, or Python's headers are missing.
    CompileError
        If the compiler rejects the file. The message names the op and the line of the program.
    """
    options = config.snapshot()
    store = open_cache(options)
    try:
        base = find_toolchain(options.cc or None, directory=store.place)
        headers = python_headers()
    except (NoCompilerError, NoDispatcherError) as error:
        raise NotImplementedError(f"C code of {node.op}: {error}") from error
    toolchain = _toolchain(base, text, headers)
    source = text.source + _headers_digest(text.header_dirs)

    def make(text: str, path: str, tools: Toolchain) -> None:
        _compile(node, text, path, tools)

    module: ModuleType = store.load(source, toolchain, _load, make=make)
    return module


def _toolchain(base: Toolchain, text: NodeText, headers: Iterable[str]) -> Toolchain:
    """Return the compiler with the arguments that the file needs."""
    flags = [flag for flag in (*_FLAGS, *text.flags) if flag not in text.removed]
    folders = [f"-I{path}" for path in (*headers, *text.header_dirs)]
    linked = [f"-L{path}" for path in text.library_dirs]
    linked += [f"-Wl,-rpath,{path}" for path in text.library_dirs]
    linked += [f"-l{name}" for name in text.libraries]
    return base._replace(
        flags=(*flags, *folders),
        link_flags=(*linked, "-lstdc++", "-lm"),
        vector_functions=frozenset(),
    )


def _headers_digest(folders: Iterable[str]) -> str:
    """Return a comment that changes when a header in a user's directory does."""
    states = []
    for folder in folders:
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
            path = os.path.join(folder, name)
            if name.endswith((".h", ".hpp", ".hh", ".inc", ".c", ".cc", ".cpp")):
                states.append(f"{path} {os.stat(path).st_mtime_ns} {os.path.getsize(path)}")
    return f"/* headers: {digest(chr(10).join(states).encode())} */\n" if states else ""


def _compile(node: Apply, source: str, path: str, toolchain: Toolchain) -> None:
    """Write the library of a text to a path, with the text beside it."""
    folder, name = os.path.split(os.path.abspath(path))
    text = f"{os.path.splitext(name)[0]}.c"
    workplace = os.path.join(folder, f".build-{os.urandom(8).hex()}")
    os.makedirs(workplace, mode=0o700)
    try:
        write_text(source, os.path.join(workplace, text))
        arguments = (*toolchain.flags, text, "-o", name, *toolchain.link_flags)
        run_compiler(toolchain.command, arguments, workplace, _TIMEOUT)
        for file in (text, name):
            os.chmod(os.path.join(workplace, file), 0o600)
            os.replace(os.path.join(workplace, file), os.path.join(folder, file))
    except CompilerTroubleError:
        raise
    except CompileError as error:
        kept = os.path.splitext(path)[0] + ".failed.cpp"
        write_text(source, kept)
        raise CompileError(
            format_error(
                f"the C code of {node.op} can't be compiled: {error}",
                operands=[("compiler", toolchain.version), ("source", kept)],
                places=[node.origin],
            )
        ) from None
    finally:
        remove_workplace(workplace)


def _load(path: str) -> Any:
    loader = ExtensionFileLoader(_MODULE, path)
    module = module_from_spec(ModuleSpec(_MODULE, loader, origin=path))
    loader.exec_module(module)
    return module

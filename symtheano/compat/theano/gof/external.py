"""Ops whose C code is in files of their own."""

from __future__ import annotations

import hashlib
import inspect
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano.graph.variable import Apply

from .interfaces import Sub
from .opclass import Op
from .utils import MethodNotDefined

_SECTION = re.compile(r"^#section ([a-zA-Z0-9_]+)$", re.MULTILINE)
_OLD_SECTION = re.compile(r"^THEANO_(APPLY|SUPPORT)_CODE_SECTION$", re.MULTILINE)
_OLD_NAMES = {"APPLY": "support_code_apply", "SUPPORT": "support_code"}


def simple_meth(tag: str) -> Callable[[Any], str]:
    """Return the method that returns a section of the files."""

    def method(self: Any) -> str:
        section: str = self._section(tag)
        return section

    return method


def apply_meth(tag: str) -> Callable[[Any, Apply, str], str]:
    """Return the method that returns a section of the files, with the macros of a node."""

    def method(self: Any, node: Apply, name: str) -> str:
        code = self._section(tag)
        defined, undefined = self.get_c_macros(node, name)
        return "\n".join(["", defined, code, undefined])

    return method


class COp(Op):
    """An op with C code in files.

    Parameters
    ----------
    func_files
        Files, relative to that of the class. Lines ``#section name`` divide them.
    func_name
        The C function of inputs, pointers to outputs, and the parameters if there are some. It
        returns 0, or another number after it has set an exception. Without a name, there is a
        section ``code``.

    Raises
    ------
    ValueError
        If a file is not divided, or has unknown sections, or both a section ``code`` and a name are
        given.
    """

    SECTIONS = frozenset(
        (
            *("init_code", "init_code_apply", "init_code_struct"),
            *("support_code", "support_code_apply", "support_code_struct"),
            *("cleanup_code_struct", "code", "code_cleanup"),
        )
    )

    func_files: Any
    func_name: str | None

    @classmethod
    def get_path(cls, f: str) -> str:
        """Return the path of a file, which is relative to that of the class."""
        if os.path.isabs(f):
            return f
        return os.path.realpath(os.path.join(os.path.dirname(inspect.getfile(cls)), f))

    def __init__(self, func_files: str | Sequence[str], func_name: str | None = None) -> None:
        self.func_files = [func_files] if isinstance(func_files, str) else list(func_files)
        self.func_name = func_name
        self.load_c_code(self.func_files)
        if func_name is not None and self.code_sections.keys() & {"code", "op_code"}:
            raise ValueError(
                f'{type(self).__name__}: a section "code" and func_name exclude each other'
            )

    def load_c_code(self, func_files: Sequence[str]) -> None:
        """Read the files."""
        paths = [self.get_path(name) for name in func_files]
        self.func_codes = []
        for path in paths:
            with open(path, encoding="utf-8", errors="surrogateescape") as file:
                self.func_codes.append(file.read())
        old = any(_OLD_SECTION.search(code) for code in self.func_codes)
        if old and any(_SECTION.search(code) for code in self.func_codes):
            raise ValueError("Both the new and the old syntax for sections are in the C files")
        self.code_sections: dict[str, str] = {}
        for path, code in zip(paths, self.func_codes, strict=True):
            for name, section in _sections(path, code, self.SECTIONS):
                before = "" if old else self.code_sections.get(name, "")
                self.code_sections[name] = before + section

    def _section(self, tag: str) -> str:
        """Return a section.

        Raises
        ------
        MethodNotDefined
            If the files do not have it.
        """
        if tag not in self.code_sections:
            raise MethodNotDefined(f"c_{tag}", type(self), type(self).__name__)
        return self.code_sections[tag]

    def c_code_cache_version(self) -> tuple[Any, ...]:
        """Return a digest of the files."""
        return (hashlib.sha256("\0".join(self.func_codes).encode("utf-8", "replace")).hexdigest(),)

    c_support_code = simple_meth("support_code")
    c_support_code_apply = apply_meth("support_code_apply")
    c_support_code_struct = apply_meth("support_code_struct")
    c_init_code_apply = apply_meth("init_code_apply")
    c_cleanup_code_struct = apply_meth("cleanup_code_struct")

    def c_init_code(self) -> Sequence[str]:
        """Return the section ``init_code``."""
        return [self._section("init_code")]

    def c_init_code_struct(self, node: Apply, name: str, sub: Sub) -> str:
        """Return the section ``init_code_struct``, with macros."""
        return self._with_macros("init_code_struct", node, name, sub)

    def c_code(
        self, node: Apply, name: str, inp: Sequence[str], out: Sequence[str], sub: Sub
    ) -> str:
        """Return the call of the function, or the section ``code``."""
        if self.func_name is None:
            return self._with_macros("code", node, name, sub, inp, out)
        defined, undefined = self.get_c_macros(node, name, check_input=False)
        arguments = self.format_c_function_args(inp, out)
        if "params" in sub:
            arguments = f"{arguments}, {sub['params']}" if arguments else sub["params"]
        call = f"if ({self.func_name}({arguments}) != 0) {{\n{sub['fail']}\n}}"
        return "\n".join([defined, call, undefined])

    def c_code_cleanup(
        self, node: Apply, name: str, inputs: Sequence[str], outputs: Sequence[str], sub: Sub
    ) -> str:
        """Return the section ``code_cleanup``, with macros."""
        return self._with_macros("code_cleanup", node, name, sub, inputs, outputs)

    def format_c_function_args(self, inp: Sequence[str], out: Sequence[str]) -> str:
        """Return the arguments of the function, with NULL for those that are missing."""
        inputs = [*inp]
        inputs += ["NULL"] * (getattr(self, "_cop_num_inputs", len(inp)) - len(inp))
        outputs = [f"&{name}" for name in out]
        outputs += ["NULL"] * (getattr(self, "_cop_num_outputs", len(out)) - len(out))
        return ", ".join([*inputs, *outputs])

    # -- macros -----------------------------------------------------------------------------------

    def _with_macros(
        self,
        tag: str,
        node: Apply,
        name: str,
        sub: Sub,
        inputs: Sequence[str] = (),
        outputs: Sequence[str] = (),
    ) -> str:
        code = self._section(tag)
        defined, undefined = self.get_c_macros(node, name)
        more, less = self.get_sub_macros(sub)
        io_defined, io_undefined = self.get_io_macros(inputs, outputs)
        parts = ["", defined, more, io_defined, code, io_undefined, less, undefined]
        return "\n".join(parts)

    def get_c_macros(
        self, node: Apply, name: str, check_input: bool | None = None
    ) -> tuple[str, str]:
        """Return the definitions of macros about a node, and the end of them."""
        check = getattr(self, "check_input", True) if check_input is None else check_input
        macros: list[tuple[str, object]] = [("APPLY_SPECIFIC(str)", f"str##_{name}")]
        named = [(f"INPUT_{k}", item) for k, item in enumerate(node.inputs)]
        named += [(f"OUTPUT_{k}", item) for k, item in enumerate(node.outputs)]
        for suffix, item in named if check else ():
            dtype = getattr(item, "dtype", None)
            if dtype is not None:
                described = np.dtype(dtype)
                macros += [(f"DTYPE_{suffix}", f"npy_{dtype}")]
                macros += [(f"TYPENUM_{suffix}", described.num)]
                macros += [(f"ITEMSIZE_{suffix}", described.itemsize)]
        return _macros([*macros, *self._param_macros()])

    def _param_macros(self) -> list[tuple[str, object]]:
        kind = getattr(self, "params_type", None)
        if kind is None or not hasattr(kind, "c_params_macros"):
            return []
        return kind.c_params_macros()

    def get_sub_macros(self, sub: Sub) -> tuple[str, str]:
        """Return the definitions of FAIL and PARAMS, and the end of them."""
        macros: list[tuple[str, object]] = [("FAIL", sub["fail"].replace("\n", " \\\n"))]
        if "params" in sub:
            macros.append(("PARAMS", sub["params"]))
        return _macros(macros)

    def get_io_macros(self, inputs: Sequence[str], outputs: Sequence[str]) -> tuple[str, str]:
        """Return the definitions of INPUT_0, OUTPUT_0 and others, and the end of them."""
        macros = [(f"INPUT_{k}", name) for k, name in enumerate(inputs)]
        macros += [(f"OUTPUT_{k}", name) for k, name in enumerate(outputs)]
        return _macros(macros)


def _macros(pairs: Sequence[tuple[str, object]]) -> tuple[str, str]:
    defined = [f"#define {name} {value}" for name, value in pairs]
    undefined = [f"#undef {name.partition('(')[0]}" for name, _ in pairs]
    return "\n".join(defined), "\n".join(undefined)


def _sections(path: str, code: str, known: frozenset[str]) -> list[tuple[str, str]]:
    """Return the names and texts of the sections of a file.

    Raises
    ------
    ValueError
        If there are none, or unknown ones, or text before the first one.
    """
    if _OLD_SECTION.search(code):
        _, *parts = _OLD_SECTION.split(code)
        return [
            (_OLD_NAMES[name], text) for name, text in zip(parts[::2], parts[1::2], strict=True)
        ]
    first, *parts = _SECTION.split(code)
    if not parts:
        raise ValueError(f"No valid section marker was found in file {path}")
    if first.strip():
        raise ValueError(f"Stray code before first #section statement (in file {path}): {first}")
    for name in parts[::2]:
        if name not in known:
            raise ValueError(f"Unknown section type (in file {path}): {name}")
    return list(zip(parts[::2], parts[1::2], strict=True))

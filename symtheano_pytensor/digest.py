"""Texts that describe PyTensor's graphs: equal for equal graphs, in any process.

Names of variables inside of a graph, their tags and the lines of programs are not described.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from symtheano.graph.digest import digest

KNOWN_PACKAGES = ("pytensor", "pymc")
"""Packages whose code is described by their versions."""

_LARGE = 256


class NoDigestError(Exception):
    """A graph has something that can't be described with certainty."""


def described_graph(fgraph: Any) -> str:
    """Return a text that describes a ``FunctionGraph`` of PyTensor.

    Raises
    ------
    NoDigestError
        If an op, a type or a constant has a class from outside of PyTensor and PyMC, or has
        attributes that are not plain data.
    """
    return _Description().graph(fgraph)


def is_known(module: str | None) -> bool:
    """Return whether a module belongs to PyTensor or PyMC.

    Examples
    --------
    >>> is_known("pytensor.tensor.math"), is_known("pymcx"), is_known(None)
    (True, False, False)
    """
    return module is not None and module.split(".", 1)[0] in KNOWN_PACKAGES


class _Description:
    """Describes each op and each type once."""

    def __init__(self) -> None:
        self.ops: dict[int, str] = {}
        self.types: dict[Any, str] = {}
        self.inside: set[int] = set()

    def graph(self, fgraph: Any) -> str:
        numbers: dict[Any, int] = {}
        lines = []
        for item in fgraph.inputs:
            numbers[item] = len(numbers)
            lines.append(f"input {self.type(item.type)} {item.name!r}")
        for node in fgraph.toposort():
            arguments = [self.operand(item, numbers, lines) for item in node.inputs]
            results = " ".join(self.type(item.type) for item in node.outputs)
            lines.append(f"{self.op(node.op)} {arguments} {results}")
            for item in node.outputs:
                numbers[item] = len(numbers)
        outputs = [self.operand(item, numbers, lines) for item in fgraph.outputs]
        return _joined([*lines, f"outputs {outputs}"])

    def operand(self, item: Any, numbers: dict[Any, int], lines: list[str]) -> int:
        number = numbers.get(item)
        if number is None:
            if not hasattr(item, "data"):
                raise NoDigestError(f"{item} is neither computed nor a constant")
            number = numbers[item] = len(numbers)
            lines.append(f"constant {self.type(item.type)} {self.value(item.data)}")
        return number

    def op(self, op: Any) -> str:
        text = self.ops.get(id(op))
        if text is None:
            text = self.ops[id(op)] = self.thing(op)
        return text

    def type(self, kind: Any) -> str:
        text = self.types.get(kind)
        if text is None:
            text = self.types[kind] = self.thing(kind)
        return text

    def value(self, value: Any) -> str:
        describe = _PLAIN.get(type(value))
        if describe is not None:
            return describe(value)
        if isinstance(value, tuple | list):
            items = _joined(self.value(item) for item in value)
            return f"{type(value).__qualname__}{items}"
        if isinstance(value, set | frozenset):
            return "set" + _joined(sorted(self.value(item) for item in value))
        if isinstance(value, Mapping):
            pairs = sorted((self.value(key), self.value(item)) for key, item in value.items())
            return "dict" + _joined(part for pair in pairs for part in pair)
        if isinstance(value, slice):
            return "slice" + self.value((value.start, value.stop, value.step))
        if isinstance(value, np.dtype):
            return f"dtype {value.str}"
        if isinstance(value, np.ndarray | np.generic):
            return _array(value)
        if isinstance(value, partial):
            return "partial" + self.value((value.func, value.args, value.keywords))
        if isinstance(value, type | FunctionType | BuiltinFunctionType | np.ufunc):
            return _named(value)
        if hasattr(value, "toposort"):
            return self.graph(value)
        return self.thing(value)

    def thing(self, value: Any) -> str:
        """Describe an object of PyTensor by its class and the attributes on which it depends."""
        cls = type(value)
        if not is_known(cls.__module__) or id(value) in self.inside:
            raise NoDigestError(f"{cls.__module__}.{cls.__qualname__}")
        self.inside.add(id(value))
        try:
            pairs = [f"{name} {self.value(item)}" for name, item in _attributes(value)]
        finally:
            self.inside.discard(id(value))
        return _joined([f"{cls.__module__}.{cls.__qualname__}", *pairs])


def _attributes(value: Any) -> list[tuple[str, Any]]:
    """Return what the equality of an object of PyTensor depends on."""
    names = getattr(value, "__props__", None)
    if names is not None:
        return [(name, getattr(value, name)) for name in names]
    content = getattr(value, "__dict__", None)
    if content is None:
        raise NoDigestError(f"{type(value).__qualname__} has no attributes")
    # The rest of an op with a graph are results that it has kept.
    has_graph = hasattr(content.get("fgraph"), "toposort")
    return sorted(
        (name, item) for name, item in content.items() if not (has_graph and name[0] == "_")
    )


def _array(value: Any) -> str:
    array = np.asarray(value)
    if array.dtype.hasobject or array.dtype.names is not None:
        raise NoDigestError(f"an array of {array.dtype}")
    data = array.tobytes()
    text = digest(data) if len(data) > _LARGE else data.hex()
    return f"{type(value).__name__} {array.dtype.str} {array.shape} {text}"


def _named(value: Any) -> str:
    """Return the name of a class or function, by which another process gets the same."""
    module, name = getattr(value, "__module__", None), getattr(value, "__qualname__", "")
    if isinstance(value, np.ufunc):
        module, name = "numpy", value.__name__
    elif not (is_known(module) or module in ("builtins", "numpy")):
        raise NoDigestError(f"{module}.{name}")
    known = sys.modules.get(str(module))
    for part in name.split("."):
        known = getattr(known, part, None)
    if known is not value:
        raise NoDigestError(f"{module}.{name}")
    return f"{module}.{name}"


def _joined(parts: Iterable[str]) -> str:
    """Return all parts, each preceded by its length, so that the result is unambiguous."""
    return "(" + "".join(f"{len(part)}:{part}" for part in parts) + ")"


def _plain(value: Any) -> str:
    return f"{type(value).__name__} {value!r}"


_PLAIN: dict[type, Callable[[Any], str]] = dict.fromkeys(
    (type(None), type(...), bool, int, float, complex, str, bytes), _plain
)

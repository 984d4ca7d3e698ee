"""A digest of the user's graph, which is equal for equal programs in any process.

It is the key with which compiled code is found without rewriting or code generation. It depends on
everything that affects the code: ops, types, constants, structure and names. Lines of the user's
program only affect comments and names of temporaries, so they are not part of it: a graph has one
digest, wherever it is written. A graph that can't be described with certainty has no digest.
"""

from __future__ import annotations

import struct
import weakref
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from operator import attrgetter
from typing import Any, Generic, TypeVar

import numpy as np

from symtheano.graph.digest import digest, new_digest
from symtheano.graph.fields import declared_fields, fields, is_own, named_maker, slots_of
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Op
from symtheano.graph.shared import SharedVariable
from symtheano.graph.type import Type
from symtheano.graph.variable import Constant, Variable
from symtheano.graph.walk import toposort

_LARGE = 256
_VARIABLE, _CONSTANT, _SHARED = range(3)


class _NoDescription(Exception):
    """A graph contains something that can't be described with certainty."""


def graph_digest(inputs: Sequence[Variable], outputs: Sequence[Variable]) -> str | None:
    """Return the SHA-256 of a description of the graph between ``inputs`` and ``outputs``.

    Nodes that compute an input are ignored. Values of shared variables, their default updates and
    tags are not part of the description, but which of them share a container is.

    Returns
    -------
    64 hexadecimal digits, or None if an op, a type, a constant or a variable has a class from
    outside this package, or an op has a field that is not plain data.

    Examples
    --------
    >>> x = T.vector("x")
    >>> digests = {graph_digest([x], [x + k]) for k in (0.0, -0.0, 0)}
    >>> len(digests), len(digests.pop() or "")
    (3, 64)
    """
    try:
        return digest(_Description(inputs, outputs).text())
    except _NoDescription:
        return None


T = TypeVar("T")


class _Numbers(dict[object, int], Generic[T]):
    """Assigns numbers to objects in the order of their first occurrence, by description.

    ``get(key)`` is fast for known keys; ``number(key, thing)`` describes an unknown one.
    """

    def __init__(self, describe: Callable[[T], bytes]) -> None:
        self.describe = describe
        self.texts: dict[bytes, int] = {}

    def of(self, key: object, thing: T) -> int:
        """Return the number of a known key."""
        number = self.get(key)
        return self.number(key, thing) if number is None else number

    def number(self, key: object, thing: T) -> int:
        """Describe an object that may be new, and return its number."""
        text = self.describe(thing)
        number = self[key] = self.texts.setdefault(text, len(self.texts))
        return number


class _Description:
    """Writes a graph as a sequence of integers, with a list of what they represent."""

    def __init__(self, inputs: Sequence[Variable], outputs: Sequence[Variable]) -> None:
        self.ops = _Numbers(_describe_op)
        self.types = _Numbers(_describe)
        self.classes = _Numbers(_describe_class)
        self.names = _Numbers(_describe_name)
        self.values = _Numbers(_describe_data)
        self.containers: dict[int, int] = {}
        self.variables: dict[Variable, int] = {}
        self.leaves: list[int] = []
        self.nodes: list[int] = []
        for variable in inputs:
            self._leaf(variable)
        self._walk(outputs)
        self.outputs = [self._reference(variable) for variable in outputs]
        self.inputs = [self.variables[variable] for variable in inputs]

    def text(self) -> bytes:
        """Return all parts, each preceded by its length."""
        numbers = (self.inputs, self.outputs, self.leaves, self.nodes)
        tables = (self.ops, self.types, self.classes, self.names, self.values)
        parts = [b"symtheano graph 2"]
        parts += [np.array(part, "<i8").tobytes() for part in numbers]
        parts += [_joined(table.texts) for table in tables]
        return _joined(parts)

    def _walk(self, outputs: Sequence[Variable]) -> None:
        variables, add = self.variables, self.nodes.append
        ops, classes, types, names = self.ops, self.classes, self.types, self.names
        for node in toposort(outputs, variables.keys()):
            op = node.op
            number = ops.get(id(op))
            add(ops.number(id(op), op) if number is None else number)
            add(len(node.inputs))
            for variable in node.inputs:
                number = variables.get(variable)
                add(self._leaf(variable) if number is None else number)
            add(len(node.outputs))
            for variable in node.outputs:
                cls, name, kind = variable.__class__, variable.name, variable.type
                number = classes.get(cls)
                add(classes.number(cls, cls) if number is None else number)
                key = _type_key(kind)
                number = types.get(key)
                add(types.number(key, kind) if number is None else number)
                number = names.get(name)
                add(names.number(name, name) if number is None else number)
                variables[variable] = len(variables)

    def _reference(self, variable: Variable) -> int:
        number = self.variables.get(variable)
        return self._leaf(variable) if number is None else number

    def _leaf(self, variable: Variable) -> int:
        number = self.variables[variable] = len(self.variables)
        cls, name = variable.__class__, variable.name
        record = [
            number,
            self.classes.of(cls, cls),
            self.types.of(_type_key(variable.type), variable.type),
            self.names.of(name, name),
        ]
        if isinstance(variable, Constant):
            record += [_CONSTANT, self.values.of(id(variable.data), variable.data)]
        elif isinstance(variable, SharedVariable):
            cell = id(variable.container)
            record += [_SHARED, self.containers.setdefault(cell, len(self.containers))]
        else:
            record += [_VARIABLE, 0]
        self.leaves += record
        return number


def _type_key(kind: Type) -> object:
    """Return a key that is equal only for equal types: class and slots, or the identity."""
    cls: type = kind.__class__
    read = _slot_reader(cls)
    return id(kind) if read is None else (cls, read(kind))


@cache
def _slot_reader(cls: type) -> Callable[[Type], object] | None:
    names = [name for name in slots_of(cls) if not name.startswith("_")]
    return attrgetter(*names) if names and not cls.__dictoffset__ else None


def _joined(parts: Iterable[bytes]) -> bytes:
    """Return all parts, each preceded by its length, so that the result is unambiguous."""
    return b"".join([b"%d:%b," % (len(part), part) for part in parts]) + b"."


# -- values --------------------------------------------------------------------------------------


_EXACT = frozenset({bool, int, str, type(None)})
"""Values of these types, and tuples of them, are described by their ``repr``."""


def _describe_op(op: Op) -> bytes:
    """Return class and fields; as one string if the fields are names and integers."""
    cls: type = op.__class__
    plain = _plain_class(cls)
    if plain is not None and op.__dict__.keys() <= plain[1]:
        prefix, _, read = plain
        values = read(op)
        if _is_exact(values):
            return prefix + repr(values).encode()
    return _describe_op_once(op)


def _describe_op_once(op: Op) -> bytes:
    """Cache the description for the lifetime of the op."""
    key = id(op)
    entry = _remembered.get(key)
    if entry is None:
        # At the end of the process, ops may outlive the names of this module.
        forget = weakref.ref(op, partial(_forget, _remembered, key))
        entry = _remembered[key] = (forget, _describe_fields(op))
    return entry[1]


_remembered: dict[int, tuple[object, bytes]] = {}


def _forget(entries: dict[int, tuple[object, bytes]], key: int, _: object) -> None:
    entries.pop(key, None)


@cache
def _plain_class(cls: type) -> tuple[bytes, frozenset[str], Callable[[object], object]] | None:
    """Return text, names and getters for a class that declares its fields.

    The names are those of attributes that an object may have: ``lowering`` is a cache.
    """
    names = declared_fields(cls)
    if names is None or not is_own(cls) or not cls.__dictoffset__:
        return None
    read = attrgetter(*names) if names else lambda op: ()
    text = b"P" + _describe_class(cls) + f"{names}".encode()
    return text, frozenset([*names, "lowering"]), read


def _is_exact(value: object) -> bool:
    if value.__class__ is not tuple:
        return value.__class__ in _EXACT
    return {*map(type, value)} <= _EXACT or all(map(_is_exact, value))


def _describe_class(cls: type) -> bytes:
    if not is_own(cls):
        raise _NoDescription
    return f"{cls.__module__}:{cls.__qualname__}".encode()


def _describe_name(name: object) -> bytes:
    if name is None:
        return b"-"
    if name.__class__ is not str:
        raise _NoDescription
    return b"+" + _describe_text(name)


def _describe_data(data: object) -> bytes:
    """Return dtype, shape and bytes of an array (the digest of many bytes), or a plain value."""
    if data.__class__ is not np.ndarray:
        return b"value" + _describe(data)
    if data.dtype.hasobject or data.dtype.names is not None:
        raise _NoDescription
    raw = data.tobytes()
    if len(raw) > _LARGE:
        raw = new_digest(raw).digest()
    return b"array" + _joined([data.dtype.str.encode(), repr(data.shape).encode(), raw])


def _describe_fields(thing: object) -> bytes:
    cls: type = thing.__class__
    values = fields(thing) if is_own(cls) else None
    if values is None:
        raise _NoDescription
    parts = [part for name in sorted(values) for part in (name.encode(), _describe(values[name]))]
    return b"V" + _joined([_describe_class(cls), *parts])


def _describe_row(value: object) -> bytes:
    """Describe an object that a function of this package returns for a name."""
    maker = named_maker(value)
    if maker is None:
        raise _NoDescription
    return _joined([part.encode() for part in maker])


def _describe_text(value: str) -> bytes:
    return value.encode("utf-8", "surrogatepass")


def _describe_items(value: tuple[object, ...]) -> bytes:
    return _joined([_describe(item) for item in value])


def _describe_scalar(value: np.generic) -> bytes:
    if value.dtype.hasobject or value.dtype.names is not None:
        raise _NoDescription
    return value.dtype.str.encode() + b":" + value.tobytes()


def _describe_dtype(value: np.dtype) -> bytes:
    if value.hasobject or value.names is not None:
        raise _NoDescription
    return str(value.str).encode()


def _describe_graph(graph: FunctionGraph) -> bytes:
    """Describe the graph of a loop's step, which depends on nothing else."""
    if graph.required:
        raise _NoDescription
    return _Description(graph.inputs, graph.outputs).text()


_PLAIN: dict[type, tuple[bytes, Callable[[Any], bytes]]] = {
    type(None): (b"N", lambda value: b""),
    bool: (b"B", lambda value: b"1" if value else b"0"),
    int: (b"I", lambda value: b"%d" % value),
    float: (b"F", lambda value: struct.pack("<d", value)),
    complex: (b"C", lambda value: struct.pack("<dd", value.real, value.imag)),
    str: (b"S", _describe_text),
    bytes: (b"Y", bytes),
    tuple: (b"T", _describe_items),
    slice: (b"L", lambda value: _describe_items((value.start, value.stop, value.step))),
}


def _describe(value: object) -> bytes:
    """Return an unambiguous description of plain data."""
    plain = _PLAIN.get(value.__class__)
    if plain is not None:
        return plain[0] + plain[1](value)
    if isinstance(value, Type):
        return b"K" + _describe_fields(value)
    if isinstance(value, np.generic):
        return b"G" + _describe_scalar(value)
    if isinstance(value, np.dtype):
        return b"D" + _describe_dtype(value)
    if isinstance(value, FunctionGraph):
        return b"W" + _describe_graph(value)
    if isinstance(value, tuple):
        return b"M" + _joined([_describe_class(value.__class__), _describe_items(value)])
    return b"R" + _describe_row(value)

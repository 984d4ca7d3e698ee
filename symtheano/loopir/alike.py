"""Kernels that differ only in names: what they have in common, and copies with other names.

The lines of the user's program count as names: statements only carry them.
"""

from __future__ import annotations

from collections.abc import Mapping
from operator import is_
from typing import Any, get_args

from symtheano.dataclass import dataclass, replace
from symtheano.loopir.index import Index
from symtheano.loopir.names import Uses, bodies
from symtheano.loopir.nodes import Comment, For, If, Kernel, Statement
from symtheano.loopir.operands import Address, Buffer, Expression, Literal, Place, Value
from symtheano.loopir.run import Threads

Body = tuple[Statement, ...]

_RECORDS = frozenset((*get_args(Statement), Address, Expression, Threads))
_FIELDS: dict[type, tuple[str, ...]] = {kind: kind.__match_args__ for kind in _RECORDS}
# Those but for what only readers see.
_MEANT = {
    kind: tuple(name for name in names if name not in ("comment", "origin", "origins"))
    for kind, names in _FIELDS.items()
}
_NESTED = frozenset((For, If))
_PLAIN = frozenset((str, int, bool, float, type(None)))


@dataclass(frozen=True)
class Form:
    """A kernel without its names, and the names.

    Attributes
    ----------
    key
        What is equal in kernels that differ only in names; hashable.
    names
        Names of values and buffers, in the order of their first use.
    buffers
        The buffers among them.
    places
        Lines of the user's program, in the order of their first use.
    """

    key: tuple[object, ...]
    names: tuple[str, ...]
    buffers: tuple[Buffer, ...]
    places: tuple[Place, ...]


def kinds_of(body: Body) -> tuple[object, ...]:
    """Return the kinds of statements and of those inside, which are found faster than a form.

    Examples
    --------
    >>> from symtheano.loopir.nodes import Declare
    >>> [kind.__name__ for kind in kinds_of((Declare(Value("v", "int8"), Literal(0, "int8")),))]
    ['Declare']
    """
    kinds = tuple(map(type, body))
    if _NESTED.isdisjoint(kinds):
        return kinds
    return kinds, tuple(kinds_of(inner) for s in body for inner in bodies(s))


def form_of(kernel: Kernel) -> Form:
    """Return what the statements and results of a kernel are without their names.

    Examples
    --------
    >>> from symtheano.loopir.nodes import Declare
    >>> one, two = (Kernel("k", "", (Declare(Value(v, "int8"), Literal(0, "int8")),)) for v in "xy")
    >>> form_of(one).key == form_of(two).key, form_of(one).names, form_of(two).names
    (True, ('x',), ('y',))
    """
    return _form((kernel.body, kernel.results))


def form_of_function(
    body: Body, parameters: tuple[Buffer | Value, ...], results: tuple[Value, ...]
) -> Form:
    """Return what a function is without its names, and without what only readers see.

    Parameters may lie anywhere, and tables of constants are part of the function.

    Examples
    --------
    >>> from symtheano.loopir.nodes import Comment
    >>> n, m = Value("n", "int64"), Value("m", "int64")
    >>> form_of_function((), (n,), ()).key == form_of_function((Comment("m"),), (m,), ()).key
    True
    """
    buffer_names = frozenset(item.name for item in parameters if isinstance(item, Buffer))
    return _form((body, parameters, results), buffer_names)


def _form(items: tuple[Any, ...], parameters: frozenset[str] | None = None) -> Form:
    """Return the form of statements; of a function, if the names of its buffers are given."""
    names: dict[str, int] = {}
    buffers: dict[str, Buffer] = {}
    places: dict[int, Place] = {}
    numbers: dict[int, int] = {}
    key: list[object] = []
    append = key.append
    names_of = _FIELDS if parameters is None else _MEANT

    def add(item: Any) -> None:
        kind = type(item)
        if kind is Value:
            append(names.setdefault(item.name, len(names)))
            append(item.dtype)
        elif kind in _PLAIN:
            append(item)
        elif kind is Index:
            append(len(item.terms))
            for monomial, coefficient in item.terms:
                append(coefficient)
                append(len(monomial))
                for name in monomial:
                    append(names.setdefault(name, len(names)))
        elif kind is tuple:
            if parameters is not None:
                item = [each for each in item if type(each) is not Comment]
            append(len(item))
            for each in item:
                add(each)
        elif kind in _RECORDS:
            append(kind)
            for name in names_of[kind]:
                add(getattr(item, name))
        elif kind is Literal:
            append(repr(item.value))  # distinguishes 0.0 from -0.0 and from 0
            append(item.dtype)
        elif kind is Buffer:
            append(names.setdefault(item.name, len(names)))
            if item.name not in buffers:
                buffers[item.name] = item
                append(item.dtype)
                append(item.place)
                if parameters is not None and item.memory.constant:
                    append(item.name)
                elif parameters is None or item.name not in parameters:
                    append(item.space)
                    add(item.size)
        elif parameters is None:
            append(numbers.setdefault(id(item), len(numbers)))
            places[id(item)] = item
        else:
            append(item)  # a routine

    for item in items:
        add(item)
    return Form(tuple(key), tuple(names), tuple(buffers.values()), tuple(places.values()))


class Renamer:
    """Copies statements with other names.

    Parameters
    ----------
    names
        New names of values, and of buffers that are not in ``buffers``.
    buffers
        What buffers are replaced by, by name.
    places
        Lines of the user's program that replace others, by ``id``.

    Examples
    --------
    >>> from symtheano.loopir.nodes import Declare
    >>> a = Declare(Value("a", "int8"), Literal(0, "int8"))
    >>> Renamer({"a": "b"}, {}, {}).copy((a,))[0].target.name
    'b'
    """

    def __init__(
        self,
        names: Mapping[str, str],
        buffers: Mapping[str, Buffer],
        places: Mapping[int, Place],
    ) -> None:
        self.names, self.places = names, places
        self.values: dict[str, Value] = {}
        self.buffers = dict(buffers)
        self.indices: dict[tuple[object, ...], Index] = {}

    def copy(self, item: Any) -> Any:
        """Return a copy of a statement, of one of its fields, or of a tuple of them."""
        kind = type(item)
        if kind in _PLAIN or kind is Literal:
            return item
        if kind is Value:
            return self.values.get(item.name) or self._value(item)
        if kind is tuple:
            return tuple(map(self.copy, item))
        if kind is Index:
            return self.indices.get(item.terms) or self._index(item)
        if kind is Buffer:
            return self.buffers.get(item.name) or self._buffer(item)
        if kind in _RECORDS:
            copied = object.__new__(kind)  # what constructors check does not depend on names
            copy = self.copy
            copied.__dict__.update({name: copy(each) for name, each in item.__dict__.items()})
            return copied
        return self.places[id(item)]

    def _value(self, value: Value) -> Value:
        new = self.values[value.name] = Value(self.names[value.name], value.dtype)
        return new

    def _index(self, index: Index) -> Index:
        names = self.names
        terms = [(tuple(sorted([names[name] for name in m])), c) for m, c in index.terms]
        new = self.indices[index.terms] = Index(tuple(sorted(terms)))
        return new

    def _buffer(self, buffer: Buffer) -> Buffer:
        name, size = self.names[buffer.name], self.copy(buffer.size)
        new = Buffer(name, buffer.dtype, buffer.space, size, buffer.position, buffer.place)
        self.buffers[buffer.name] = new
        return new


def with_buffers(item: Any, buffers: Mapping[str, Buffer]) -> Any:
    """Return statements, or a part of one, with other buffers for some names.

    What contains none of them stays the same object.

    Examples
    --------
    >>> from symtheano.loopir.nodes import Load
    >>> x = Buffer("x", "int8", "arena", Index.of(3))
    >>> load = Load(Value("x_i", "int8"), x, Index.of(1))
    >>> with_buffers((load,), {"x": replace(x, place="device")})[0].buffer.place
    'device'
    """
    kind = type(item)
    if kind is Buffer:
        return buffers.get(item.name, item)
    if kind is tuple:
        new = tuple([with_buffers(each, buffers) for each in item])
        return item if all(map(is_, new, item)) else new
    if kind not in _RECORDS:
        return item
    fields = item.__dict__
    changed = {name: with_buffers(each, buffers) for name, each in fields.items()}
    if all(map(is_, changed.values(), fields.values())):
        return item
    copied = object.__new__(kind)  # what constructors check does not depend on where buffers lie
    copied.__dict__.update(changed)
    return copied


@dataclass(frozen=True)
class Repeat:
    """A kernel that differs from an earlier one only in names.

    Attributes
    ----------
    body, first
        The statements of the kernel and of the earlier one: these objects, not equal ones. A
        kernel with other statements, made of one of the two, does not repeat anything.
    renamer
        What makes the body of the first.
    """

    body: Body
    first: Body
    renamer: Renamer

    def uses(self, first: Uses) -> Uses:
        """Return what the body uses from outside, in the order in which the first one uses it."""
        copy = self.renamer.copy
        names = {buffer.name: copy(buffer).name for buffer in first.buffers}
        return replace(
            first,
            values=copy(first.values),
            buffers=copy(first.buffers),
            written=frozenset(map(names.__getitem__, first.written)),
            read=frozenset(map(names.__getitem__, first.read)),
        )

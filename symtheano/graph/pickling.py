"""Pickling and deep-copying of graphs, without recursion and in linear time.

A pickler saves an object after the objects to which it refers, by recursion, which would be as deep
as the graph. Therefore, an object that refers to a graph first passes the pickler a list of the
required nodes in topological order; each of them refers only to nodes that the pickler has already
saved.

Objects cannot ask a pickler what it has saved. A :class:`_Session`, kept alive only by the
pickler's memo, records it. If a session is pickled a second time, this is done by another pickler,
for which a new session begins.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any, TypeAlias, TypeVar

from symtheano.graph.claims import Value
from symtheano.graph.fields import slots_of
from symtheano.graph.origin import Origin
from symtheano.graph.type import Type
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import toposort

_CACHES = ("compiled",)
"""Items of a tag that can be recomputed, and are not pickled."""

Kind = tuple[Any, ...]
"""Common part of nodes made by one line: op, origin; class, type and name of each output."""


State: TypeAlias = tuple[dict[str, object] | None, dict[str, object]]
"""Additional state of a variable: attributes, and slots."""

V = TypeVar("V", bound=Variable)


class _Session:
    """What one pickler has saved, or will have saved before it is needed."""

    __slots__ = ("__weakref__", "asked", "kinds", "listed", "types", "written")

    def __init__(self) -> None:
        self.asked = 0
        self.listed: set[Apply] = set()
        self.written: set[Variable] = set()
        self.types: dict[tuple[Type, object], Type] = {}
        self.kinds: dict[tuple[object, ...], Kind] = {}

    def __reduce__(self) -> tuple[object, ...]:
        self.asked += 1
        return nothing, ()

    def type(self, kind: Type) -> Type:
        """Return one object for all equal types, because picklers compare by identity."""
        return self.types.setdefault((kind, getattr(kind, "name", None)), kind)

    def kind(self, node: Apply) -> Kind:
        """Return one object for all nodes that differ only in their inputs."""
        outputs = [(type(item), self.type(item.type), item.name) for item in node.outputs]
        key = (id(node.op), id(node.origin), *((cls, id(t), name) for cls, t, name in outputs))
        kind = self.kinds.get(key)
        if kind is None:
            flat = [part for output in outputs for part in output]
            kind = self.kinds[key] = (node.op, node.origin, *flat)
        return kind


class _Part:
    """The nodes that a pickler needs before ``node`` and has not saved, followed by ``node``.

    The list is made on demand, after the pickler has the session.
    """

    __slots__ = ("node", "session", "whole")

    def __init__(self, session: _Session, node: Apply, whole: bool) -> None:
        self.session, self.node, self.whole = session, node, whole

    def __reduce__(self) -> tuple[object, ...]:
        session = self.session
        if session.asked > 1:
            session.asked = 1
            session = _begin()
        nodes = toposort(self.node.outputs[:1], session.written)
        if self.whole and (not nodes or nodes[-1] is not self.node):
            nodes.append(self.node)
        session.listed.update(nodes)
        return nothing, (session, nodes)


class _Sessions(threading.local):
    def __init__(self) -> None:
        self.begun: list[weakref.ref[_Session]] = []


_sessions = _Sessions()


def _begin() -> _Session:
    session = _Session()
    _sessions.begun = [ref for ref in _sessions.begun if ref() is not None]
    _sessions.begun.append(weakref.ref(session))
    return session


def _current() -> _Session | None:
    """Return the latest session whose pickler is still alive."""
    begun = _sessions.begun
    while begun:
        session = begun[-1]()
        if session is not None:
            return session
        begun.pop()
    return None


# -- taking apart --------------------------------------------------------------------------------


def reduce_variable(variable: Variable) -> tuple[object, ...]:
    """Return the reduce value of a variable for pickle and deepcopy."""
    session = _current()
    if variable.owner is not None:
        session = session or _begin()
        part = _Part(session, variable.owner, whole=False)
        return output_of, (session, part, variable.owner, variable.index)
    kind = session.type(variable.type) if session is not None else variable.type
    arguments = (type(variable), kind, variable.name, variable.origin)
    reduced: tuple[object, ...] = (make_leaf, arguments)
    if isinstance(variable, Constant):
        data = variable.data
        reduced = (make_constant, (*arguments, data, _is_read_only(data)))
    state = _state(variable)
    return reduced if state is None else (*reduced, state)


def reduce_apply(node: Apply) -> tuple[object, ...]:
    """Return the reduce value of a node for pickle and deepcopy."""
    session = _current() or _begin()
    if node not in session.listed:
        return node_of, (session, _Part(session, node, whole=True), node)
    session.listed.discard(node)
    session.written.update(node.outputs)
    arguments = (session.kind(node), *map(_reference, node.inputs))
    states = [_state(item) for item in node.outputs]
    tag = _kept_tag(node._tag)
    if tag is None and not any(states):
        return make_apply, arguments
    return make_apply, arguments, (tag, states)


def _reference(variable: Variable) -> Variable | Apply | tuple[Apply, int]:
    """Return a leaf itself, a node for its first output, (node, index) for another."""
    if variable.owner is None:
        return variable
    return (variable.owner, variable.index) if variable.index else variable.owner


def _state(variable: Variable) -> State | None:
    """Return the additional state of a variable: (attributes, slots)."""
    cls: type = variable.__class__
    slots = {name: getattr(variable, name) for name in _own_slots(cls)}
    tag = _kept_tag(variable._tag)
    if tag is not None:
        slots["_tag"] = tag
    attributes = getattr(variable, "__dict__", None) or None
    return (attributes, slots) if attributes or slots else None


@cache
def _own_slots(cls: type) -> tuple[str, ...]:
    common = {*slots_of(Variable), "data"}
    return tuple(n for n in slots_of(cls) if n not in common and not n.startswith("_"))


@cache
def _cache_slots(cls: type) -> tuple[str, ...]:
    return tuple(name for name in slots_of(cls) if name.startswith("_"))


def _kept_tag(tag: SimpleNamespace | None) -> SimpleNamespace | None:
    kept = {k: v for k, v in vars(tag).items() if k not in _CACHES} if tag is not None else None
    return SimpleNamespace(**kept) if kept else None


def _is_read_only(data: object) -> bool:
    flags = getattr(data, "flags", None)
    return flags is not None and not flags.writeable


# -- putting together ----------------------------------------------------------------------------
# Pickles refer to these functions, so their names and parameters must not change.


def nothing(*parts: object) -> None:
    """Return a placeholder for an object that is only needed by the pickler."""


def output_of(session: None, part: None, node: Apply, index: int) -> Variable:
    """Return one output of a node."""
    output: Variable = node.outputs[index]
    return output


def node_of(session: None, part: None, node: Apply) -> Apply:
    """Return a node."""
    return node


def make_apply(kind: Kind, *references: Variable | Apply | tuple[Apply, int]) -> Apply:
    """Make a node whose inputs exist."""
    node = Apply.__new__(Apply)
    node.op, node.origin, node._tag = kind[0], kind[1], None
    node.inputs = [_resolve(item) for item in references]
    node.outputs = []
    for place in range(2, len(kind), 3):
        cls, type_, name = kind[place : place + 3]
        variable = make_leaf(cls, type_, name, node.origin)
        variable.owner, variable.index = node, len(node.outputs)
        node.outputs.append(variable)
    return node


def _resolve(reference: Variable | Apply | tuple[Apply, int]) -> Variable:
    if isinstance(reference, Variable):
        return reference
    node, index = reference if isinstance(reference, tuple) else (reference, 0)
    output: Variable = node.outputs[index]
    return output


def set_apply_state(
    node: Apply, state: tuple[SimpleNamespace | None, Sequence[State | None]]
) -> None:
    """Restore the tags and attributes of a node and its outputs."""
    node._tag, states = state
    for variable, own in zip(node.outputs, states, strict=True):
        attributes, slots = own or (None, {})
        if attributes:
            variable.__dict__.update(attributes)
        for name, value in slots.items():
            setattr(variable, name, value)


def make_leaf(cls: type[V], type_: Type, name: str | None, origin: Origin | None) -> V:
    """Make a variable without an owner."""
    variable = cls.__new__(cls)
    kind: type = cls
    for cached in _cache_slots(kind):
        setattr(variable, cached, None)
    variable.type, variable.name, variable.origin = type_, name, origin
    variable.owner = variable.index = None
    return variable


def make_constant(
    cls: type[Constant],
    type_: Type,
    name: str | None,
    origin: Origin | None,
    data: Value,
    read_only: bool,
) -> Constant:
    """Make a constant; its array is read-only if it was."""
    constant: Constant = make_leaf(cls, type_, name, origin)
    constant.data = data
    if read_only:
        constant.data.flags.writeable = False
    return constant

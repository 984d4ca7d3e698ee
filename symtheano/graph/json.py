"""FunctionGraphs as JSON, one node per line, for people and other programs.

``docs/json.md`` describes the format. Reading does not execute code from the text: it only names
classes, of this package or passed by the caller, and contains plain data to construct them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from operator import is_
from typing import Any, Generic, Protocol, TypeAlias, TypeGuard, TypeVar

import numpy as np

from symtheano.errors import format_error
from symtheano.graph.fields import PACKAGE, check_fields, constructor, fields, is_own
from symtheano.graph.interner import Interner
from symtheano.graph.op import Op
from symtheano.graph.operands import check_operands
from symtheano.graph.origin import Origin, origin_at, origin_scope, set_scope
from symtheano.graph.plain import array_from_plain, array_to_plain, from_plain, to_plain
from symtheano.graph.shared import SharedVariable
from symtheano.graph.type import Type
from symtheano.graph.variable import Apply, Constant, Variable

T = TypeVar("T")
G = TypeVar("G")


class _Graph(Protocol):
    def to_json(self, values: bool = ..., origins: bool = ...) -> str: ...


Row: TypeAlias = dict[str, Any]
"""An object of JSON; what is read is checked where it is used."""

FORMAT, VERSION = "symtheano graph", 1

DEEPEST = 64
"""How deep lists and objects of a text may be nested; fields of ops need fewer than ten levels."""

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def write_json(
    inputs: Sequence[Variable],
    free: Sequence[Variable],
    nodes: Sequence[Apply],
    outputs: Sequence[Variable],
    values: bool = False,
    origins: bool = True,
) -> str:
    """Return the text of a graph; :meth:`FunctionGraph.to_json` documents it.

    ``free`` are the variables that are used but neither computed nor inputs.
    """
    return _Writer(values, origins).text(inputs, free, nodes, outputs)


def read_json(text: str, ops: Sequence[type[Op]], make: Callable[..., G]) -> G:
    """Return the graph of a text; :meth:`FunctionGraph.from_json` documents it.

    ``make`` makes a graph of inputs, outputs and an interner.
    """
    return _Reader(ops, make).graph(text)


# -- writing -------------------------------------------------------------------------------------


class _Table:
    """Assigns labels; equal descriptions have the same label."""

    def __init__(self) -> None:
        self.rows: dict[str, Row] = {}
        self._labels: dict[str, str] = {}

    def label(self, row: Row, wanted: str) -> str:
        text = _encode(row)
        label = self._labels.get(text)
        if label is None:
            label, count = wanted, 1
            while label in self.rows:
                count += 1
                label = f"{wanted}#{count}"
            self.rows[label], self._labels[text] = row, label
        return label


class _Writer:
    def __init__(self, values: bool, origins: bool) -> None:
        self.values, self.with_origins = values, origins
        self.ops, self.types = _Table(), _Table()
        self.origins: dict[Origin, int] = {}
        self.references: dict[Variable, str] = {}
        self.op_labels: dict[int, str] = {}
        self.type_labels: dict[tuple[Type, object], str] = {}
        self.containers: dict[int, int] = {}
        self.constants: list[Row] = []

    def text(
        self,
        inputs: Sequence[Variable],
        free: Sequence[Variable],
        nodes: Sequence[Apply],
        outputs: Sequence[Variable],
    ) -> str:
        input_rows = [self.input(item, f"i{k}") for k, item in enumerate(inputs)]
        unknown = [self.leaf(item, f"f{k}") for k, item in enumerate(free)]
        node_rows = [self.node(node, f"n{k}") for k, node in enumerate(nodes)]
        results = [self.reference(item) for item in outputs]
        sections: Row = {"ops": self.ops.rows, "types": self.types.rows}
        if self.with_origins:
            sections["origins"] = [[o.filename, o.line, o.function] for o in self.origins]
        sections |= {
            "inputs": input_rows,
            "free": unknown,
            "constants": self.constants,
            "nodes": node_rows,
        }
        lines = [f'"format": {_encode(FORMAT)},\n"version": {VERSION}']
        lines += [f'"{name}": {_lines(section)}' for name, section in sections.items() if section]
        return "{\n" + ",\n".join([*lines, f'"outputs": {_encode(results)}']) + "\n}\n"

    def input(self, variable: Variable, reference: str) -> Row:
        row = self.leaf(variable, reference)
        if isinstance(variable, SharedVariable):
            row["shared"] = self.state(variable, int(reference[1:])) if self.values else True
        return row

    def state(self, variable: SharedVariable, position: int) -> Row:
        """Return class and value of a shared variable, or another owner of its container."""
        row = _named_class(type(variable), variable)
        row |= {"strict": variable.strict, "allow_downcast": variable.allow_downcast}
        first = self.containers.setdefault(id(variable.container), position)
        if first != position:
            return {**row, "shares": f"i{first}"}
        return {**row, "value": _data(variable.get_value(borrow=True), variable)}

    def leaf(self, variable: Variable, reference: str) -> Row:
        self.references[variable] = reference
        row: Row = {} if variable.name is None else {"name": variable.name}
        return self.placed({**row, "type": self.type(variable.type)}, variable.origin)

    def node(self, node: Apply, reference: str) -> Row:
        label = self.op_labels.get(id(node.op))
        if label is None:
            label = self.op_labels[id(node.op)] = self.op(node)
        row: Row = {"op": label, "inputs": [self.reference(v) for v in node.inputs]}
        row["types"] = [self.type(item.type) for item in node.outputs]
        names = [item.name for item in node.outputs]
        if any(name is not None for name in names):
            row["names"] = names
        for index, item in enumerate(node.outputs):
            self.references[item] = f"{reference}.{index}" if index else reference
        return self.placed(row, node.origin)

    def placed(self, row: Row, origin: Origin | None) -> Row:
        if origin is not None and self.with_origins:
            row["origin"] = self.origins.setdefault(origin, len(self.origins))
        return row

    def reference(self, variable: Variable) -> str:
        label = self.references.get(variable)
        if label is None:
            if not isinstance(variable, Constant):
                raise TypeError(format_error(f"to_json: {variable!r} is not part of the graph"))
            reference = f"c{len(self.constants)}"
            row = self.leaf(variable, reference) | _named_class(type(variable), variable)
            self.constants.append(row | {"data": _data(variable.data, variable)})
            label = reference
        return label

    def op(self, node: Apply) -> str:
        what = f"to_json: the op {node.op}"
        row = {"op": type(node.op).__qualname__, "module": type(node.op).__module__}
        return self.ops.label({**row, "props": self.fields(node.op, what, node)}, str(node.op))

    def type(self, kind: Type) -> str:
        key = (kind, getattr(kind, "name", None))
        label = self.type_labels.get(key)
        if label is None:
            label = self.type_labels[key] = self.type_row(kind)
        return label

    def type_row(self, kind: Type) -> str:
        cls: type = type(kind)
        if not is_own(cls):
            raise TypeError(format_error(f"to_json: {kind} is not one of this package's types"))
        row = {"type": cls.__qualname__, "module": cls.__module__}
        return self.types.label({**row, "fields": self.fields(kind, f"to_json: {kind}")}, str(kind))

    def fields(self, thing: object, what: str, node: Apply | None = None) -> Row:
        places = [node.origin] if node is not None else []
        values = fields(thing)
        if values is None:
            raise TypeError(
                format_error(
                    f"{what} has no declared fields",
                    places=places,
                    hint="define __props__ in its class, or make the class a frozen dataclass",
                )
            )
        try:
            return {name: self.plain(value) for name, value in values.items()}
        except TypeError as error:
            message = f"{what} can't be written: {error}"
            raise TypeError(format_error(message, places=places)) from None

    def plain(self, value: object) -> object:
        """Return a field for JSON: the graph of a loop is a text of its own."""
        if _is_graph(value):
            return {_GRAPH: value.to_json(origins=self.with_origins)}
        if isinstance(value, tuple) and any(map(_is_graph, value)):
            return [self.plain(item) for item in value]
        return to_plain(value)


_GRAPH = "graph"


def _is_graph(value: object) -> TypeGuard[_Graph]:
    return hasattr(value, "to_json")


def _named_class(cls: type, variable: Variable) -> Row:
    if not is_own(cls):
        name = f"{cls.__module__}.{cls.__qualname__}"
        raise TypeError(
            format_error(
                f"to_json: {variable.describe()} is of the class {name}, which is not in this "
                "package"
            )
        )
    return {"class": cls.__qualname__, "module": cls.__module__}


def _data(data: object, variable: Variable) -> Row:
    try:
        if isinstance(data, np.ndarray) and data.dtype.kind in "biufc":
            return array_to_plain(data)
        return {"plain": to_plain(data)}
    except TypeError as error:
        message = f"to_json: the value of {variable.describe()} can't be written: {error}"
        raise TypeError(format_error(message)) from None


def _lines(section: Row | Sequence[object]) -> str:
    if isinstance(section, dict):
        rows = [f"  {_encode(key)}: {_encode(row)}" for key, row in section.items()]
        return "{\n" + ",\n".join(rows) + "\n}"
    return "[\n" + ",\n".join(f"  {_encode(row)}" for row in section) + "\n]"


# -- reading -------------------------------------------------------------------------------------


class _Reader(Generic[G]):
    def __init__(self, ops: Sequence[type[Op]], make: Callable[..., G]) -> None:
        self.classes, self.make = ops, make
        for cls in ops:
            item: object = cls
            if not (isinstance(item, type) and issubclass(item, Op)):
                raise TypeError(format_error(f"from_json: ops must be Op classes, got {cls!r}"))
        self.foreign = {cls.__qualname__: cls for cls in ops}
        self.variables: dict[str, Variable] = {}
        self.interner = Interner()
        self.ops: dict[str, Op] = {}
        self.types: dict[str, Type] = {}
        self.origins: list[Origin] = []

    def graph(self, text: str) -> G:
        form = _parse(text)
        for label, row in _section(form, "ops", dict).items():
            with _reading("ops", label):
                self.ops[label] = self.op(row)
        for label, row in _section(form, "types", dict).items():
            with _reading("types", label):
                self.types[label] = self.type(row)
        for number, row in enumerate(_section(form, "origins", list)):
            with _reading("origins", number):
                self.origins.append(_origin(row))
        inputs = self.leaves(form, "inputs", self.input)
        self.leaves(form, "free", self.leaf)
        self.leaves(form, "constants", self.constant)
        for number, row in enumerate(_section(form, "nodes", list)):
            with _reading("nodes", number):
                self.node(row, f"n{number}")
        with _reading("outputs", "list"):
            outputs = [self.variables[reference] for reference in form["outputs"]]
        return self.make(inputs, outputs, self.interner)

    def leaves(self, form: Row, name: str, read: Callable[[Row], Variable]) -> list[Variable]:
        variables = []
        for number, row in enumerate(_section(form, name, list)):
            with _reading(name, number):
                variable = self.interner.variable(read(row))
                self.variables[f"{name[0]}{number}"] = variable
                variables.append(variable)
        return variables

    def leaf(self, row: Row) -> Variable:
        with origin_scope(self.origin(row)):
            return self.types[row["type"]].make_variable(_name(row.get("name")))

    def input(self, row: Row) -> Variable:
        state = row.get("shared")
        if not isinstance(state, dict):
            return self.leaf(row)
        cls = _own_class(state, "class", SharedVariable)
        kind, name = self.types[row["type"]], _name(row.get("name"))
        options = (name, bool(state.get("strict")), state.get("allow_downcast"))
        with origin_scope(self.origin(row)):
            if "shares" in state:
                owner = self.variables[state["shares"]]
                if not isinstance(owner, SharedVariable):
                    raise ValueError(f"{state['shares']!r} is not a shared variable")
                return cls(kind, None, *options, container=owner.container)
            return cls(kind, kind.filter(_value(state["value"]), strict=True), *options)

    def constant(self, row: Row) -> Constant:
        cls = _own_class(row, "class", Constant)
        kind = self.types[row["type"]]
        data = kind.filter(_value(row["data"]), strict=True)
        if isinstance(data, np.ndarray):
            data.flags.writeable = False
        constant: Constant = cls(kind, data, _name(row.get("name")))
        constant.origin = self.origin(row)
        return constant

    def origin(self, row: Row) -> Origin | None:
        number = row.get("origin")
        return None if number is None else self.origins[number]

    def op(self, row: Row) -> Op:
        name, module = row["op"], row["module"]
        cls: type | None = self.foreign.get(name)
        if cls is None or cls.__module__ != module:
            if module != PACKAGE and not str(module).startswith(PACKAGE + "."):
                raise ValueError(
                    f"the op {module}.{name} is not one of {PACKAGE}'s; "
                    "if you trust it, pass its class in ops=[...]"
                )
            cls = _own_class(row, "op", Op)
        op: Op = _instance(cls, row["props"], self.graphs)
        return op

    def type(self, row: Row) -> Type:
        kind: Type = _instance(_own_class(row, "type", Type), row["fields"], self.graphs)
        return kind

    def graphs(self, value: object) -> object:
        """Return the graph, or the tuple of graphs, of a field."""
        if isinstance(value, list):
            return tuple(self.graphs(item) for item in value)
        if not (isinstance(value, dict) and isinstance(value.get(_GRAPH), str)):
            raise ValueError(f"{value!r} is not a graph")
        return _Reader(self.classes, self.make).graph(value[_GRAPH])

    def node(self, row: Row, reference: str) -> None:
        inputs, op = [self.variables[item] for item in row["inputs"]], self.ops[row["op"]]
        check_operands(op, inputs)
        before = set_scope(True, self.origin(row))
        try:
            node = op.make_checked(*inputs)
        finally:
            set_scope(*before)
        if type(op).inlined is not Op.inlined:
            raise ValueError(f"{op} is in no graph: other ops replace it")
        checked = type(op).make_checked is not Op.make_checked
        if not checked and not _same(node.inputs, inputs):
            raise ValueError(f"{op} does not accept these inputs without conversion")
        names = row.get("names") or [None] * len(node.outputs)
        for output, label, name in zip(node.outputs, row["types"], names, strict=True):
            _check_type(output.type, self.types[label])
            output.name = _name(name)
        outputs = (
            self.interner.intern(node.outputs) if checked else self.interner.adopt(node).outputs
        )
        for index, output in enumerate(outputs):
            self.variables[f"{reference}.{index}"] = output
            if index == 0:
                self.variables[reference] = output


@contextmanager
def _reading(section: str, row: str | int) -> Iterator[None]:
    try:
        yield
    except KeyError as error:
        raise ValueError(format_error(f"from_json: {section}, {row}: no {error}")) from None
    except Exception as error:
        # Whatever an op raises for fields that it did not make itself, the text is the cause.
        raise ValueError(format_error(f"from_json: {section}, {row}: {error}")) from None


def _parse(text: str) -> Row:
    try:
        form = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(format_error(f"from_json: the text is not valid JSON: {error}")) from None
    if not isinstance(form, dict) or form.get("format") != FORMAT:
        raise ValueError(format_error("from_json: the text is not the JSON of a graph"))
    if form.get("version") != VERSION:
        raise ValueError(
            format_error(
                f"from_json: version {form.get('version')!r} of the format is not known",
                hint=f"this release reads version {VERSION}",
            )
        )
    _check_depth(form)
    return form


def _check_depth(form: Row) -> None:
    level: list[dict[str, object] | list[object]] = [form]
    for _ in range(DEEPEST):
        level = [
            item
            for thing in level
            for item in (thing.values() if isinstance(thing, dict) else thing)
            if isinstance(item, dict | list)
        ]
        if not level:
            return
    raise ValueError(format_error(f"from_json: the text is nested more than {DEEPEST} levels deep"))


def _section(form: Row, name: str, kind: type[T]) -> T:
    section = form.get(name, kind())
    if not isinstance(section, kind):
        raise ValueError(format_error(f"from_json: {name} is not a {kind.__name__}"))
    return section


def _own_class(row: Row, key: str, base: type[T]) -> type[T]:
    """Return the class of this package named by a row; nothing else is looked up or imported."""
    name, module = row[key], row["module"]
    if isinstance(name, str) and re.fullmatch(rf"{PACKAGE}(\.[a-z]\w*)*", str(module)):
        try:
            cls = getattr(import_module(module), name, None)
        except ImportError:
            cls = None
        if isinstance(cls, type) and issubclass(cls, base) and cls.__module__ == module:
            return cls
    raise ValueError(f"{module}.{name}: this package has no {base.__name__} of this name")


def _instance(cls: type[T], plain: Row, read: Callable[[object], object]) -> T:
    """Construct an op or a type from its fields, and check that it has these fields."""
    graphs = {name: read(value) for name, value in plain.items() if _has_graph(value)}
    rest = {name: value for name, value in plain.items() if name not in graphs}
    arguments = {name: from_plain(value) for name, value in rest.items()}
    check_fields(cls, arguments)
    instance: T = constructor(cls)(**arguments, **graphs)
    values = fields(instance)
    if values is None or values.keys() != plain.keys():
        raise ValueError(f"{cls.__qualname__} made from {plain} is {instance}")
    if {name: to_plain(values[name]) for name in rest} != rest:
        raise ValueError(f"{cls.__qualname__} made from {plain} is {instance}")
    return instance


def _has_graph(value: object) -> bool:
    """Return whether a field is a graph, or a list of graphs."""
    first = value[0] if isinstance(value, list) and value else value
    return isinstance(first, dict) and _GRAPH in first


def _check_type(inferred: Type, written: Type) -> None:
    """Check that all outputs of an op have the type in the text.

    The variable has the type that the op infers. A narrower one would claim lengths that the output
    need not have; code for a wider one would have a loop along an axis that its operands lack.
    """
    if not written.accepts(inferred):
        raise ValueError(f"the output has type {inferred}, not {written}")


def _value(plain: object) -> object:
    if isinstance(plain, dict) and "plain" in plain:
        return from_plain(plain["plain"])
    return array_from_plain(plain)


def _name(name: object) -> str | None:
    if name is not None and not isinstance(name, str):
        raise ValueError(f"{name!r} is not a name")
    return name


def _origin(row: Sequence[object]) -> Origin:
    filename, line, function = row
    if not (isinstance(filename, str) and type(line) is int and isinstance(function, str)):
        raise ValueError(f"{row!r} is not a file, line and function")
    return origin_at(filename, line, function)


def _same(left: Sequence[object], right: Sequence[object]) -> bool:
    return len(left) == len(right) and all(map(is_, left, right))

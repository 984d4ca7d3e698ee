"""Graphs: placeholders, variables and outputs of layers that belong together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from symtheano.errors import printable_name
from symtheano.nn.missing import OF_GRAPHS, MissingMethod
from symtheano.nn.randomness import Randomness
from symtheano.nn.tables import html_table, text_table


class Graph:
    """A graph of placeholders, variables, outputs of layers, and operations.

    Objects that are created while a graph is the default graph belong to it. The values of
    variables belong to the graph, so all of its sessions share them.

    Parameters
    ----------
    seed
        The seed of the initial values of layers and of dropout, a non-negative integer. None: a
        random seed, or one derived from :func:`symtheano.nn.seed`.

    Attributes
    ----------
    placeholders
        A list of the placeholders, in the order of their creation.
    variables
        A dict from the shared variables to functions that return their initial values.
    trainable
        A list of the variables that ``minimize`` changes by default.
    values
        A list of the outputs of layers.
    operations
        A list of the operations, in the order of their creation: assignments, steps of optimizers,
        groups and initializers.

    Examples
    --------
    >>> graph = nn.Graph()
    >>> with graph.as_default():
    ...     x = nn.placeholder("float32", name="x")
    >>> graph["x"] is x
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        self.randomness = Randomness(seed)
        self.placeholders: list[Any] = []
        self.variables: dict[Any, Callable[[], Any]] = {}
        self.trainable: list[Any] = []
        self.values: list[Any] = []
        self.operations: list[Any] = []
        self.constraints: dict[Any, Callable[[Any], Any]] = {}
        self.inputs: dict[Any, Any] = {}
        self._names: set[str] = set()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state to pickle, without operations, whose updates are functions."""
        return {**vars(self), "operations": []}

    if not TYPE_CHECKING:  # for which every attribute would exist

        def __getattr__(self, name: str) -> Any:
            """Say what a method of other libraries is here."""
            raise MissingMethod(type(self), name, OF_GRAPHS, vars(self))

    def __repr__(self) -> str:
        """Return a table of the placeholders, variables, outputs of layers and operations."""
        return f"graph\n{text_table(self._rows())}"

    def _repr_html_(self) -> str:
        return html_table("graph", self._rows())

    def _rows(self) -> list[tuple[str, str, str]]:
        """Return the rows of the table: kind, name and type. The first row has these headings."""
        rows = [("kind", "name", "type")]
        rows += [
            ("placeholder", item.name, str(getattr(item, "type", item.dtype)))
            for item in self.placeholders
        ]
        for item in self.variables:
            value = item.get_value(borrow=True)
            trained = "" if item in self.trainable else ", not trained"
            rows.append(("variable", str(item.name), f"{value.dtype} {value.shape}{trained}"))
        rows += [("output", value.layer.name, repr(value)) for value in self.values]
        rows += [("operation", operation.name, "") for operation in self.operations]
        return [(kind, printable_name(name), what) for kind, name, what in rows]

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Return a context manager that makes this the default graph inside of a ``with`` block."""
        _local.stack.append(self)
        try:
            yield self
        finally:
            _local.stack.pop()

    def unique(self, name: str) -> str:
        """Return a name, with a number appended if it is taken: x, x_1, ..."""
        candidate, count = name, 0
        while candidate in self._names:
            count += 1
            candidate = f"{name}_{count}"
        self._names.add(candidate)
        return candidate

    def add_variable(self, variable: Any, initial: Callable[[], Any], trainable: bool) -> None:
        """Add a shared variable, with a function that returns its initial value."""
        if variable not in self.variables:
            self.variables[variable] = initial
            if trainable:
                self.trainable.append(variable)

    def add_value(self, value: Any) -> None:
        """Add the output of a layer, and the layer's parameters.

        A layer gets another name if the graph has one of its name: dense, dense_1, ...
        """
        layers = {id(one.layer): one.layer.name for one in self.values}
        if id(value.layer) not in layers:
            name, count = value.layer.name, 0
            while name in layers.values():
                count += 1
                name = f"{value.layer.name}_{count}"
            if count:
                value.layer.rename(name)
        self.values.append(value)
        for item in value.layer.parameters:
            if item.variable in self.variables:
                continue
            initial = item.variable.get_value()
            self.add_variable(item.variable, initial.copy, item.trains)
            if item.constraint is not None:
                self.constraints[item.variable] = item.constraint
        for state in value.layer.states:
            self.add_variable(state, state.get_value()[:0].copy, False)

    def __getitem__(self, name: str) -> Any:
        """Return a placeholder, variable, output or operation by its name, such as "x" or "x:0"."""
        wanted = name.removesuffix(":0")
        for item in (*self.placeholders, *self.variables):
            if item.name == wanted:
                return item
        for value in reversed(self.values):
            if value.layer.name == wanted:
                return value
        for operation in self.operations:
            if operation.name == wanted:
                return operation
        names = [item.name for item in (*self.placeholders, *self.variables)]
        names += [value.layer.name for value in self.values]
        names += [operation.name for operation in self.operations]
        raise ValueError(f"the graph has no object of the name '{name}'; it has {names}")


class _Local(threading.local):
    def __init__(self) -> None:
        self.stack: list[Graph] = []


_local = _Local()
_first: list[Graph] = []


def get_default_graph() -> Graph:
    """Return the default graph, to which new placeholders and variables are added."""
    if _local.stack:
        return _local.stack[-1]
    if not _first:
        _first.append(Graph())
    return _first[0]


def reset_default_graph() -> None:
    """Replace the default graph by an empty one.

    Raises
    ------
    RuntimeError
        Inside of a ``with`` block that makes another graph the default.
    """
    if _local.stack:
        raise RuntimeError(
            "reset_default_graph cannot be called inside of the with block of a graph"
        )
    _first.clear()

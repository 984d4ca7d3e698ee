"""Graphs: placeholders, variables and layers' outputs that belong together, and their names."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from symtheano.errors import printable_name
from symtheano.nn.randomness import Randomness
from symtheano.nn.tables import html_table, text_table


class Graph:
    """Placeholders, variables and the outputs of layers.

    What is made while a graph is the default belongs to it. Values of variables live in the graph,
    so that all its sessions share them.

    Parameters
    ----------
    seed
        The seed of layers' initial values and of dropout.

    Attributes
    ----------
    placeholders
        In the order in which they were made.
    variables
        Shared variables, with functions that return their initial values.
    trainable
        The variables that are trained by default.
    values
        Outputs of layers.
    operations
        What can be run for its effects, in the order in which it was made: assignments, steps of
        optimizers, groups, initializers.

    Examples
    --------
    >>> from symtheano import nn
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
        """Return what is pickled: operations are not, because their updates are functions."""
        return {**vars(self), "operations": []}

    def __repr__(self) -> str:
        """Return placeholders, variables and outputs of layers, with shapes."""
        return f"graph\n{text_table(self._rows())}"

    def _repr_html_(self) -> str:
        return html_table("graph", self._rows())

    def _rows(self) -> list[tuple[str, str, str]]:
        """Return the kind, the name and the type of what the graph has, names of columns first."""
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
        return [(kind, printable_name(name), what) for kind, name, what in rows]

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Make this the default graph of a ``with`` block."""
        _local.stack.append(self)
        try:
            yield self
        finally:
            _local.stack.pop()

    def unique(self, name: str) -> str:
        """Return a name, with a number if it is taken: x, x_1, ..."""
        found, count = name, 0
        while found in self._names:
            count += 1
            found = f"{name}_{count}"
        self._names.add(found)
        return found

    def add_variable(self, variable: Any, initial: Callable[[], Any], trainable: bool) -> None:
        """Add a shared variable."""
        if variable not in self.variables:
            self.variables[variable] = initial
            if trainable:
                self.trainable.append(variable)

    def add_value(self, value: Any) -> None:
        """Add the output of a layer, and the layer's parameters."""
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
        """Return a placeholder, variable, output or operation by name; ``:0`` may follow."""
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
        raise ValueError(f"the graph has nothing of the name '{name}'; there are {names}")


class _Local(threading.local):
    def __init__(self) -> None:
        self.stack: list[Graph] = []


_local = _Local()
_first: list[Graph] = []


def get_default_graph() -> Graph:
    """Return the graph that placeholders and variables are added to."""
    if _local.stack:
        return _local.stack[-1]
    if not _first:
        _first.append(Graph())
    return _first[0]


def reset_default_graph() -> None:
    """Replace the default graph outside of ``with`` blocks by an empty one.

    Raises
    ------
    RuntimeError
        Inside of a block that has a graph of its own.
    """
    if _local.stack:
        raise RuntimeError("reset_default_graph: not inside of a graph's with block")
    _first.clear()

"""debugprint: a graph as an indented tree, in Theano's format."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from symtheano.errors import printable_name
from symtheano.graph.variable import Apply, Variable
from symtheano.printing.graph import as_printed, deliver, inner_graphs

_LEVELS_SHOWN = 40
_LETTERS = 26


def debugprint(
    obj: Any,
    depth: int = -1,
    print_type: bool = False,
    file: Any = None,
    ids: str = "CHAR",
    stop_on_name: bool = False,
) -> str | None:
    """Print a graph as a tree: each op, with its inputs indented below it.

    A line shows the op, the id, the name and, for a function, the position in the execution order.
    A node that is used several times is expanded only once. Below 40 levels, the indentation does
    not increase, and lines begin with their level. Inner graphs of loops, choices and ops made from
    graphs come last, with the ids of their inputs.

    Parameters
    ----------
    obj
        A variable, a node, a list of them, a FunctionGraph, or a function, whose graph is shown
        as it runs, after rewriting; ``-> W`` marks the new value of a shared variable.
    depth
        Number of levels to print, -1 for all.
    print_type
        Also print the types.
    file
        File to which to print, by default stdout; ``"str"`` returns the text instead.
    ids
        Format of ids: ``"CHAR"`` letters, ``"int"`` numbers, ``"id"`` Python's ids, ``""`` none.
    stop_on_name
        Do not expand variables that have a name.

    Examples
    --------
    >>> x = T.vector("x")
    >>> y = T.exp(x)
    >>> debugprint(y / y.sum(), print_type=True)  # doctest: +NORMALIZE_WHITESPACE
    Elemwise{true_div,no_inplace} [id A] <TensorType(float64, vector)> ''
     |Elemwise{exp,no_inplace} [id B] <TensorType(float64, vector)> ''
     | |x [id C] <TensorType(float64, vector)>
     |InplaceDimShuffle{x} [id D] <TensorType(float64, (1))> ''
       |Sum{axis=[0], acc_dtype=float64} [id E] <TensorType(float64, scalar)> ''
         |Elemwise{exp,no_inplace} [id B] <TensorType(float64, vector)> ''
    """
    if ids not in ("CHAR", "int", "id", ""):
        raise ValueError(f"debugprint: ids={ids!r} is not one of 'CHAR', 'int', 'id', ''")
    printed = as_printed(obj)
    trees = _Trees(printed.order, ids, print_type, stop_on_name, depth)
    for position, root in enumerate(printed.outputs if depth else ()):
        target = printed.updates.get(position)
        trees.write(root, "" if target is None else f" -> {target.describe()}")
    trees.write_inner()
    return deliver("\n".join(trees.lines), file)


class _Trees:
    """The lines of trees that share their ids.

    Parameters
    ----------
    order
        Positions in the execution order.
    ids, print_type, stop_on_name, depth
        See :func:`debugprint`.
    """

    def __init__(
        self, order: Mapping[Apply, int], ids: str, print_type: bool, stop_on_name: bool, depth: int
    ) -> None:
        self.order, self.ids, self.print_type = order, ids, print_type
        self.stop_on_name, self.depth = stop_on_name, depth
        self.lines: list[str] = []
        self._labels: dict[Any, str] = {}
        self._written: set[Any] = set()
        self._with_graphs: list[Apply] = []

    def write(
        self,
        root: Variable,
        mark: str = "",
        margin: str = "",
        outer: Mapping[Variable, Variable] = MappingProxyType({}),
    ) -> None:
        """Write a tree, with a mark in its first line; ``outer`` tells what inputs are outside."""
        stack: list[tuple[Variable, int, str, str]] = [(root, 0, "", "")]
        while stack:
            variable, level, first, rest = stack.pop()
            node = variable.owner
            label = self._id(node if node is not None else variable)
            kind = f" <{variable.type}>" if self.print_type else ""
            ahead = margin + (f"{level}…" if level > _LEVELS_SHOWN else "")
            if node is None:
                outside = outer.get(variable)
                arrow = "" if outside is None else f" ->{self._id(outside.owner or outside)}"
                self.lines.append(f"{ahead}{first}{variable}{label}{kind}{arrow}{mark}")
            else:
                place, name = self.order.get(node, ""), printable_name(variable.name or "")
                line = f"{ahead}{first}{_result(variable)}{label}{kind} '{name}'   {place}{mark}"
                self.lines.append(line)
            mark = ""
            stop = self.stop_on_name and variable.name is not None
            if node is None or node in self._written or stop or level + 1 == self.depth:
                continue
            self._written.add(node)
            if inner_graphs(node):
                self._with_graphs.append(node)
            rest = rest[-2 * (_LEVELS_SHOWN - 1) :]
            below = [(item, level + 1, f"{rest} |", f"{rest} |") for item in node.inputs]
            if below:
                below[-1] = (node.inputs[-1], level + 1, f"{rest} |", f"{rest}  ")
            stack.extend(reversed(below))

    def write_inner(self) -> None:
        """Write the graphs inside of ops, and those inside of these."""
        if self._with_graphs:
            self.lines += ["", "Inner graphs:"]
        for node in self._with_graphs:  # it grows
            self.lines += ["", f"{node.op}{self._id(node)}"]
            for graph in inner_graphs(node):
                self.lines += [f" {graph.title}:"] if graph.title else []
                for output in graph.outputs:
                    self.write(output, margin=" >", outer=graph.outer)

    def _id(self, item: Any) -> str:
        """Return the id of a node or leaf, or the next id if it has none yet."""
        label = self._labels.get(item)
        if label is None:
            number = len(self._labels)
            names = {"CHAR": _letters(number), "int": str(number), "id": str(id(item))}
            label = self._labels[item] = f" [id {names[self.ids]}]" if self.ids else ""
        return label


def _result(variable: Variable) -> str:
    """Return the op that computes a variable, with the number of the output if it has several."""
    node = variable.owner
    assert node is not None
    return f"{node.op}.{variable.index}" if len(node.outputs) > 1 else str(node.op)


def _letters(number: int) -> str:
    """Return A, B, ... Z, AA, AB, ... for 0, 1, ..."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, _LETTERS)
        text = chr(ord("A") + digit) + text
    return text

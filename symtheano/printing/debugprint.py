"""debugprint: a graph as an indented tree, in Theano's format."""

from __future__ import annotations

from typing import Any

from symtheano.graph.variable import Variable
from symtheano.printing.graph import as_printed, deliver

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

    A line shows op, id, name and, for a function, the position in the execution order. A node that
    is used several times is expanded only at the first place. Below 40 levels, the indentation does
    not increase, and lines begin with their level.

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
    >>> import symtheano.tensor as T
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
    lines: list[str] = []
    known: dict[Any, str] = {}
    written: set[Any] = set()
    for position, root in enumerate(printed.outputs if depth else ()):
        target = printed.updates.get(position)
        mark = "" if target is None else f" -> {target.describe()}"
        stack: list[tuple[Variable, int, str, str]] = [(root, 0, "", "")]
        while stack:
            variable, level, first, rest = stack.pop()
            node = variable.owner
            label = _id(node if node is not None else variable, known, ids)
            kind = f" <{variable.type}>" if print_type else ""
            ahead = f"{level}…" if level > _LEVELS_SHOWN else ""
            if node is None:
                lines.append(f"{ahead}{first}{variable}{label}{kind}{mark}")
            else:
                op = f"{node.op}.{variable.index}" if len(node.outputs) > 1 else str(node.op)
                place = printed.order.get(node, "")
                name = variable.name or ""
                lines.append(f"{ahead}{first}{op}{label}{kind} '{name}'   {place}{mark}")
            mark = ""
            stop = stop_on_name and variable.name is not None
            if node is None or node in written or stop or level + 1 == depth:
                continue
            written.add(node)
            rest = rest[-2 * (_LEVELS_SHOWN - 1) :]
            below = [(item, level + 1, f"{rest} |", f"{rest} |") for item in node.inputs]
            if below:
                below[-1] = (node.inputs[-1], level + 1, f"{rest} |", f"{rest}  ")
            stack.extend(reversed(below))
    return deliver("\n".join(lines), file)


def _id(item: Any, known: dict[Any, str], ids: str) -> str:
    """Return the id of a node or leaf, or the next id if it has none yet."""
    label = known.get(item)
    if label is None:
        names = {"CHAR": _letters(len(known)), "int": str(len(known)), "id": str(id(item))}
        label = known[item] = f" [id {names[ids]}]" if ids else ""
    return label


def _letters(number: int) -> str:
    """Return A, B, ... Z, AA, AB, ... for 0, 1, ..."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, _LETTERS)
        text = chr(ord("A") + digit) + text
    return text

"""pp: an expression as a formula on one line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from symtheano.errors import printable, printable_name
from symtheano.graph.variable import Apply, Variable
from symtheano.printing.graph import as_printed
from symtheano.tensor.creation.filled import Alloc
from symtheano.tensor.creation.ranges import ARange
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.advanced import AdvancedSubtensor
from symtheano.tensor.indexing.call_broadcast import BroadcastInCall, written
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.linalg.dot import Dot
from symtheano.tensor.nnet.softmax import AlongAxes
from symtheano.tensor.reductions.argmax import ArgReduce
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import MakeVector, Shape_i
from symtheano.tensor.variable import TensorConstant

# Precedence of symbols, as in Python.
_COMPARISON, _OR, _XOR, _AND, _SHIFT, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(10)
_BINARY = {
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!="), _COMPARISON),
    "|": _OR,
    "^": _XOR,
    "&": _AND,
    **dict.fromkeys(("<<", ">>"), _SHIFT),
    **dict.fromkeys("+-", _SUM),
    **dict.fromkeys(("*", "/", "//", "%"), _PRODUCT),
    "**": _POWER,
}

Part = str | tuple[Any, int]
"""A piece of a formula: text, or a variable and the minimum precedence of its symbol."""

Formula = tuple[int, list[Part]]
"""Precedence of a formula's outermost symbol, and its parts."""


def pp(x: Any, depth: int = -1) -> str:
    """Return an expression as a formula on one line.

    Elementwise ops with a symbol are printed in infix form, with parentheses only where they are
    needed; everything else is printed as a call. Axes that are inserted only for broadcasting are
    not shown.

    Parameters
    ----------
    x
        A variable, a list, a node or a function; several formulas are separated by commas.
    depth
        Number of levels of operations to show, -1 for all; deeper expressions are shown by name or
        as ``…``. Shared parts of the graph are repeated, so a formula can be much longer than the
        graph.

    Examples
    --------
    >>> x, y = T.vector("x"), T.vector("y")
    >>> pp((x + y) * 2 - T.exp(-(x**2)).sum())
    '(x + y) * 2 - sum(exp(-x ** 2))'
    >>> pp(T.log(1 + T.exp(x)), depth=2)
    'log(1 + …)'
    """
    out: list[str] = []
    stack: list[tuple[Part, int]] = []
    for position, output in enumerate(as_printed(x).outputs):
        stack += [(", ", 0)] * (position > 0) + [((output, 0), depth)]
    stack.reverse()
    while stack:
        part, left = stack.pop()
        if isinstance(part, str):
            out.append(part)
            continue
        variable, needed = part
        binding, parts = _formula(variable, left)
        if binding < needed:
            parts = ["(", *parts, ")"]
        stack.extend((item, left - 1) for item in reversed(parts))
    return printable("".join(out))


def _formula(variable: Any, depth: int) -> Formula:
    while variable.owner is not None and _is_implicit(variable.owner):
        variable = variable.owner.inputs[0]
    node = variable.owner
    if node is None:
        text = _leaf(variable)
        return (_SIGN if text.startswith("-") else _ATOM), [text]
    if depth == 0:
        return _ATOM, [printable_name(variable.name or "…")]
    for kind, formula in _FORMULAS:
        if isinstance(node.op, kind):
            binding, parts = formula(node)
            break
    else:
        binding, parts = _ATOM, _call(str(node.op), node.inputs)
    if len(node.outputs) > 1:
        parts = [*parts, f".{variable.index}"]
    return binding, parts


def _leaf(variable: Any) -> str:
    if isinstance(variable, TensorConstant) and variable.name is None:
        data = variable.data
        if data.size == 1:
            return str(data.reshape(-1)[0])
        if data.ndim == 1 and data.size <= 6:
            return f"[{', '.join(map(str, data))}]"
    return str(variable)


def _is_implicit(node: Apply) -> bool:
    """Return whether a node only inserts axes as NumPy's broadcasting does, or is scalar."""
    if not isinstance(node.op, DimShuffle):
        return False
    order, (x,) = node.op.new_order, node.inputs
    if isinstance(x, TensorConstant) and x.data.size == 1:
        return True
    kept = [axis for axis in order if axis != "x"]
    inserted = len(order) - len(kept)
    return kept == list(range(x.ndim)) and (not kept or order[inserted:] == tuple(kept))


def _listed(operands: Sequence[Any]) -> Iterator[Part]:
    for position, operand in enumerate(operands):
        if position:
            yield ", "
        yield (operand, 0) if isinstance(operand, Variable) else str(operand)


def _call(name: str, operands: Sequence[Any], *more: str) -> list[Part]:
    return [f"{name}(", *_listed([*operands, *more]), ")"]


def _elemwise(node: Apply) -> Formula:
    row, operands = node.op.scalar_op, node.inputs
    if row.symbol is None:
        if row.name.startswith("cast{"):
            return _ATOM, _call(row.name[5:-1], operands)
        return _ATOM, _call("fill" if row.name == "second" else row.name.rstrip("_"), operands)
    if row.nin == 1:
        return _SIGN, [row.symbol, (operands[0], _SIGN)]
    binding = _BINARY[row.symbol]
    left, right = binding, binding + 1
    if row.symbol == "**":
        left, right = _ATOM, _SIGN
    elif binding == _COMPARISON:
        left = binding + 1
    return binding, [(operands[0], left), f" {row.symbol} ", (operands[1], right)]


def _dimshuffle(node: Apply) -> Formula:
    (x,), order = node.inputs, node.op.new_order  # type: ignore[attr-defined]
    if order == tuple(range(x.ndim))[::-1]:
        return _ATOM, [(x, _ATOM), ".T"]
    shown = ["'x'" if axis == "x" else str(axis) for axis in order]
    return _ATOM, [(x, _ATOM), f".dimshuffle({', '.join(shown)})"]


def _axes(axis: Sequence[int], ndim: int) -> list[str]:
    if len(axis) == ndim:
        return []
    return [f"axis={axis[0] if len(axis) == 1 else tuple(axis)}"]


_REDUCTIONS = {
    "add": "sum",
    "mul": "prod",
    "maximum": "max",
    "minimum": "min",
    "logical_or": "any",
    "logical_and": "all",
}


def _reduction(node: Apply) -> Formula:
    op: Any = node.op
    name = _REDUCTIONS.get(op.scalar_name, str(op))
    return _ATOM, _call(name, node.inputs, *_axes(op.axis, node.inputs[0].ndim))


def _arg_reduction(node: Apply) -> Formula:
    op: Any = node.op
    return _ATOM, _call(op.which, node.inputs, *_axes([op.axis], node.inputs[0].ndim))


def _along_axes(node: Apply) -> Formula:
    op: Any = node.op
    return _ATOM, _call(type(op).__name__.lower(), node.inputs, *_axes(op.axis, 0))


def _range(node: Apply) -> Formula:
    start, stop, step = node.inputs
    operands = [start, stop] if _is_number(step, 1) else [start, stop, step]
    if len(operands) == 2 and _is_number(start, 0):
        operands = [stop]
    return _ATOM, _call("arange", operands)


def _is_number(variable: Any, number: int) -> bool:
    return isinstance(variable, TensorConstant) and bool((variable.data == number).all())


def _length(node: Apply) -> Formula:
    return _ATOM, [(node.inputs[0], _ATOM), f".shape[{node.op.axis}]"]  # type: ignore[attr-defined]


def _subtensor(node: Apply) -> Formula:
    op: Any = node.op
    parts: list[Part] = [(node.inputs[0], _ATOM), "["]
    for axis, item in op.items(node):
        parts += [", "] if axis else []
        if not isinstance(item, tuple):
            parts.append((item, 0))
            continue
        start, stop, step = item
        parts += [(start, 0), ":"] if start is not None else [":"]
        parts += [(stop, 0)] if stop is not None else []
        parts += [":", (step, 0)] if step is not None else []
    return _ATOM, [*parts, "]"]


def _gather(node: Apply) -> Formula:
    op: Any = node.op
    arrays = map(written, op.indices_of(node))
    parts = list(_listed([*[":"] * op.axis, *arrays]))
    return _ATOM, [(node.inputs[0], _ATOM), "[", *parts, "]"]


def _vector(node: Apply) -> Formula:
    return _ATOM, ["[", *_listed(node.inputs), "]"]


def _dot(node: Apply) -> Formula:
    return _ATOM, _call("dot", node.inputs)


_FORMULAS: list[tuple[type, Callable[[Apply], Formula]]] = [
    (Elemwise, _elemwise),
    (DimShuffle, _dimshuffle),
    (CAReduce, _reduction),
    (ArgReduce, _arg_reduction),
    (AlongAxes, _along_axes),
    (Alloc, lambda node: (_ATOM, _call("alloc", node.inputs))),
    (ARange, _range),
    (Shape_i, _length),
    (Subtensor, _subtensor),
    (AdvancedSubtensor, _gather),
    (BroadcastInCall, lambda node: (_ATOM, [(node.inputs[0], _ATOM)])),
    (MakeVector, _vector),
    (Dot, _dot),
]
"""Notation of ops; other ops are printed as calls."""

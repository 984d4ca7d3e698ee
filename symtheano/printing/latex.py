"""latex: an expression as a LaTeX formula."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from symtheano.errors import printable, printable_name
from symtheano.graph.variable import Apply, Constant
from symtheano.printing.graph import as_printed, is_one_of, traced
from symtheano.tensor.elemwise import DimShuffle, Elemwise
from symtheano.tensor.indexing.advanced import AdvancedSubtensor
from symtheano.tensor.indexing.call_broadcast import BroadcastInCall, written
from symtheano.tensor.indexing.slices import Subtensor
from symtheano.tensor.linalg.determinants import Det
from symtheano.tensor.linalg.dot import Dot
from symtheano.tensor.linalg.inverse import MatrixInverse
from symtheano.tensor.reductions.argmax import ArgReduce
from symtheano.tensor.reductions.reduce import CAReduce
from symtheano.tensor.shapes.shape import MakeVector, Shape_i

# Precedence of notations.
_RELATION, _OR, _AND, _SUM, _PRODUCT, _SIGN, _POWER, _ATOM = range(8)

Piece = str | tuple[Any, int]
"""Text, or a variable and the minimum precedence of its notation."""
Formula = tuple[int, list[Piece]]

_GREEK = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau "
    "upsilon phi chi psi omega"
).split()
_SPELLED = {name: f"\\{name}" for name in _GREEK} | {
    name.capitalize(): f"\\{name.capitalize()}"
    for name in "gamma delta theta lambda xi pi sigma upsilon phi psi omega".split()
}
_ESCAPED = {"\\": r"\backslash ", "{": r"\{", "}": r"\}", "^": r"\wedge ", "~": r"\sim "} | {
    sign: f"\\{sign}" for sign in "#$%&_"
}
_RELATIONS = {"lt": "<", "le": r"\le", "gt": ">", "ge": r"\ge", "eq": "=", "neq": r"\ne"}
_FUNCTIONS = {
    name: f"\\{name}" for name in "cos sin tan cosh sinh tanh".split()
} | {
    "log": r"\log", "arccos": r"\arccos", "arcsin": r"\arcsin", "arctan": r"\arctan",
    "maximum": r"\max", "minimum": r"\min", "gamma": r"\Gamma", "psi": r"\psi", "zeta": r"\zeta",
    "tri_gamma": r"\psi_1", "gammaln": r"\log\Gamma", "sigmoid": r"\sigma", "beta": r"\mathrm{B}",
    "betaln": r"\log\mathrm{B}", "j0": "J_0", "j1": "J_1", "i0": "I_0", "i1": "I_1",
    "log2": r"\log_2", "log10": r"\log_{10}", "ndtr": r"\Phi", "log_ndtr": r"\log\Phi",
    "ndtri": r"\Phi^{-1}", "real": r"\operatorname{Re}", "imag": r"\operatorname{Im}",
}  # fmt: skip
_ORDERS = {"jv": "J", "iv": "I", "kv": "K", "polygamma": r"\psi"}
_AROUND = {
    "abs": (r"\left|", r"\right|"), "floor": (r"\left\lfloor ", r"\right\rfloor "),
    "ceil": (r"\left\lceil ", r"\right\rceil "), "sqrt": (r"\sqrt{", "}"),
    "exp2": ("2^{", "}"), "conj": (r"\overline{", "}"),
}  # fmt: skip
_SUMS = {"add": r"\sum", "mul": r"\prod", "maximum": r"\max", "minimum": r"\min",
         "and_": r"\bigwedge", "or_": r"\bigvee"}  # fmt: skip


def latex(x: Any, depth: int = -1) -> str:
    r"""Return an expression as a LaTeX formula, without delimiters.

    Vectors and matrices are bold; their elementwise product is a circle. The axes of a sum over
    some axes are shown below the sign. Casts are not shown.

    Parameters
    ----------
    x
        A variable, a list or a function; several formulas are separated by commas.
    depth
        Number of levels of operations to show, -1 for all; deeper expressions are shown by name or
        as dots.

    Examples
    --------
    >>> x, W, b = T.dvector("x"), T.dmatrix("W"), T.dscalar("beta")
    >>> print(latex(T.log(1 + T.exp(-b * T.dot(W, x))).sum()))
    \sum \log\left(1 + e^{-\beta \left(\mathbf{W} \mathbf{x}\right)}\right)
    """
    out: list[str] = []
    stack: list[tuple[Piece, int]] = []
    for position, output in enumerate(as_printed(x).outputs):
        stack += [(r",\; ", 0)] * (position > 0) + [((output, 0), depth)]
    stack.reverse()
    while stack:
        piece, left = stack.pop()
        if isinstance(piece, str):
            out.append(piece)
            continue
        variable, needed = piece
        binding, pieces = _formula(variable, left)
        if binding < needed:
            pieces = [r"\left(", *pieces, r"\right)"]
        stack.extend((item, left - 1) for item in reversed(pieces))
    return printable("".join(out))


def _formula(variable: Any, depth: int) -> Formula:
    while variable.owner is not None and _is_silent(variable.owner):
        variable = variable.owner.inputs[0]
    node = variable.owner
    if node is None:
        return _leaf(variable)
    if depth == 0:
        return _ATOM, [_name(variable) if variable.name else r"\ldots "]
    for kind, formula in _FORMULAS:
        if isinstance(node.op, kind):
            result = formula(node)
            if result is not None:
                return result
    binding, pieces = _call(_operator(type(node.op).__name__), node.inputs)
    more = [f"_{{{variable.index}}}"] if len(node.outputs) > 1 else []
    return binding, [*pieces, *more]


def _is_silent(node: Apply) -> bool:
    """Return whether a node is not shown in formulas: casts, axes of length 1."""
    op: Any = node.op
    if isinstance(op, Elemwise):
        row = op.scalar_op
        return row.name == "identity" or (row.name.startswith("cast{") and "int" not in row.name)
    if not isinstance(op, DimShuffle):
        return False
    kept = [axis for axis in op.new_order if axis != "x"]
    return kept == sorted(kept)


# -- names and numbers -------------------------------------------------------------------------


def _name(variable: Any) -> str:
    """Format a name: Greek letters, subscripts after an underscore, bold for tensors."""
    base, _, below = printable_name(variable.name).partition("_")
    bold = getattr(variable, "ndim", 0) > 0
    if base in _SPELLED:
        text = f"\\boldsymbol{{{_SPELLED[base]}}}" if bold else f"{_SPELLED[base]}"
    elif len(base) == 1 and base.isalpha():
        text = f"\\mathbf{{{base}}}" if bold else base
    else:
        text = f"\\mathbf{{{_escape(base)}}}" if bold else f"\\mathrm{{{_escape(base)}}}"
    if below:
        plain = len(below) == 1 or below.isdigit()
        below = _escape(below)
        text += f"_{{{below}}}" if plain else f"_{{\\mathrm{{{below}}}}}"
    return text


def _escape(text: str) -> str:
    return "".join(_ESCAPED.get(sign, sign) for sign in text)


def _words(text: str) -> str:
    """Format words; signs that exist in formulas only begin one."""
    signs = (_ESCAPED.get(sign, sign) for sign in printable_name(text))
    inner = "".join(f"${sign}$" if sign[1:2].isalpha() else sign for sign in signs)
    return f"\\text{{{inner}}}"


def _operator(name: str) -> str:
    words = re.sub(r"\W+", " ", name).strip().rstrip("_")
    return f"\\operatorname{{{_escape(words)}}}"


def _leaf(variable: Any) -> Formula:
    if variable.name is not None:
        return _ATOM, [_name(variable)]
    if not isinstance(variable, Constant):
        return _ATOM, [_words(str(variable.type))]
    data = np.asarray(variable.data) if hasattr(variable.data, "dtype") else None
    if data is None or data.dtype == object:
        return _ATOM, [_words(str(variable.data))]
    if data.size == 1:
        return _number(data.reshape(-1)[0])
    if 0 < data.size <= 9 and data.ndim <= 2:
        rows = data.reshape(-1, 1) if data.ndim == 1 else data
        lines = [" & ".join(_number(item)[1][0] for item in row) for row in rows]  # type: ignore[misc]
        return _ATOM, [r"\begin{bmatrix}" + r" \\ ".join(lines) + r"\end{bmatrix}"]
    shape = r" \times ".join(map(str, data.shape))
    return _ATOM, [f"\\mathbf{{C}}_{{{shape}}}"]


def _number(value: Any) -> Formula:
    if value.dtype == bool:
        return _ATOM, [r"\top" if value else r"\bot"]
    text = f"{value:g}" if value == np.asarray(f"{value:g}").astype(value.dtype) else str(value)
    text = text.strip("()").removesuffix(".0")
    text = {"inf": r"\infty", "-inf": r"-\infty", "nan": r"\text{nan}"}.get(text, text)
    mantissa, e, exponent = text.partition("e")
    if e and not text.startswith("\\"):
        return _PRODUCT, [f"{mantissa} \\times 10^{{{int(exponent)}}}"]
    return (_SIGN if text.startswith("-") else _ATOM), [text]


# -- ops ---------------------------------------------------------------------------------------


def _call(name: str, operands: Any) -> Formula:
    pieces: list[Piece] = [name, r"\left("]
    for position, operand in enumerate(operands):
        pieces += [", "] if position else []
        pieces.append((operand, 0))
    return _ATOM, [*pieces, r"\right)"]


def _elemwise(node: Apply) -> Formula | None:
    name, operands = node.op.scalar_op.name, node.inputs
    if len(operands) == 1:
        return _unary(name, operands[0])
    first, second = operands[0], operands[1]
    if name in _RELATIONS:
        return _RELATION, [(first, _SUM), f" {_RELATIONS[name]} ", (second, _SUM)]
    if name in ("and_", "or_"):
        binding, sign = (_AND, r" \wedge ") if name == "and_" else (_OR, r" \vee ")
        return binding, [(first, binding), sign, (second, binding)]
    if name in ("add", "sub"):
        tight = _SUM if name == "add" else _PRODUCT
        return _SUM, [(first, _SUM), " + " if name == "add" else " - ", (second, tight)]
    if name == "mul":
        return _product(first, second)
    if name == "true_div":
        mean = _mean(node)
        if mean is not None:
            return mean
        return _PRODUCT, [r"\frac{", (first, 0), "}{", (second, 0), "}"]
    if name == "pow":
        return _POWER, [(first, _ATOM), "^{", (second, 0), "}"]
    if name == "switch":
        return _ATOM, [
            r"\begin{cases}", (second, 0), r" & \text{if } ", (first, 0), r" \\ ",
            (operands[2], 0), r" & \text{otherwise}\end{cases}",
        ]  # fmt: skip
    if name == "second":
        return _formula(second, -1)
    if name in _ORDERS:
        return _ATOM, [f"{_ORDERS[name]}_{{", (first, 0), r"}\left(", (second, 0), r"\right)"]
    return _call(_FUNCTIONS.get(name) or _operator(name), operands)


def _mean(node: Apply) -> Formula | None:
    """Return the formula of a mean, which is a sum divided by a count."""
    above = node.inputs[0]
    while above.owner is not None and _is_silent(above.owner):
        above = above.owner.inputs[0]
    op: Any = above.owner.op if above.owner is not None else None
    if not isinstance(op, CAReduce) or op.scalar_name != "add":
        return None
    (x,) = above.owner.inputs
    if not is_one_of(node.outputs[0], x.mean(axis=op.axis), x.mean(axis=op.axis, keepdims=True)):
        return None
    return _PRODUCT, [_below(r"\operatorname{mean}", op.axis, x), " ", (x, _POWER)]


def _below(sign: str, axis: Any, x: Any) -> str:
    if len(axis) == x.type.ndim:
        return sign
    return f"{sign}_{{\\text{{axis }} {', '.join(map(str, axis))}}}"


def _unary(name: str, x: Any) -> Formula:
    if name in _AROUND:
        opened, closed = _AROUND[name]
        return _ATOM, [opened, (x, 0), closed]
    if name == "neg":
        return _SIGN, ["-", (x, _PRODUCT)]
    if name == "exp":
        return _POWER, ["e^{", (x, 0), "}"]
    if name == "sqr":
        return _POWER, [(x, _ATOM), "^{2}"]
    if name == "reciprocal":
        return _PRODUCT, [r"\frac{1}{", (x, 0), "}"]
    if name == "invert" and x.type.dtype == "bool":
        return _SIGN, [r"\neg ", (x, _ATOM)]
    if name.startswith("cast{"):
        return _call(f"\\mathrm{{{name[5:-1]}}}", [x])
    return _call(_FUNCTIONS.get(name) or _operator(name), [x])


def _product(first: Any, second: Any) -> Formula:
    """Return a product, numbers first: a circle between tensors, a dot between numbers."""
    for one, other in ((first, second), (second, first)):
        if _is_one(one) and one.type.ndim <= other.type.ndim:
            return _PRODUCT, [(other, _PRODUCT)]
    both = all(any(length != 1 for length in item.type.shape) for item in (first, second))
    if _is_number(second) and not _is_number(first):
        first, second = second, first
    number = _is_number(second)
    sign = r" \odot " if both else r" \cdot " if number else " "
    return _PRODUCT, [(first, _PRODUCT), sign, (second, _POWER)]


def _is_number(variable: Any) -> bool:
    while variable.owner is not None and _is_silent(variable.owner):
        variable = variable.owner.inputs[0]
    return isinstance(variable, Constant) and variable.name is None and variable.data.size == 1


def _is_one(variable: Any) -> bool:
    """Return whether a variable is filled with ones, as the first factors of gradients are."""
    while variable.owner is not None:
        op, inputs = variable.owner.op, variable.owner.inputs
        if isinstance(op, Elemwise) and op.scalar_op.name == "second":
            variable = inputs[1]
        elif _is_silent(variable.owner):
            variable = inputs[0]
        else:
            return False
    return isinstance(variable, Constant) and bool(np.all(variable.data == 1))


def _dimshuffle(node: Apply) -> Formula | None:
    (x,), order = node.inputs, node.op.new_order  # type: ignore[attr-defined]
    if order == (1, 0):
        return _POWER, [(x, _ATOM), r"^{\top}"]
    shown = ", ".join(r"\cdot" if axis == "x" else str(axis) for axis in order)
    return _POWER, [(x, _ATOM), f"^{{({shown})}}"]


def _reduction(node: Apply) -> Formula | None:
    op: Any = node.op
    (x,) = node.inputs
    matrix = traced(node.outputs[0])
    if matrix is not None:
        return _ATOM, [r"\operatorname{tr}\left(", (matrix, 0), r"\right)"]
    sign = _SUMS.get(op.scalar_name)
    if sign is None:
        return None
    return _PRODUCT, [f"{_below(sign, op.axis, x)} ", (x, _PRODUCT)]


def _arg_reduction(node: Apply) -> Formula:
    op: Any = node.op
    which = r"\max" if op.which == "argmax" else r"\min"
    sign = f"\\arg{which}_{{\\text{{axis }} {op.axis}}} "
    return _PRODUCT, [sign, (node.inputs[0], _PRODUCT)]


def _dot(node: Apply) -> Formula:
    left, right = node.inputs
    turned = [r"^{\top}"] if left.ndim == 1 else []
    return _PRODUCT, [(left, _ATOM if turned else _PRODUCT), *turned, " ", (right, _POWER)]


def _subtensor(node: Apply) -> Formula:
    op: Any = node.op
    pieces: list[Piece] = ["{", (node.inputs[0], _ATOM), "}_{"]
    for axis, item in op.items(node):
        pieces += [", "] if axis else []
        if not isinstance(item, tuple):
            pieces.append((item, 0))
            continue
        start, stop, step = item
        pieces += [(start, 0)] if start is not None else []
        pieces += [":", (stop, 0)] if stop is not None else [":"]
        pieces += [":", (step, 0)] if step is not None else []
    return _ATOM, [*pieces, "}"]


def _gather(node: Apply) -> Formula:
    op: Any = node.op
    pieces: list[Piece] = ["{", (node.inputs[0], _ATOM), "}_{", ":, " * op.axis]
    for position, index in enumerate(op.indices_of(node)):
        pieces += [", "] if position else []
        pieces.append((written(index), 0))
    return _ATOM, [*pieces, "}"]


def _vector(node: Apply) -> Formula:
    pieces: list[Piece] = [r"\begin{bmatrix}"]
    for position, item in enumerate(node.inputs):
        pieces += [r" \\ "] if position else []
        pieces.append((item, 0))
    return _ATOM, [*pieces, r"\end{bmatrix}"]


_FORMULAS: list[tuple[type, Callable[[Apply], Formula | None]]] = [
    (Elemwise, _elemwise),
    (DimShuffle, _dimshuffle),
    (CAReduce, _reduction),
    (ArgReduce, _arg_reduction),
    (Dot, _dot),
    (MatrixInverse, lambda node: (_POWER, [(node.inputs[0], _ATOM), "^{-1}"])),
    (Det, lambda node: (_ATOM, [r"\det\left(", (node.inputs[0], 0), r"\right)"])),
    (Shape_i, lambda node: (_ATOM, [r"\dim_{", str(node.op.axis), "}", (node.inputs[0], _ATOM)])),  # type: ignore[attr-defined]
    (Subtensor, _subtensor),
    (AdvancedSubtensor, _gather),
    (BroadcastInCall, lambda node: (_ATOM, [(node.inputs[0], _ATOM)])),
    (MakeVector, _vector),
]
"""Notation of ops; other ops are printed as calls."""

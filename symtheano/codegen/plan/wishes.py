"""Names of values in code: those that the user gave, or what the values are.

They depend on names, on ops and on lines of the user's program, as the rest of the text does.
"""

from __future__ import annotations

from symtheano.codegen.plan.elements import label_of_op
from symtheano.dtypes import short_name
from symtheano.graph.variable import Apply, Variable
from symtheano.loopir.operands import Operand, Value
from symtheano.loopir.rewrite import base_name
from symtheano.lowering import Elementwise, Length, Reduction
from symtheano.tensor.elemwise import DimShuffle

_LONGEST = 24
# Rows that do not say what a value is for.
_PLAIN = frozenset(
    "add sub mul neg switch identity second cast and_ or_ invert maximum minimum eq neq".split()
)


def array_wish(variable: Variable, otherwise: str = "t") -> str:
    """Return a name for an array: the user's, or its op and what the op's line assigns to.

    Examples
    --------
    >>> h = T.tanh(T.vector("x"))
    >>> array_wish(h), array_wish(-h), array_wish(T.vector("x")), array_wish(T.vector())
    ('h_tanh', 'neg', 'x', 't')
    """
    owner = variable.owner
    if variable.name or owner is None:
        return variable.name or otherwise
    label = label_of_op(owner.op)
    line = owner.origin.assigned if owner.origin is not None else ""
    return f"{line}_{label}" if line and len(line) + len(label) < _LONGEST else label


def statistic_wish(node: Apply) -> str:
    """Return a name for a value that is made from reductions; empty if there is no telling one.

    Examples
    --------
    >>> x = T.matrix("x")
    >>> statistic_wish(T.sqrt(x.sum(1)).owner), statistic_wish((x.sum(1) + 1).owner)
    ('sqrt', '')
    """
    (output,) = node.outputs
    if output.name or not isinstance(node.op.lowering, Elementwise):
        return output.name or ""
    row = node.op.lowering.row.name.split("{")[0]
    if row in ("mul", "true_div") and len(node.inputs) == 2:
        (total, count) = map(_shown, node.inputs)
        if _summed(total) is None and row == "mul":
            total, count = count, total
        summed = _summed(total)
        if summed is not None and _is_count(count, "reciprocal" if row == "mul" else "cast"):
            term = _shown(summed).owner
            kind = None if term is None else term.op.lowering
            of_squares = isinstance(kind, Elementwise) and kind.row.name == "sqr"
            return "mean_sqr" if of_squares else "mean"
    return "" if row in _PLAIN else row


def _shown(variable: Variable) -> Variable:
    """Return the array of which a variable shows the axes in another order."""
    while variable.owner is not None and isinstance(variable.owner.op, DimShuffle):
        variable = variable.owner.inputs[0]
    return variable


def _summed(variable: Variable) -> Variable | None:
    """Return the array of which a variable is a sum; None if it is not one."""
    owner = variable.owner
    lowering = None if owner is None else owner.op.lowering
    if owner is None or not isinstance(lowering, Reduction) or lowering.row.name != "add":
        return None
    array: Variable = owner.inputs[0]
    return array


def _is_count(variable: Variable, row: str) -> bool:
    """Return whether a number is a length, converted; or 1 divided by one."""
    owner = variable.owner
    if owner is None or not isinstance(owner.op.lowering, Elementwise):
        return False
    name = owner.op.lowering.row.name.split("{")[0]
    if row == "reciprocal":
        return name == row and _is_count(_shown(owner.inputs[0]), "cast")
    lengths = [_shown(item).owner for item in owner.inputs]
    return name == "cast" and all(
        item is not None and isinstance(item.op.lowering, Length) for item in lengths
    )


def scalar_wish(node: Apply, operands: list[Operand]) -> str:
    """Return a name for a 0-d value that is computed from one other: its row and that value."""
    (output,) = node.outputs
    operand = operands[0] if len(operands) == 1 else None
    if output.name or not isinstance(operand, Value):
        return output.name or "s"
    base = base_name(operand.name)
    row = label_of_op(node.op)
    wish = f"{base}_{short_name(output.dtype)}" if row == "cast" else f"{row}_{base}"
    return wish if len(wish) < _LONGEST and base not in ("s", "v", "k") else "s"

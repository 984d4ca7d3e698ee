"""Canonical form of logic: switches, comparisons, extrema, booleans, signs of lengths."""

from __future__ import annotations

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.rewrites.match import computed_by, conform, inputs_of, real_value, scalar_value
from symtheano.rewrites.rule import Replacement, rule
from symtheano.scalar import table as scalar
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.assertion import Assert, AssertOrRaise
from symtheano.tensor.basic import constant
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.shapes.shape import Shape_i
from symtheano.tensor.variable import Tensor, TensorConstant


@rule("canonicalize", tracks=[scalar.switch])
def switch_decided(node: Apply) -> Replacement:
    """A switch with a known condition, or equal branches, is one of its branches."""
    condition, a, b = node.inputs
    if a is b:
        return conform(a, node.outputs[0])
    value = scalar_value(condition)
    return None if value is None else conform(a if value else b, node.outputs[0])


@rule("canonicalize", tracks=[scalar.switch], operands=[scalar.invert, scalar.logical_not])
def switch_on_negation(node: Apply) -> Replacement:
    """``switch(~c, a, b)`` is ``switch(c, b, a)``."""
    condition, a, b = node.inputs
    operands = inputs_of(condition, scalar.invert) or inputs_of(condition, scalar.logical_not)
    if operands is None or operands[0].dtype != "bool":
        return None
    return scalar.switch(operands[0], b, a)


@rule("canonicalize", tracks=[scalar.switch], operands=[scalar.switch])
def switch_of_switch(node: Apply) -> Replacement:
    """A nested switch with the same condition is replaced by its branch."""
    condition, a, b = node.inputs
    inner = inputs_of(a, scalar.switch)
    if inner is not None and inner[0] is condition:
        return conform(scalar.switch(condition, inner[1], b), node.outputs[0])
    inner = inputs_of(b, scalar.switch)
    if inner is not None and inner[0] is condition:
        return conform(scalar.switch(condition, a, inner[2]), node.outputs[0])
    return None


_WHERE_EQUAL = {
    scalar.eq: True, scalar.le: True, scalar.ge: True,
    scalar.neq: False, scalar.lt: False, scalar.gt: False,
}  # fmt: skip


@rule("canonicalize", tracks=list(_WHERE_EQUAL))
def compare_with_itself(node: Apply) -> Replacement:
    """An integer compared with itself is equal; a float may be NaN."""
    a, b = node.inputs
    if a is not b or not dtypes.is_discrete(a.dtype):
        return None
    answer = _WHERE_EQUAL[node.op.scalar_op]
    return conform(constant(answer), node.outputs[0])


@rule("canonicalize", tracks=[scalar.maximum, scalar.minimum, scalar.and_, scalar.or_,
                              scalar.fmax, scalar.fmin])  # fmt: skip
def idempotent(node: Apply) -> Replacement:
    """The maximum, minimum, conjunction or disjunction of equal operands is the operand."""
    a, b = node.inputs
    return a if a is b and a.dtype == node.outputs[0].dtype else None


@rule("canonicalize", tracks=[scalar.invert, scalar.logical_not],
      operands=[scalar.invert, scalar.logical_not])  # fmt: skip
def negation_of_negation(node: Apply) -> Replacement:
    """Two negations cancel."""
    row = node.op.scalar_op
    operands = inputs_of(node.inputs[0], row)
    if operands is None or operands[0].dtype != node.outputs[0].dtype:
        return None
    return operands[0]


_OPPOSITE = {scalar.eq: scalar.neq, scalar.neq: scalar.eq}
_OPPOSITE_OF_INTEGERS = {
    **_OPPOSITE, scalar.lt: scalar.ge, scalar.ge: scalar.lt, scalar.le: scalar.gt,
    scalar.gt: scalar.le,
}  # fmt: skip


@rule(
    "canonicalize", tracks=[scalar.invert, scalar.logical_not], operands=list(_OPPOSITE_OF_INTEGERS)
)
def negation_of_comparison(node: Apply) -> Replacement:
    """The negation of a comparison is the opposite comparison, except for NaN."""
    x = node.inputs[0]
    if x.dtype != "bool" or not computed_by(x, Elemwise):
        return None
    row = x.owner.op.scalar_op
    whole = all(dtypes.is_discrete(item.dtype) for item in x.owner.inputs)
    opposite: ScalarOp | None = (_OPPOSITE_OF_INTEGERS if whole else _OPPOSITE).get(row)
    return opposite(*x.owner.inputs) if opposite is not None else None


@rule("canonicalize", tracks=[scalar.and_, scalar.or_, scalar.xor, scalar.logical_and,
                              scalar.logical_or, scalar.add, scalar.mul],
      operands=[TensorConstant])  # fmt: skip
def truth_with_constant(node: Apply) -> Replacement:
    """A boolean combined with a constant is a constant or the boolean."""
    a, b = node.inputs
    if a.dtype != "bool" or b.dtype != "bool":
        return None
    value = scalar_value(b)
    if value is None:
        return None
    row = node.op.scalar_op
    if row is scalar.xor:
        return conform(~a if value else a, node.outputs[0])
    conjunction = row in (scalar.and_, scalar.logical_and, scalar.mul)
    kept = a if bool(value) == conjunction else constant(not conjunction)
    return conform(kept, node.outputs[0])


# -- lengths ------------------------------------------------------------------------------------

_SIGNLESS = (scalar.add, scalar.mul, scalar.int_div, scalar.mod, scalar.minimum, scalar.abs)


def never_negative(variable: Tensor) -> bool:
    """Return whether an integer is known to be nonnegative, from lengths and constants."""
    stack, budget = [variable], 64
    while stack:
        budget -= 1
        item = stack.pop()
        if budget == 0:
            return False
        if item.dtype in dtypes.UNSIGNED or item.dtype == "bool":
            continue
        if isinstance(item, TensorConstant):
            if not bool((item.data >= 0).all()):
                return False
            continue
        if item.owner is None:
            return False
        op = item.owner.op
        if isinstance(op, Shape_i) or op.limit(item.owner, item.index or 0) is not None:
            continue
        if not isinstance(op, Elemwise) or item.dtype != "int64":
            return False
        row, inputs = op.scalar_op, item.owner.inputs
        if row is scalar.abs:
            return False
        if row in _SIGNLESS:
            stack.extend(inputs)
        elif row is scalar.switch:
            stack.extend(inputs[1:])
        elif row is scalar.maximum:
            bound = real_value(inputs[1])
            stack.append(inputs[0] if bound is None or bound < 0 else inputs[1])
        elif row.name.startswith("cast{"):
            stack.extend(inputs)
        else:
            return False
    return True


@rule(
    "canonicalize", tracks=[scalar.lt, scalar.ge, scalar.gt, scalar.le], operands=[TensorConstant]
)
def compare_length_with_zero(node: Apply) -> Replacement:
    """A length is never negative, so comparisons with zero are removed."""
    a, b = node.inputs
    row = node.op.scalar_op
    if not dtypes.is_discrete(a.dtype) or not dtypes.is_discrete(b.dtype):
        return None
    value = real_value(b)
    if value is not None:
        decided = (row is scalar.lt and value <= 0) or (row is scalar.ge and value <= 0)
        decided = decided or (row in (scalar.le, scalar.gt) and value < 0)
        if decided and never_negative(a):
            return conform(constant(row in (scalar.ge, scalar.gt)), node.outputs[0])
        return None
    value = real_value(a)
    if value is None:
        return None
    decided = (row is scalar.gt and value <= 0) or (row is scalar.le and value <= 0)
    decided = decided or (row in (scalar.lt, scalar.ge) and value < 0)
    if decided and never_negative(b):
        return conform(constant(row in (scalar.le, scalar.lt)), node.outputs[0])
    return None


@rule("canonicalize", tracks=[scalar.maximum, scalar.minimum], operands=[TensorConstant])
def bound_length_by_zero(node: Apply) -> Replacement:
    """``maximum(n, 0)`` of a length is the length, and ``minimum(n, 0)`` zero."""
    a, b = node.inputs
    value = real_value(b)
    if value is None or not dtypes.is_discrete(a.dtype) or a.dtype != b.dtype:
        return None
    if value > 0 or not never_negative(a):
        return None
    return conform(a if node.op.scalar_op is scalar.maximum else b, node.outputs[0])


@rule("canonicalize", tracks=[scalar.minimum, scalar.maximum], operands=[scalar.add])
def bound_length_by_longer(node: Apply) -> Replacement:
    """The minimum of n and ``n + k`` is n, if k is a length."""
    a, b = node.inputs
    if a.dtype != "int64":
        return None
    smallest = node.op.scalar_op is scalar.minimum
    for short, long in ((a, b), (b, a)):
        terms = inputs_of(long, scalar.add)
        if terms is None or not any(term is short for term in terms):
            continue
        other = terms[1] if terms[0] is short else terms[0]
        if never_negative(other) and never_negative(short):
            return conform(short if smallest else long, node.outputs[0])
    return None


@rule("canonicalize", tracks=[Assert, AssertOrRaise])
def conditions_that_hold(node: Apply) -> Replacement:
    """A condition that is known to be true is not checked."""
    value, *conditions = node.inputs
    unknown = [item for item in conditions if not scalar_value(item)]
    if len(unknown) == len(conditions):
        return None
    return node.op(value, *unknown) if unknown else value  # type: ignore[no-any-return]

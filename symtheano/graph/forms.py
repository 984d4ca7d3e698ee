"""Forms of ops: the ways in which a class of ops declares what it computes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

# A class declares its loops in one of these ways, which ``Op.form`` names:
#
#   elemwise   scalar_op                                 one row of the scalar table, for each
#                                                        element
#   reduction, locate, length                            CAReduce, ArgReduce, Shape_i
#   relabel    axis_map(node)                            the first input, its axes reordered or
#                                                        repeated
#   view       view(node, operand, scalars, shape)       another index map over the first
#                                                        input's buffer
#   element    element(b, node, index, read, scalars)    one element, from its index and input
#                                                        elements
#   scatter    destination, outer_axes, put              see AdvancedIncSubtensor
#   parts      parts, put_inputs, put                    inputs stored in views of the output:
#                                                        see Join
#   whole      lower(b, node, inputs, outputs, scalars)  statements on whole arrays
#   region     region, lower(..., body)                  statements around those of a graph
#              branches, lower(..., bodies)              the same for several graphs
#   python                                               calls of ``perform``
Form = Literal[
    "elemwise", "reduction", "locate", "length", "relabel", "view", "element", "scatter", "parts",
    "whole", "region", "python",
]  # fmt: skip
"""How an op declares what it computes."""

REDUCTIONS: tuple[Form, ...] = ("reduction", "locate")
"""The forms of ops that reduce axes of their operand."""
PUTS: tuple[Form, ...] = ("scatter", "parts")
"""The forms of ops that put values into their result."""

_DECLARED: dict[str, Form] = {
    "axis_map": "relabel", "view": "view", "element": "element", "destination": "scatter",
    "parts": "parts", "lower": "whole",
}  # fmt: skip


def declared_form(names: Iterable[str]) -> Form | None:
    """Return the form that a class with definitions of these names declares, if any.

    Examples
    --------
    >>> declared_form(["infer", "element"])
    'element'
    """
    known = set(names)
    return next((form for name, form in _DECLARED.items() if name in known), None)

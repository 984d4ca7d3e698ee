"""Forms of ops: the ways in which a class of ops declares what it computes."""

from __future__ import annotations

from typing import Any, Literal

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


class DeclaredForm:
    """What a class of ops declares of its loops, apart from the methods that write them."""

    # A class declares its loops in one of these ways, which ``form`` names:
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
    #   python                                               calls of ``perform``
    #
    # ``scalars(node, shapes)`` names integers (0-d variables) that they need. ``accepts(k, view)``
    # rejects layouts of the k-th input, which is then copied. ``overwrites`` is the index of the
    # input whose content is the initial value of the first output; ``starts`` tells it for all
    # outputs. ``may_fail`` means that the statements of ``lower`` can end the call with an error,
    # so nothing is updated before them. ``has_workspace`` means that they call routines that need
    # one; its size depends on lengths of the inputs and outputs and on the scalars.
    # ``takes_epilogue`` means that they call one routine that takes an epilogue for rows of the
    # only output, to which nothing is written after them.
    # ``region`` is a FunctionGraph, and ``body`` writes it: codegen/region.py. ``carried`` tells
    # for each output of the graph which input it replaces in the next iteration. ``alternative`` is
    # the index of an array that a view may show instead of its first input.

    form: Form
    scalar_op: Any
    overwrites: int | None = None
    alternative: int | None = None
    region: Any = None
    may_fail: bool = False
    has_workspace: bool = False
    takes_epilogue: bool = False

    def starts(self) -> dict[int, int]:
        """Return for outputs that start from an input's content the index of this input."""
        return {} if self.overwrites is None else {0: self.overwrites}

    def carried(self) -> list[int | None]:
        """Return for each output of ``region`` the input that it replaces in the next iteration."""
        raise NotImplementedError(f"{self} has no region")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = vars(cls)
        declared = [form for name, form in _DECLARED.items() if name in own]
        if declared and "form" not in own:
            cls.form = declared[0]

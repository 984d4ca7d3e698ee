"""Large constants that compiled code takes as inputs."""

from __future__ import annotations

from symtheano.graph.variable import Constant, Variable


class Lifted(Variable):
    """An input of compiled code in the place of a large constant, whose numbers no code holds.

    Attributes
    ----------
    data
        The constant's value.
    """

    __slots__ = ("data",)

    def __init__(self, constant: Constant) -> None:
        super().__init__(constant.type, name=constant.name or "table")
        self.data = constant.data

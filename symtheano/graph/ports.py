"""Where the inputs of a compiled function come from, and where its results are stored."""

from __future__ import annotations

from typing import Any, NamedTuple

from symtheano.graph.claims import Value
from symtheano.graph.shared import Container


class Port(NamedTuple):
    """One input of an entry point: an argument, a shared value, or a constant.

    Attributes
    ----------
    type
        The type of the arrays it takes.
    argument
        Position among the arguments of a call.
    container
        The container of its value, or of the argument's default.
    constant
        Its constant value.
    """

    type: Any
    argument: int | None = None
    container: Container | None = None
    constant: Value = None


class Ports(NamedTuple):
    """All inputs and results of a function.

    Attributes
    ----------
    inputs
        In the order of the entry point.
    arguments
        Number of arguments of a call.
    returned
        Number of results, from the first one, that are returned to the caller.
    stores
        For each result, the container in which it is stored, or None.
    """

    inputs: tuple[Port, ...]
    arguments: int
    returned: int
    stores: tuple[Container | None, ...]

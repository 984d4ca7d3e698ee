"""Where the inputs of a compiled function come from, and where its results go."""

from __future__ import annotations

from typing import Any, NamedTuple

from symtheano.graph.shared import Container


class Port(NamedTuple):
    """One input of an entry point. One of ``argument``, ``container``, ``constant`` is given.

    Attributes
    ----------
    type
        The type of the arrays it takes.
    argument
        Number of the call's argument that it is.
    container
        Where its value is kept from call to call.
    constant
        Its value, the same in every call.
    """

    type: Any
    argument: int | None = None
    container: Container | None = None
    constant: Any = None


class Ports(NamedTuple):
    """All inputs and results of a function.

    Attributes
    ----------
    inputs
        In the order of the entry point.
    arguments
        Number of arguments of a call.
    returned
        How many of the results, from the first, the caller gets.
    stores
        For each result the container whose value it becomes, or None.
    """

    inputs: tuple[Port, ...]
    arguments: int
    returned: int
    stores: tuple[Container | None, ...]

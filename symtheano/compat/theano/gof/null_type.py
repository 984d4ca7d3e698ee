"""The type of gradients that are undefined."""

from __future__ import annotations

from typing import Any

from symtheano.graph.type import NullType as NullType

null_type = NullType()


def NullVariable(why: str = "(no explanation given)") -> Any:
    """Return a gradient that is undefined, for the given reason."""
    return NullType(why)()

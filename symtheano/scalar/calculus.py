"""Helper functions for derivatives."""

from __future__ import annotations

from typing import Any

from symtheano import dtypes
from symtheano.graph.type import NullType
from symtheano.graph.variable import Variable


def number(like: Any, value: float) -> Any:
    """Return ``value`` as a constant of the dtype of ``like``, which avoids promotion."""
    return like.constant_like(value)


def is_complex(variable: Any) -> bool:
    """Return whether a variable is complex."""
    return dtypes.is_complex(variable.type.dtype)


def is_discrete(variable: Any) -> bool:
    """Return whether a variable is an integer or bool, which has no derivatives."""
    return dtypes.is_discrete(variable.type.dtype)


def undefined(why: str) -> Variable:
    """Return an undefined gradient; using it raises an error with the reason ``why``."""
    return Variable(NullType(why))


def flat(g: Any, y: Any, *operands: Any) -> list[None]:
    """Pull back through a function that is constant between jumps: the gradient is zero."""
    return [None] * len(operands)

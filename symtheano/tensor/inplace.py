"""Theano's in-place functions by name: each is the plain function, since the compiler decides.

What Theano's programs ask for with ``exp_inplace(x)`` the memory planner does wherever nobody else
reads ``x`` any more, and never where somebody does.
"""

from __future__ import annotations

from typing import Any

_SUFFIX = "_inplace"


def __getattr__(name: str) -> Any:
    """Give ``f`` for ``f_inplace``."""
    import symtheano.tensor as face

    plain = name.removesuffix(_SUFFIX)
    if plain == name or not hasattr(face, plain):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(face, plain)

"""Theano's in-place functions: here they are aliases of the plain functions.

The memory planner computes ``exp(x)`` in place if ``x`` is not used afterwards.
"""

from __future__ import annotations

from typing import Any

from symtheano.names import MissingName

_SUFFIX = "_inplace"


def __getattr__(name: str) -> Any:
    """Return ``f`` for ``f_inplace``."""
    import symtheano.tensor as face

    plain = name.removesuffix(_SUFFIX)
    if plain == name or not hasattr(face, plain):
        raise MissingName(__name__, name)
    return getattr(face, plain)

"""Draws of random numbers in pickles."""

from __future__ import annotations

from typing import Any

from symtheano.compat.pickles.records import Record, raw_random, type_of
from symtheano.tensor.random.mrg_op import MRGUniform


def drawn(op: Record, state: Any, size: Any, *arguments: Any) -> Any:
    """Return a state and the numbers that a method of ``RandomState`` draws; None if it can't."""
    module, function = raw_random(), op.get("fn")
    if module is None:
        return None
    if isinstance(function, type) and issubclass(function, Record):
        function = getattr(module, function._theano.rpartition(".")[2])
    own = module.RandomFunction(
        function, type_of(op.get("outtype")), ndim_added=op.get("ndim_added", 0)
    )
    return own(state, size, *arguments)


def uniform(op: Record, states: Any, size: Any) -> Any:
    """Return states and the numbers that streams of MRG31k3p draw."""
    kind: Any = type_of(op.get("output_type"))
    return MRGUniform(kind.dtype)(states, *(size[axis] for axis in range(kind.ndim)))

"""Theano's module of the same name: the ops of ``x[key]``, and functions on parts of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor, AdvancedSubtensor
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor
from symtheano.tensor.indexing.subtensor import inc_subtensor, set_subtensor, take

__all__ = [
    "AdvancedIncSubtensor", "AdvancedSubtensor", "IncSubtensor", "Subtensor", "inc_subtensor",
    "set_subtensor", "take",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

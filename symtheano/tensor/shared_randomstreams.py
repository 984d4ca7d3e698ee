"""Theano's module of the same name: random variables with NumPy's numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.random.state import RandomStateSharedVariable, randomstate_constructor
from symtheano.tensor.random.streams import RandomStreams

__all__ = ["RandomStateSharedVariable", "RandomStreams", "randomstate_constructor"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

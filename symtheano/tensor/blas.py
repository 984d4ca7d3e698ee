"""Theano's module of the same name: products of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.linalg.batched import batched_dot
from symtheano.tensor.linalg.dot import BatchedDot, Dot, dot, outer, tensordot

__all__ = ["BatchedDot", "Dot", "batched_dot", "dot", "outer", "tensordot"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

"""Theano's module of the same name: sorting, and the largest items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.sorting.sort import (
    argpartition,
    argsort,
    argtopk,
    lexsort,
    partition,
    sort,
    topk,
    topk_and_argtopk,
)

__all__ = [
    "argpartition", "argsort", "argtopk", "lexsort", "partition", "sort", "topk",
    "topk_and_argtopk",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

"""The functions of Theano's module with this name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.creation.diagonals import fill_diagonal, fill_diagonal_offset
from symtheano.tensor.creation.grids import bartlett
from symtheano.tensor.indexing.positions import ravel_multi_index, unravel_index
from symtheano.tensor.indexing.selection import compress
from symtheano.tensor.reductions.cumulative import CumOp, cumprod, cumsum, diff
from symtheano.tensor.shapes.axes import squeeze
from symtheano.tensor.shapes.repetition import RepeatOp, repeat
from symtheano.tensor.sorting.counting import (
    Bincount,
    SearchSorted,
    bincount,
    searchsorted,
    to_one_hot,
)
from symtheano.tensor.sorting.distinct import Unique, unique

__all__ = [
    "Bincount", "CumOp", "RepeatOp", "SearchSorted", "Unique", "bartlett", "bincount", "compress",
    "cumprod", "cumsum", "diff", "fill_diagonal", "fill_diagonal_offset", "ravel_multi_index",
    "repeat", "searchsorted", "squeeze", "to_one_hot", "unique", "unravel_index",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

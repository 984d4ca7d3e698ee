"""The functions of Theano's module with this name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.axes import squeeze
from symtheano.tensor.counting import Bincount, SearchSorted, bincount, searchsorted, to_one_hot
from symtheano.tensor.cumulative import CumOp, cumprod, cumsum, diff
from symtheano.tensor.diagonals import fill_diagonal, fill_diagonal_offset
from symtheano.tensor.distinct import Unique, unique
from symtheano.tensor.grids import bartlett
from symtheano.tensor.positions import ravel_multi_index, unravel_index
from symtheano.tensor.repetition import RepeatOp, repeat
from symtheano.tensor.selection import compress

__all__ = [
    "Bincount", "CumOp", "RepeatOp", "SearchSorted", "Unique", "bartlett", "bincount", "compress",
    "cumprod", "cumsum", "diff", "fill_diagonal", "fill_diagonal_offset", "ravel_multi_index",
    "repeat", "searchsorted", "squeeze", "to_one_hot", "unique", "unravel_index",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

"""Theano's module of the same name, with functions of ``scipy.linalg``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.linalg.cholesky import Cholesky, cho_solve, cholesky
from symtheano.tensor.linalg.eigen import Eigvalsh, eigvalsh
from symtheano.tensor.linalg.expm import Expm, expm
from symtheano.tensor.linalg.lu import LU, lu
from symtheano.tensor.linalg.products import kron
from symtheano.tensor.linalg.solve import (
    Solve,
    solve,
    solve_lower_triangular,
    solve_symmetric,
    solve_triangular,
    solve_upper_triangular,
)

__all__ = [
    "LU", "Cholesky", "Eigvalsh", "Expm", "Solve", "cho_solve", "cholesky", "eigvalsh", "expm",
    "kron", "lu", "solve", "solve_lower_triangular", "solve_symmetric", "solve_triangular",
    "solve_upper_triangular",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

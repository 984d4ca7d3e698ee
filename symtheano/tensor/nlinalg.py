"""Theano's module of the same name, with functions of ``numpy.linalg``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.linalg.determinants import Det, det, slogdet
from symtheano.tensor.linalg.eigen import Eig, Eigh, eig, eigh, eigvals
from symtheano.tensor.linalg.inverse import MatrixInverse, MatrixPinv, inv, matrix_inverse, pinv
from symtheano.tensor.linalg.lstsq import Lstsq, lstsq
from symtheano.tensor.linalg.norms import cond, matrix_rank, norm
from symtheano.tensor.linalg.products import matrix_dot, matrix_power, multi_dot, trace
from symtheano.tensor.linalg.qr import QR, qr
from symtheano.tensor.linalg.svd import SVD, svd
from symtheano.tensor.linalg.tensors import tensorinv, tensorsolve

__all__ = [
    "QR", "SVD", "Det", "Eig", "Eigh", "Lstsq", "MatrixInverse", "MatrixPinv", "cond", "det",
    "eig", "eigh", "eigvals", "inv", "lstsq", "matrix_dot", "matrix_inverse", "matrix_power",
    "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "svd", "tensorinv",
    "tensorsolve", "trace",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

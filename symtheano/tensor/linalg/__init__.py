"""Linear algebra: the functions of ``numpy.linalg``, and those of ``scipy.linalg`` that exist here.

All functions work on the last two axes. Other axes are batches, as in NumPy. A call raises
``numpy.linalg.LinAlgError`` if there is no result: a matrix is singular or not positive definite,
or an iteration does not converge. If a matrix contains NaN, the result is NaN or a call raises an
error. If NumPy and SciPy have different arguments for a function, those of NumPy are used. Theano's
names are in ``nlinalg`` and ``slinalg``.
"""

# mypy: implicit-reexport

from typing import TYPE_CHECKING

from symtheano.names import late

if TYPE_CHECKING:
    from symtheano.tensor.linalg.lazy import *  # noqa: F403 (written from the table below)

    # To jedi, submodules come before names from *.
    from symtheano.tensor.linalg.lazy import (
        cholesky as cholesky,
        dot as dot,
        einsum as einsum,
        expm as expm,
        lstsq as lstsq,
        lu as lu,
        matmul as matmul,
        qr as qr,
        schur as schur,
        solve as solve,
        svd as svd,
    )
else:
    __getattr__, __dir__, __all__ = late(
        __name__,
        {
            "tensor.linalg.batched": "batched_dot batched_tensordot",
            "tensor.linalg.cholesky": "cho_solve cholesky",
            "tensor.linalg.determinants": "det slogdet",
            "tensor.linalg.dot": "dot outer tensordot",
            "tensor.linalg.eigen": "eig eigh eigvals",
            "tensor.linalg.einsum": "einsum",
            "tensor.linalg.expm": "expm",
            "tensor.linalg.inverse": "inv pinv",
            "tensor.linalg.lstsq": "lstsq",
            "tensor.linalg.lu": "lu",
            "tensor.linalg.matmul": "matmul",
            "tensor.linalg.norms": "cond matrix_rank norm",
            "tensor.linalg.products": "inner kron matrix_dot matrix_power multi_dot trace vdot",
            "tensor.linalg.qr": "qr",
            "tensor.linalg.schur": "ordqz qz schur",
            "tensor.linalg.solve": "solve solve_triangular",
            "tensor.linalg.standard": "LinAlgError block_diag cross diagonal eigvalsh matrix_norm "
            "matrix_transpose svdvals vecdot vector_norm",
            "tensor.linalg.structured": "circulant companion convolution_matrix hankel khatri_rao "
            "solve_continuous_lyapunov solve_discrete_lyapunov solve_sylvester toeplitz",
            "tensor.linalg.svd": "svd",
            "tensor.linalg.tensors": "tensorinv tensorsolve",
            "tensor.linalg.tridiagonal": "tridiagonal_lu_factor tridiagonal_lu_solve",
        },
    )

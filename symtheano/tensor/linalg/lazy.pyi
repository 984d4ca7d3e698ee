"""Names of symtheano.tensor.linalg that are imported or made on first access, for type checkers.

Written from the package's tables by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from symtheano.tensor.linalg.batched import (
    batched_dot as batched_dot, batched_tensordot as batched_tensordot,
)
from symtheano.tensor.linalg.cholesky import cho_solve as cho_solve, cholesky as cholesky
from symtheano.tensor.linalg.determinants import det as det, slogdet as slogdet
from symtheano.tensor.linalg.dot import dot as dot, outer as outer, tensordot as tensordot
from symtheano.tensor.linalg.eigen import eig as eig, eigh as eigh, eigvals as eigvals
from symtheano.tensor.linalg.einsum import einsum as einsum
from symtheano.tensor.linalg.expm import expm as expm
from symtheano.tensor.linalg.inverse import inv as inv, pinv as pinv
from symtheano.tensor.linalg.lstsq import lstsq as lstsq
from symtheano.tensor.linalg.lu import lu as lu
from symtheano.tensor.linalg.matmul import matmul as matmul
from symtheano.tensor.linalg.norms import cond as cond, matrix_rank as matrix_rank, norm as norm
from symtheano.tensor.linalg.products import (
    inner as inner, kron as kron, matrix_dot as matrix_dot, matrix_power as matrix_power,
    multi_dot as multi_dot, trace as trace, vdot as vdot,
)
from symtheano.tensor.linalg.qr import qr as qr
from symtheano.tensor.linalg.schur import ordqz as ordqz, qz as qz, schur as schur
from symtheano.tensor.linalg.solve import solve as solve, solve_triangular as solve_triangular
from symtheano.tensor.linalg.standard import (
    LinAlgError as LinAlgError, block_diag as block_diag, cross as cross, diagonal as diagonal,
    eigvalsh as eigvalsh, matrix_norm as matrix_norm, matrix_transpose as matrix_transpose,
    svdvals as svdvals, vecdot as vecdot, vector_norm as vector_norm,
)
from symtheano.tensor.linalg.structured import (
    circulant as circulant, companion as companion, convolution_matrix as convolution_matrix,
    hankel as hankel, khatri_rao as khatri_rao,
    solve_continuous_lyapunov as solve_continuous_lyapunov,
    solve_discrete_lyapunov as solve_discrete_lyapunov, solve_sylvester as solve_sylvester,
    toeplitz as toeplitz,
)
from symtheano.tensor.linalg.svd import svd as svd
from symtheano.tensor.linalg.tensors import tensorinv as tensorinv, tensorsolve as tensorsolve
from symtheano.tensor.linalg.tridiagonal import (
    tridiagonal_lu_factor as tridiagonal_lu_factor, tridiagonal_lu_solve as tridiagonal_lu_solve,
)

__all__: list[str] = [
    "LinAlgError", "batched_dot", "batched_tensordot", "block_diag", "cho_solve", "cholesky",
    "circulant", "companion", "cond", "convolution_matrix", "cross", "det", "diagonal", "dot",
    "eig", "eigh", "eigvals", "eigvalsh", "einsum", "expm", "hankel", "inner", "inv", "khatri_rao",
    "kron", "lstsq", "lu", "matmul", "matrix_dot", "matrix_norm", "matrix_power", "matrix_rank",
    "matrix_transpose", "multi_dot", "norm", "ordqz", "outer", "pinv", "qr", "qz", "schur",
    "slogdet", "solve", "solve_continuous_lyapunov", "solve_discrete_lyapunov", "solve_sylvester",
    "solve_triangular", "svd", "svdvals", "tensordot", "tensorinv", "tensorsolve", "toeplitz",
    "trace", "tridiagonal_lu_factor", "tridiagonal_lu_solve", "vdot", "vecdot", "vector_norm",
]

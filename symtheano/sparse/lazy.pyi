"""Names of symtheano.sparse that are imported or made on first access, for type checkers.

Written from the package's tables by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from symtheano.sparse.arithmetic import (
    add as add, add_s_d as add_s_d, add_s_s as add_s_s, add_s_s_data as add_s_s_data,
    col_scale as col_scale, mul as mul, mul_s_d as mul_s_d, mul_s_v as mul_s_v,
    row_scale as row_scale, structured_add_s_v as structured_add_s_v, sub as sub,
)
from symtheano.sparse.basic import (
    as_sparse as as_sparse, as_sparse_or_tensor_variable as as_sparse_or_tensor_variable,
    constant as constant, csc_dmatrix as csc_dmatrix, csc_fmatrix as csc_fmatrix,
    csc_matrix as csc_matrix, csr_dmatrix as csr_dmatrix, csr_fmatrix as csr_fmatrix,
    csr_matrix as csr_matrix, matrix as matrix, shared as shared,
)
from symtheano.sparse.comparison import (
    eq as eq, equal_s_d as equal_s_d, equal_s_s as equal_s_s, ge as ge,
    greater_equal_s_d as greater_equal_s_d, greater_equal_s_s as greater_equal_s_s,
    greater_than_s_d as greater_than_s_d, greater_than_s_s as greater_than_s_s, gt as gt, le as le,
    less_equal_s_d as less_equal_s_d, less_equal_s_s as less_equal_s_s,
    less_than_s_d as less_than_s_d, less_than_s_s as less_than_s_s, lt as lt, neq as neq,
    not_equal_s_d as not_equal_s_d, not_equal_s_s as not_equal_s_s,
)
from symtheano.sparse.convert import (
    SparseFromDense as SparseFromDense, clean as clean, csc_from_dense as csc_from_dense,
    csr_from_dense as csr_from_dense, ensure_sorted_indices as ensure_sorted_indices,
    hstack as hstack, remove0 as remove0, sum_duplicates as sum_duplicates, to_format as to_format,
    transpose as transpose, vstack as vstack,
)
from symtheano.sparse.csm import (
    CSC as CSC, CSM as CSM, CSR as CSR, as_sparse_variable as as_sparse_variable,
    csm_data as csm_data, csm_indices as csm_indices, csm_indptr as csm_indptr,
    csm_properties as csm_properties, csm_shape as csm_shape,
)
from symtheano.sparse.dense import (
    dense_from_sparse as dense_from_sparse, diag as diag, dot as dot, sp_sum as sp_sum,
    true_dot as true_dot,
)
from symtheano.sparse.diagonals import square_diagonal as square_diagonal
from symtheano.sparse.elementwise import (
    Cast as Cast, arcsin as arcsin, arcsinh as arcsinh, arctan as arctan, arctanh as arctanh,
    bcast as bcast, ccast as ccast, ceil as ceil, conj as conj, dcast as dcast, deg2rad as deg2rad,
    expm1 as expm1, fcast as fcast, floor as floor, icast as icast, lcast as lcast, log1p as log1p,
    rad2deg as rad2deg, rint as rint, sgn as sgn, sin as sin, sinh as sinh,
    sp_ones_like as sp_ones_like, sp_zeros_like as sp_zeros_like, sqr as sqr, sqrt as sqrt,
    structured_abs as structured_abs, structured_add as structured_add,
    structured_exp as structured_exp, structured_log as structured_log,
    structured_maximum as structured_maximum, structured_minimum as structured_minimum,
    structured_monoid as structured_monoid, structured_pow as structured_pow,
    structured_sigmoid as structured_sigmoid, tan as tan, tanh as tanh, trunc as trunc,
    wcast as wcast, zcast as zcast,
)
from symtheano.sparse.forms import (
    DenseFromSparse as DenseFromSparse, EnsureSortedIndices as EnsureSortedIndices,
    HStack as HStack, Remove0 as Remove0, SpSum as SpSum, TrueDot as TrueDot, VStack as VStack,
)
from symtheano.sparse.indexing import (
    construct_sparse_from_list as construct_sparse_from_list, get_item_2d as get_item_2d,
    get_item_2lists as get_item_2lists, get_item_list as get_item_list,
    get_item_scalar as get_item_scalar, sparse_grad as sparse_grad,
)
from symtheano.sparse.linear import cast as cast, neg as neg
from symtheano.sparse.product import (
    sampling_dot as sampling_dot, structured_dot as structured_dot,
    structured_dot_grad as structured_dot_grad, usmm as usmm,
)
from symtheano.sparse.scaled import mul_s_s as mul_s_s
from symtheano.sparse.type import SparseType as SparseType

__all__: list[str] = [
    "CSC", "CSM", "CSR", "Cast", "DenseFromSparse", "EnsureSortedIndices", "HStack", "Remove0",
    "SpSum", "SparseFromDense", "SparseType", "TrueDot", "VStack", "add", "add_s_d", "add_s_s",
    "add_s_s_data", "arcsin", "arcsinh", "arctan", "arctanh", "as_sparse",
    "as_sparse_or_tensor_variable", "as_sparse_variable", "bcast", "cast", "ccast", "ceil", "clean",
    "col_scale", "conj", "constant", "construct_sparse_from_list", "csc_dmatrix", "csc_fmatrix",
    "csc_from_dense", "csc_matrix", "csm_data", "csm_indices", "csm_indptr", "csm_properties",
    "csm_shape", "csr_dmatrix", "csr_fmatrix", "csr_from_dense", "csr_matrix", "dcast", "deg2rad",
    "dense_from_sparse", "diag", "dot", "ensure_sorted_indices", "eq", "equal_s_d", "equal_s_s",
    "expm1", "fcast", "floor", "ge", "get_item_2d", "get_item_2lists", "get_item_list",
    "get_item_scalar", "greater_equal_s_d", "greater_equal_s_s", "greater_than_s_d",
    "greater_than_s_s", "gt", "hstack", "icast", "lcast", "le", "less_equal_s_d", "less_equal_s_s",
    "less_than_s_d", "less_than_s_s", "log1p", "lt", "matrix", "mul", "mul_s_d", "mul_s_s",
    "mul_s_v", "neg", "neq", "not_equal_s_d", "not_equal_s_s", "rad2deg", "remove0", "rint",
    "row_scale", "sampling_dot", "sgn", "shared", "sin", "sinh", "sp_ones_like", "sp_sum",
    "sp_zeros_like", "sparse_grad", "sqr", "sqrt", "square_diagonal", "structured_abs",
    "structured_add", "structured_add_s_v", "structured_dot", "structured_dot_grad",
    "structured_exp", "structured_log", "structured_maximum", "structured_minimum",
    "structured_monoid", "structured_pow", "structured_sigmoid", "sub", "sum_duplicates", "tan",
    "tanh", "to_format", "transpose", "true_dot", "trunc", "usmm", "vstack", "wcast", "zcast",
]

"""Sparse matrices in SciPy's compressed formats, csr and csc, under Theano's names.

Compiled code uses the components of a sparse matrix. These are dense vectors: the stored elements,
their indices, and the positions at which rows or columns begin.
"""

# Users import from here what is imported here.
# mypy: implicit-reexport

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from symtheano.names import MissingName
from symtheano.sparse.variable import SparseConstant, SparseSharedVariable, SparseVariable

_MODULES = {
    "arithmetic": "add add_s_d add_s_s add_s_s_data col_scale mul mul_s_d mul_s_v "
    "row_scale structured_add_s_v sub",
    "basic": "as_sparse as_sparse_or_tensor_variable constant csc_dmatrix csc_fmatrix csc_matrix "
    "csr_dmatrix csr_fmatrix csr_matrix matrix shared",
    "comparison": "eq equal_s_d equal_s_s ge greater_equal_s_d greater_equal_s_s greater_than_s_d "
    "greater_than_s_s gt le less_equal_s_d less_equal_s_s less_than_s_d less_than_s_s lt neq "
    "not_equal_s_d not_equal_s_s",
    "convert": "SparseFromDense clean csc_from_dense csr_from_dense "
    "ensure_sorted_indices hstack remove0 sum_duplicates to_format transpose vstack",
    "csm": "CSC CSM CSR as_sparse_variable csm_data csm_indices csm_indptr csm_properties "
    "csm_shape",
    "dense": "dense_from_sparse diag dot sp_sum true_dot",
    "diagonals": "square_diagonal",
    "product": "sampling_dot structured_dot structured_dot_grad usmm",
    "linear": "cast neg",
    "elementwise": "Cast arcsin arcsinh arctan arctanh bcast ccast ceil conj dcast deg2rad "
    "expm1 fcast floor icast lcast log1p rad2deg rint sgn sin sinh sp_ones_like sp_zeros_like "
    "sqr sqrt structured_abs structured_add structured_exp structured_log structured_maximum "
    "structured_minimum structured_monoid structured_pow structured_sigmoid tan tanh trunc wcast "
    "zcast",
    "forms": "DenseFromSparse EnsureSortedIndices HStack Remove0 SpSum TrueDot VStack",
    "indexing": "construct_sparse_from_list get_item_2d get_item_2lists get_item_list "
    "get_item_scalar sparse_grad",
    "scaled": "mul_s_s",
    "type": "SparseType",
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names.split()}

enable_sparse = True
"""For Theano programs, which test whether SciPy is installed; it always is."""

# True to mypy, which reads only literals of ``__all__``, so ``import *`` would lack the names of
# the stub. Without the list, it exports all public names.
MYPY = False

if not MYPY:
    __all__ = ["SparseConstant", "SparseSharedVariable", "SparseVariable", "enable_sparse"]


if TYPE_CHECKING:
    from symtheano.sparse import lazy as _lazy
    from symtheano.sparse.lazy import *  # noqa: F403 (written from the tables above)

    if not MYPY:
        __all__ += _lazy.__all__
else:
    __all__ += _WHERE

    def __getattr__(name: str) -> Any:
        """Import a name on first access."""
        if name not in _WHERE:
            raise MissingName(__name__, name)
        attribute = globals()[name] = getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
        return attribute


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(globals()["__all__"])

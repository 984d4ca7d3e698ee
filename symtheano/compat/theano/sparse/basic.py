"""``theano.sparse.basic``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse

import symtheano.sparse as _S
from symtheano import Variable
from symtheano.compat.op_classes import op_class
from symtheano.sparse import *
from symtheano.sparse.csm import CSMProperties
from symtheano.sparse.dense import Diag as _Diag, Dot as _Dot
from symtheano.sparse.linear import Neg as _Neg, Transpose as _Transpose
from symtheano.tensor import all_dtypes as _dtypes

sparse_formats = ["csc", "csr"]
_mtypes = [scipy.sparse.csc_matrix, scipy.sparse.csr_matrix]
_mtype_to_str = {scipy.sparse.csc_matrix: "csc", scipy.sparse.csr_matrix: "csr"}

all_dtypes = {name for name in _dtypes if name not in ("bool", "float16")}
complex_dtypes = [name for name in sorted(all_dtypes) if name.startswith("complex")]
float_dtypes = [name for name in sorted(all_dtypes) if name.startswith("float")]
int_dtypes = [name for name in sorted(all_dtypes) if name.startswith("int")]
uint_dtypes = [name for name in sorted(all_dtypes) if name.startswith("uint")]
integer_dtypes = discrete_dtypes = int_dtypes + uint_dtypes
continuous_dtypes = complex_dtypes + float_dtypes


def _is_sparse_variable(x: Any) -> bool:
    """Return whether a variable is a sparse matrix."""
    if not isinstance(x, Variable):
        raise NotImplementedError(f"expected a variable, got {type(x).__name__}")
    return isinstance(x.type, _S.SparseType)


def _is_dense_variable(x: Any) -> bool:
    """Return whether a variable is a dense array."""
    return not _is_sparse_variable(x) and hasattr(x.type, "ndim")


def _is_sparse(x: Any) -> bool:
    """Return whether a value is a sparse matrix."""
    if not isinstance(x, scipy.sparse.spmatrix | np.ndarray | tuple | list):
        raise NotImplementedError(f"expected a matrix, got {type(x).__name__}")
    return isinstance(x, scipy.sparse.spmatrix)


def _is_dense(x: Any) -> bool:
    """Return whether a value is a dense array."""
    if not isinstance(x, scipy.sparse.spmatrix | np.ndarray):
        raise NotImplementedError(f"expected a matrix, got {type(x).__name__}")
    return isinstance(x, np.ndarray)


# -- classes of ops --


def _class(name: str, function: Callable[..., Any], *kinds: type) -> Any:
    return op_class(name, kinds or (lambda op: False), lambda: (function, {}))


Dot, Transpose = _class("Dot", _S.dot, _Dot), _class("Transpose", _S.transpose, _Transpose)
Neg, Diag = _class("Neg", _S.neg, _Neg), _class("Diag", _S.diag, _Diag)
AddSS, AddSD = _class("AddSS", _S.add_s_s), _class("AddSD", _S.add_s_d)
AddSSData = _class("AddSSData", _S.add_s_s_data)
StructuredAddSV = _class("StructuredAddSV", _S.structured_add_s_v)
MulSS, MulSD, MulSV = (
    _class("MulSS", _S.mul_s_s), _class("MulSD", _S.mul_s_d), _class("MulSV", _S.mul_s_v)
)  # fmt: skip
ColScaleCSC, RowScaleCSC = (
    _class("ColScaleCSC", _S.col_scale), _class("RowScaleCSC", _S.row_scale)
)  # fmt: skip
GetItemList = _class("GetItemList", _S.get_item_list)
GetItem2Lists = _class("GetItem2Lists", _S.get_item_2lists)
GetItem2d, GetItemScalar = (
    _class("GetItem2d", _S.get_item_2d), _class("GetItemScalar", _S.get_item_scalar)
)  # fmt: skip
SquareDiagonal = _class("SquareDiagonal", _S.square_diagonal)
StructuredDot, SamplingDot = (
    _class("StructuredDot", _S.structured_dot), _class("SamplingDot", _S.sampling_dot)
)  # fmt: skip
Usmm = _class("Usmm", _S.usmm)
ConstructSparseFromList = _class("ConstructSparseFromList", _S.construct_sparse_from_list)
EqualSS, EqualSD = _class("EqualSS", _S.equal_s_s), _class("EqualSD", _S.equal_s_d)
NotEqualSS, NotEqualSD = (
    _class("NotEqualSS", _S.not_equal_s_s), _class("NotEqualSD", _S.not_equal_s_d)
)  # fmt: skip
CSMGrad = op_class("CSMGrad")
StructuredDotGradCSC = op_class("StructuredDotGradCSC")
StructuredDotGradCSR = op_class("StructuredDotGradCSR")
_dot, _structured_dot = Dot(), StructuredDot()

"""Types and constants of PyTensor as those of symtheano."""

from __future__ import annotations

from typing import Any

import symtheano.tensor as T
from symtheano import sparse
from symtheano.sparse import type as sparse_type
from symtheano_pytensor.objects import NUMBER_DTYPE, keep


def is_dense(kind: Any) -> bool:
    """Return whether a PyTensor type is that of dense arrays or numbers."""
    arrays = any(cls.__name__ == "TensorType" for cls in type(kind).__mro__)
    return is_number(kind) or (arrays and not hasattr(kind, "format"))


def is_number(kind: Any) -> bool:
    """Return whether values of a PyTensor type are NumPy's numbers, not arrays."""
    return any(cls.__name__ == "ScalarType" for cls in type(kind).__mro__)


def is_sparse(kind: Any) -> bool:
    """Return whether a PyTensor type is that of sparse matrices of a format that exists here."""
    return getattr(kind, "format", None) in sparse_type.FORMATS and hasattr(kind, "dtype")


def is_object(kind: Any) -> bool:
    """Return whether values of a PyTensor type are numbers of objects in compiled code."""
    return not (is_dense(kind) or is_sparse(kind))


def converted_type(kind: Any) -> Any:
    """Return symtheano's type for a PyTensor type: that of numbers of objects if it is not dense.

    Examples
    --------
    >>> import pytensor.tensor as pt
    >>> converted_type(pt.tensor("x", shape=(None, 3), dtype="float32").type)
    TensorType(float32, (?, 3))
    """
    if is_sparse(kind):
        return sparse_type.SparseType(kind.format, kind.dtype)
    if not is_dense(kind):
        return T.TensorType(NUMBER_DTYPE, ())
    return T.TensorType(kind.dtype, tuple(getattr(kind, "shape", ())))


def converted_constant(constant: Any) -> Any:
    """Return a PyTensor constant as a symtheano constant, None or a slice."""
    data = constant.data
    if data is None or isinstance(data, slice):
        return data
    if is_dense(constant.type):
        return T.constant(data, dtype=constant.type.dtype)
    if is_sparse(constant.type):
        return sparse.constant(data)
    return T.constant(keep(data), dtype=NUMBER_DTYPE)


def cast(x: Any, dtype: str) -> Any:
    """Return an array in another dtype, the real part of complex numbers for a real one."""
    if x.dtype == dtype:
        return x
    if x.dtype.startswith("complex") and not dtype.startswith("complex"):
        x = T.real(x)
    return T.cast(x, dtype)


def fitted(variable: Any, kind: Any) -> Any:
    """Return a variable with the dtype and the known lengths of a PyTensor type.

    Lengths that symtheano has not inferred are checked in the call.
    """
    if not is_dense(kind):
        return variable
    variable = T.as_tensor_variable(variable)
    variable = cast(variable, kind.dtype)
    lengths = tuple(getattr(kind, "shape", ()))
    known = variable.type.shape
    if all(want is None or want == have for want, have in zip(lengths, known, strict=True)):
        return variable
    pairs = zip(lengths, known, strict=True)
    return T.specify_shape(variable, [want if have is None else have for want, have in pairs])

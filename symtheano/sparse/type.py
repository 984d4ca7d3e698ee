"""SparseType: format and dtype of a sparse matrix."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, ClassVar

import numpy as np

from symtheano import dtypes
from symtheano.errors import MisfitError
from symtheano.graph.type import Type
from symtheano.graph.variable import Constant, Variable
from symtheano.tensor.arrays import refuse_masked
from symtheano.tensor.messages import build_message
from symtheano.tensor.type import TensorType

FORMATS = ("csr", "csc")
_INT32, _INT64 = np.dtype("int32"), np.dtype("int64")
_MOST = 2**31 - 1

DTYPES = tuple(name for name in dtypes.ALL if name != "float16")


class SparseType(Type):
    """The type of sparse matrices with a storage format and a dtype.

    Parameters
    ----------
    format
        ``"csr"`` (compressed rows) or ``"csc"`` (compressed columns).
    dtype
        Any dtype except float16, which SciPy does not support.

    Raises
    ------
    NotImplementedError
        For SciPy's other formats.

    Examples
    --------
    >>> SparseType("csr", "float32")
    SparseType(float32, csr)
    """

    __slots__ = ("dtype", "format")

    ndim = 2
    shape = (None, None)
    broadcastable = (False, False)
    dtype_set = frozenset(DTYPES)

    variable_class: ClassVar[type[Variable]]
    """The class of variables of this type; set by ``sparse/variable.py``."""
    constant_class: ClassVar[type[Constant]]
    """The class of constants of this type; set by ``sparse/variable.py``."""

    def __init__(self, format: str, dtype: Any) -> None:
        if format not in FORMATS:
            raise NotImplementedError(
                build_message(
                    f"SparseType: format {format!r} is not supported; {' and '.join(FORMATS)} are",
                    hint="functions take SciPy's matrices of any format as csr or csc; convert "
                    "others by asformat",
                )
            )
        self.format = format
        self.dtype = dtypes.canonical(dtype)
        if self.dtype not in DTYPES:
            raise TypeError(f"SparseType: sparse matrices of {self.dtype} are not supported")

    @property
    def major(self) -> int:
        """The axis that is compressed: 0 of csr, 1 of csc."""
        return FORMATS.index(self.format)

    @property
    def part_types(self) -> list[TensorType]:
        """The types of data, indices, indptr and the other axis' length."""
        vectors = [TensorType(dtype, (None,)) for dtype in (self.dtype, "int32", "int32")]
        return [*vectors, TensorType("int64", ())]

    def make_variable(self, name: str | None = None) -> Any:
        """Return a symbolic sparse matrix of this type."""
        return self.variable_class(self, name=name)

    def clone(self, format: str | None = None, dtype: Any = None) -> SparseType:
        """Return this type with another format or dtype."""
        return SparseType(format or self.format, dtype or self.dtype)

    def accepts(self, other: Type) -> bool:
        """Return whether every matrix of the type ``other`` also has this type."""
        return self == other

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """Return ``value`` as a SciPy matrix of this type.

        Sparse matrices of other formats and NumPy matrices are converted. Dtypes are converted if
        no value can be lost. ``allow_downcast=True`` allows any dtype, ``strict`` no conversion.

        Raises
        ------
        MisfitError
            If it is not a matrix, or its dtype does not match.
        """
        refuse_masked(value)
        is_sparse = _issparse()(value)
        if not is_sparse and not (isinstance(value, np.ndarray) and value.ndim == 2):
            raise MisfitError(
                f"{self} can't take a value of type {type(value).__name__}",
                f"give a matrix of scipy.sparse, such as scipy.sparse.{self.format}_matrix(value)",
            )
        if is_sparse and value.format == self.format and value.dtype == self.dtype:
            return value
        if strict:
            kind = value.format if is_sparse else "NumPy"
            raise MisfitError(
                f"strict {self} takes {self.format} matrices of {self.dtype}, got a {kind} matrix "
                f"of {value.dtype}"
            )
        self._check_dtype(value.dtype, allow_downcast)
        matrix = value.asformat(self.format) if is_sparse else self.from_dense(value)
        if matrix.dtype == self.dtype:
            return matrix
        parts = dtypes.convert(matrix.data, self.dtype), matrix.indices.copy(), matrix.indptr.copy()
        return type(matrix)(parts, shape=matrix.shape)

    def _check_dtype(self, dtype: np.dtype[Any], allow_downcast: bool | None) -> None:
        if dtype.kind == "c" and not dtypes.is_complex(self.dtype):
            raise MisfitError(f"{self} can't take complex numbers", "take its real part")
        if allow_downcast or np.can_cast(dtype, self.dtype, "safe"):
            return
        raise MisfitError(
            f"{self} can't take a matrix of {dtype} without losing precision",
            f"convert it: value.astype({self.dtype!r}), or pass allow_input_downcast=True",
        )

    def from_dense(self, value: Any) -> Any:
        """Return a NumPy matrix in SciPy's class of this format."""
        from scipy import sparse

        return (sparse.csr_matrix, sparse.csc_matrix)[self.major](value)

    def assemble(self, data: Any, indices: Any, indptr: Any, minor: Any) -> Any:
        """Return the SciPy matrix of these components; ``minor`` is the other axis' length."""
        from scipy import sparse

        shape = [len(indptr) - 1, int(minor)]
        kind = (sparse.csr_matrix, sparse.csc_matrix)[self.major]
        return kind((data, indices, indptr), shape=tuple(shape[:: 1 - 2 * self.major]))

    def take_apart(self, value: Any) -> list[Any]:
        """Return data, indices, indptr (int32) and the other axis' length of a SciPy matrix.

        Duplicate entries are summed; the order of the elements does not change.

        Raises
        ------
        MisfitError
            If there are more elements or columns than int32 can count, or indptr is invalid.
        """
        rows, columns = value.shape
        starts = value.indptr
        stored = starts.item(-1)
        if max(rows, columns, stored) > _MOST:
            raise MisfitError(f"{self}: lengths and numbers of elements are at most {_MOST}")
        rises = not np.count_nonzero(starts[1:] < starts[:-1])
        if starts.item(0) != 0 or not rises or stored > len(value.data):
            raise MisfitError(f"{self}: indptr does not rise from 0 to the number of elements")
        if not value.has_canonical_format:
            value = without_duplicates(value)
            stored = value.indptr.item(-1)
        return [
            _vector(value.data, value.data.dtype, stored),
            _vector(value.indices, _INT32, stored),
            _vector(value.indptr, _INT32, len(starts)),
            np.array(rows if self.major else columns, _INT64),
        ]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, SparseType)
            and self.format == other.format
            and self.dtype == other.dtype
        )

    def __hash__(self) -> int:
        return hash((SparseType, self.format, self.dtype))

    def __repr__(self) -> str:
        return f"SparseType({self.dtype}, {self.format})"


@cache
def _issparse() -> Callable[[Any], bool]:
    """Return SciPy's test for sparse matrices; SciPy is loaded when it is first needed."""
    from scipy.sparse import issparse

    return issparse  # type: ignore[no-any-return]


def _vector(value: Any, dtype: Any, count: int) -> Any:
    """Return the first ``count`` items, contiguous and of a dtype, without a copy if possible."""
    part = value if len(value) == count else value[:count]
    return np.ascontiguousarray(part, dtype)


def without_duplicates(value: Any) -> Any:
    """Return a matrix without duplicate entries, or the matrix itself if it has none."""
    if value.has_canonical_format:
        return value
    summed = value.copy()
    summed.sum_duplicates()
    return value if summed.nnz == value.nnz else summed


def is_symbolic(value: object) -> bool:
    """Return whether a value is a symbolic sparse matrix."""
    return isinstance(value, Variable) and isinstance(value.type, SparseType)


def is_sparse(value: object) -> bool:
    """Return whether a value is a symbolic or SciPy sparse matrix."""
    return is_symbolic(value) or is_scipy(value)


def is_scipy(value: object) -> bool:
    """Return whether a value is a SciPy sparse matrix, without importing SciPy."""
    if not type(value).__module__.startswith("scipy.sparse"):
        return False
    from scipy import sparse

    return bool(sparse.issparse(value))

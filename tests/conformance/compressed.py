"""SciPy's sparse matrices under Theano's names: what ``sparse`` is in rows evaluated with NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import scipy.sparse
import scipy.special

from tests.conformance.draws import Array

KINDS = {"csr": scipy.sparse.csr_array, "csc": scipy.sparse.csc_array}


class Compressed:
    """A matrix of SciPy's with the operators and methods of a symbolic one."""

    def __init__(self, matrix: Any) -> None:
        self.matrix = matrix

    format = property(lambda self: self.matrix.format)
    shape = property(lambda self: self.matrix.shape)
    T = property(lambda self: Compressed(self.matrix.T))

    def with_data(self, data: Any) -> Compressed:
        """Return the same structure with other elements."""
        parts = (np.asarray(data), self.matrix.indices, self.matrix.indptr)
        return Compressed(KINDS[self.format](parts, shape=self.shape))

    def toarray(self) -> Any:
        """Return a dense matrix."""
        return self.matrix.toarray()

    def transpose(self) -> Compressed:
        """Return the transpose."""
        return self.T

    def sum(self, axis: int | None = None, sparse_grad: bool = False) -> Any:
        """Return a dense sum."""
        return self.toarray().sum(axis)

    def astype(self, dtype: Any) -> Compressed:
        """Return another dtype."""
        return self.with_data(self.matrix.data.astype(dtype))

    def zeros_like(self, dtype: Any = None) -> Compressed:
        """Return a matrix that stores nothing."""
        return Compressed(KINDS[self.format](self.shape, dtype=dtype or self.matrix.dtype))

    def conj(self) -> Compressed:
        """Return the conjugate."""
        return self.with_data(self.matrix.data.conj())

    def dot(self, other: Any) -> Any:
        """Return a dense product, a sparse one of two sparse matrices."""
        return structured_dot(self, other)

    def __neg__(self) -> Compressed:
        return self.with_data(-self.matrix.data)

    def __abs__(self) -> Compressed:
        return self.with_data(abs(self.matrix.data))

    def __add__(self, other: Any) -> Any:
        return add(self, other)

    def __radd__(self, other: Any) -> Any:
        return add(other, self)

    def __sub__(self, other: Any) -> Any:
        return add(self, -other)

    def __rsub__(self, other: Any) -> Any:
        return add(other, -self)

    def __mul__(self, other: Any) -> Any:
        return mul(self, other)

    __rmul__ = __mul__

    def __matmul__(self, other: Any) -> Any:
        return dense(structured_dot(self, other))

    def __rmatmul__(self, other: Any) -> Any:
        return dense(structured_dot(other, self))

    def __lt__(self, other: Any) -> Any:
        return compare(np.less)(self, other)

    def __le__(self, other: Any) -> Any:
        return compare(np.less_equal)(self, other)

    def __gt__(self, other: Any) -> Any:
        return compare(np.greater)(self, other)

    def __ge__(self, other: Any) -> Any:
        return compare(np.greater_equal)(self, other)

    def __getitem__(self, key: Any) -> Any:
        keys = key if isinstance(key, tuple) else (key, slice(None))
        if all(np.ndim(item) == 0 and not isinstance(item, slice) for item in keys):
            return self.toarray()[keys]
        if all(np.ndim(item) == 1 for item in keys):
            return self.toarray()[keys]
        # An integer leaves a matrix of one row or column.
        rows, columns = (item if isinstance(item, slice) else np.atleast_1d(item) for item in keys)
        return sparsely(self.format)(self.toarray()[rows][:, columns])

    __array_ufunc__ = None


def sparsely(format: str) -> Callable[[Array], Compressed]:
    """Return a function that stores the elements that are not zero."""
    return lambda x: Compressed(KINDS[format](x))


def dense(x: Any) -> Any:
    """Return a dense matrix."""
    return x.toarray() if isinstance(x, Compressed) else x


def raw(x: Any) -> Any:
    """Return a matrix of SciPy's, or a dense array."""
    return x.matrix if isinstance(x, Compressed) else x


def add(x: Any, y: Any) -> Any:
    """Return a sparse sum of sparse matrices, else a dense one."""
    if isinstance(x, Compressed) and isinstance(y, Compressed):
        return Compressed((x.matrix + y.matrix).asformat(x.format))
    return dense(x) + dense(y)


def mul(x: Any, y: Any) -> Any:
    """Return a sparse product by element."""
    x, y = (x, y) if isinstance(x, Compressed) else (y, x)
    if isinstance(y, Compressed):
        # Elements that only one matrix stores are left out, also with NaN, where SciPy's are NaN.
        left, right = x.toarray(), y.toarray()
        return sparsely(x.format)(
            np.where((left != 0) & (right != 0), left * right, left.dtype.type(0))
        )
    rows, columns = _places(x)
    return x.with_data(x.matrix.data * np.broadcast_to(y, x.shape)[rows, columns])


def _places(x: Compressed) -> tuple[Array, Array]:
    """Return rows and columns of the stored elements."""
    major = np.repeat(np.arange(len(x.matrix.indptr) - 1), np.diff(x.matrix.indptr))
    return (major, x.matrix.indices) if x.format == "csr" else (x.matrix.indices, major)


def scaled(axis: int, by: Callable[..., Any] = np.multiply) -> Callable[..., Compressed]:
    """Return a function of stored elements and a vector along an axis."""

    def apply(x: Compressed, vector: Array) -> Compressed:
        if len(vector) != x.shape[axis]:
            raise ValueError("lengths differ")
        return x.with_data(by(x.matrix.data, vector[_places(x)[axis]]))

    return apply


def compare(f: Callable[..., Any]) -> Callable[..., Any]:
    """Return a comparison, sparse of sparse matrices, else dense: 0 and 1."""

    def apply(x: Any, y: Any) -> Any:
        found = f(dense(x), dense(y)).astype("uint8")
        both = isinstance(x, Compressed) and isinstance(y, Compressed)
        return sparsely(x.format)(found) if both else found

    return apply


def structured_dot(x: Any, y: Any) -> Any:
    """Return a product of stored elements only."""
    made = raw(x) @ raw(y)
    if scipy.sparse.issparse(made):
        return Compressed(made.asformat(x.format))
    return made


def true_dot(x: Any, y: Any, grad_preserves_dense: bool = True) -> Compressed:
    """Return a sparse product."""
    format = next(item.format for item in (x, y) if isinstance(item, Compressed))
    return sparsely(format)(dense(structured_dot(x, y)))


def stack(join: Callable[..., Any]) -> Callable[..., Compressed]:
    """Return a function that puts matrices side by side or one below the other."""

    def apply(blocks: Any, format: str = "csc", dtype: Any = None) -> Compressed:
        made = join([item.toarray() for item in blocks])
        return sparsely(format)(made.astype(dtype or made.dtype))

    return apply


def structured(f: Callable[..., Any]) -> Callable[..., Compressed]:
    """Return a function of stored elements."""
    return lambda x, *args: x.with_data(f(x.matrix.data, *args))


def csm(format: str) -> Callable[..., Compressed]:
    """Return what makes a matrix of its components."""

    def make(data: Any, indices: Any, indptr: Any, shape: Any) -> Compressed:
        return Compressed(KINDS[format]((data, indices, indptr), shape=tuple(map(int, shape))))

    return make


def from_list(x: Array, values: Array, ilist: Array) -> Compressed:
    """Return rows added up where they belong."""
    made = np.zeros(x.shape, np.result_type(x, values))
    np.add.at(made, ilist, values)
    return sparsely("csc")(made)


def clean(x: Compressed) -> Compressed:
    """Return a matrix without zeros and duplicates, in order."""
    return sparsely(x.format)(x.toarray())


def of_scipy(x: Any) -> Compressed:
    """Return a matrix that SciPy made."""
    return Compressed(KINDS[x.format](x))


def properties(x: Compressed) -> list[Any]:
    """Return the components."""
    m = x.matrix
    return [m.data, m.indices.astype("int32"), m.indptr.astype("int32"), np.array(m.shape)]


def cast(x: Compressed, dtype: Any) -> Compressed:
    """Return another dtype."""
    return x.astype(dtype)


PLAIN_FUNCTIONS = """arcsin arcsinh arctan arctanh ceil conj deg2rad expm1 floor log1p rad2deg
    rint sin sinh sqrt tan tanh trunc""".split()
COMPARISONS = {
    "eq": (np.equal, "equal"), "neq": (np.not_equal, "not_equal"), "lt": (np.less, "less_than"),
    "gt": (np.greater, "greater_than"), "le": (np.less_equal, "less_equal"),
    "ge": (np.greater_equal, "greater_equal"),
}  # fmt: skip
LETTERS = {"b": "int8", "w": "int16", "i": "int32", "l": "int64", "f": "float32", "d": "float64",
           "c": "complex64", "z": "complex128"}  # fmt: skip

FACE = SimpleNamespace(
    DenseFromSparse=lambda structured=True: Compressed.toarray,
    EnsureSortedIndices=lambda inplace: clean, Remove0=lambda inplace=False: clean,
    HStack=lambda *options: lambda *blocks: stack(np.hstack)(blocks, *options),
    VStack=lambda *options: lambda *blocks: stack(np.vstack)(blocks, *options),
    SpSum=lambda axis=None, sparse_grad=True: lambda x: x.sum(axis),
    TrueDot=lambda grad_preserves_dense=True: true_dot,
    structured_dot_grad=lambda x, y, g: mul(structured(np.ones_like)(x), g @ y.T),
    CSC=csm("csc"), CSM=csm, CSR=csm("csr"),
    Cast=lambda dtype: partial(cast, dtype=dtype), SparseFromDense=sparsely,
    add=add, add_s_d=add, add_s_s=add, add_s_s_data=add,
    as_sparse=of_scipy, as_sparse_variable=of_scipy, constant=of_scipy, shared=of_scipy,
    as_sparse_or_tensor_variable=lambda x: x,
    cast=cast, clean=clean, col_scale=scaled(1), construct_sparse_from_list=from_list,
    csc_from_dense=sparsely("csc"), csr_from_dense=sparsely("csr"),
    csm_data=lambda x: properties(x)[0], csm_indices=lambda x: properties(x)[1],
    csm_indptr=lambda x: properties(x)[2], csm_properties=properties,
    csm_shape=lambda x: properties(x)[3],
    dense_from_sparse=lambda x, structured=True: x.toarray(),
    diag=lambda x: np.diag(x.toarray()), dot=lambda x, y: dense(structured_dot(x, y)),
    ensure_sorted_indices=clean,
    get_item_2d=lambda x, key: x[tuple(key) if len(key) > 1 else key[0]],
    get_item_2lists=lambda x, rows, columns: x.toarray()[rows, columns],
    get_item_list=lambda x, rows: x[rows], get_item_scalar=lambda x, key: x.toarray()[key],
    hstack=stack(np.hstack), mul=mul, mul_s_d=mul, mul_s_s=mul, mul_s_v=scaled(1),
    neg=lambda x: -x, remove0=clean, row_scale=scaled(0),
    sampling_dot=lambda x, y, p: mul(p, x @ y.T),
    sgn=structured(np.sign), sp_ones_like=lambda x: x.with_data(np.ones_like(x.matrix.data)),
    sp_sum=lambda x, axis=None, sparse_grad=False: x.sum(axis),
    sp_zeros_like=lambda x, dtype=None: x.zeros_like(dtype),
    sparse_grad=lambda x: x, sqr=structured(np.square),
    square_diagonal=lambda v: sparsely("csc")(np.diag(v)),
    structured_abs=abs, structured_add=structured(np.add),
    structured_add_s_v=scaled(1, np.add), structured_dot=structured_dot,
    structured_exp=structured(np.exp), structured_log=structured(np.log),
    structured_maximum=structured(np.maximum), structured_minimum=structured(np.minimum),
    structured_monoid=lambda f: lambda _: structured(f), structured_pow=structured(np.power),
    structured_sigmoid=structured(scipy.special.expit), sub=lambda x, y: x - y,
    sum_duplicates=clean, to_format=lambda x, format: Compressed(x.matrix.asformat(format)),
    transpose=lambda x: x.T, true_dot=true_dot,
    usmm=lambda alpha, x, y, z: alpha * dense(structured_dot(x, y)) + z,
    vstack=stack(np.vstack),
    **{name: structured(getattr(np, name)) for name in PLAIN_FUNCTIONS},
    **{name: compare(f) for name, (f, _) in COMPARISONS.items()},
    **{f"{long}_s_{other}": compare(f) for f, long in COMPARISONS.values() for other in "sd"},
    **{f"{letter}cast": partial(cast, dtype=dtype) for letter, dtype in LETTERS.items()},
)  # fmt: skip

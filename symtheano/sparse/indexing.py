"""Parts of sparse matrices: rows, blocks, elements, diagonals; and matrices made from rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.graph.variable import Apply
from symtheano.sparse.checked import SameLength
from symtheano.sparse.csm import as_sparse_variable, open_sparse, pack
from symtheano.sparse.parts import Parts
from symtheano.sparse.selected import Block, Elements, Rows
from symtheano.sparse.starts import length
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.creation.filled import alloc
from symtheano.tensor.creation.ranges import arange
from symtheano.tensor.indexing.advanced import AdvancedSubtensor, checked_index
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import as_dim, shape_of


def getitem(x: Any, key: Any) -> Any:
    """Return ``x[key]`` with SciPy's indexing of matrices.

    Two integers select one element (0-d), two lists a vector of elements, and one list a sparse
    matrix of rows. Slices and integers select a sparse matrix.
    """
    items = key if isinstance(key, tuple) else (key,)
    if not 1 <= len(items) <= 2:
        raise IndexError(build_message(f"a sparse matrix has two axes, not {len(items)}", x))
    kinds = [_kind(item) for item in items]
    if kinds == ["list"]:
        return get_item_list(x, items[0])
    if kinds == ["list", "list"]:
        return get_item_2lists(x, *items)
    if kinds == ["integer", "integer"]:
        return get_item_scalar(x, items)
    if "list" in kinds:
        raise NotImplementedError(
            build_message(
                "indexing: a list together with a slice or an integer is not supported",
                x,
                hint="take the rows x[rows] first, then the columns x.T[columns].T",
            )
        )
    return get_item_2d(x, items)


def _kind(item: Any) -> str:
    if isinstance(item, slice):
        return "slice"
    if item is None or item is Ellipsis:
        raise IndexError(build_message(f"a sparse matrix can't be indexed by {item}"))
    variable = as_tensor_variable(item)
    if variable.dtype not in dtypes.INTEGER or variable.ndim > 1:
        raise IndexError(
            build_message("a sparse matrix is indexed by slices, integers and lists", variable)
        )
    return "list" if variable.ndim else "integer"


def get_item_list(x: Any, index: Any) -> Any:
    """Return the sparse matrix of some rows, which may repeat.

    Raises
    ------
    BoundsError
        In a call, if there is no such row.

    Examples
    --------
    >>> get_item_list(symtheano.sparse.csr_matrix("x"), [0, 2, 0]).type
    SparseType(float64, csr)
    """
    x = as_sparse_variable(x)
    return Rows()(x, _keys(_vector(index), open_sparse(x).shape[0]))


def get_item_2lists(x: Any, ind1: Any, ind2: Any) -> Any:
    """Return the elements at pairs of a row and a column, as a dense vector.

    Raises
    ------
    BoundsError, ShapeError
        In a call, if there is no such row or column, or the lists have different lengths.

    Examples
    --------
    >>> get_item_2lists(symtheano.sparse.csr_matrix("x"), [0, 1], [2, 2]).type
    TensorType(float64, (2))
    """
    x = as_sparse_variable(x)
    rows, columns = _vector(ind1), _vector(ind2)
    what = "indexing: the lists of rows and columns have lengths {} and {}"
    rows = SameLength(what)(rows, as_dim(length(rows)), as_dim(length(columns)))
    pairs = zip((rows, columns), open_sparse(x).shape, strict=True)
    return Elements()(x, *(_keys(*pair) for pair in pairs))


def get_item_scalar(x: Any, index: Any) -> Any:
    """Return the element at ``index``, a pair of a row and a column; dense and 0-d.

    Examples
    --------
    >>> get_item_scalar(symtheano.sparse.csr_matrix("x"), (0, 1)).type
    TensorType(float64, scalar)
    """
    x = as_sparse_variable(x)
    pairs = zip(index, open_sparse(x).shape, strict=True)
    return Elements()(x, *(_key(*pair) for pair in pairs)).dimshuffle()


def get_item_2d(x: Any, index: Any) -> Any:
    """Return the sparse matrix of the rows and columns that slices or integers select.

    Examples
    --------
    >>> get_item_2d(symtheano.sparse.csr_matrix("x"), (slice(1, None), 0)).type
    SparseType(float64, csr)
    """
    x = as_sparse_variable(x)
    items = [*(index if isinstance(index, tuple | list) else [index]), slice(None)][:2]
    axes, keys = [], []
    for axis, (item, count) in enumerate(zip(items, open_sparse(x).shape, strict=True)):
        if not (isinstance(item, slice) and item == slice(None)):
            axes.append(axis)
            keys.append(arange(count)[item] if isinstance(item, slice) else _key(item, count))
    return Block(tuple(axes))(x, *keys)


def _vector(index: Any) -> Any:
    vector = as_tensor_variable(
        np.asarray(index, "int64") if isinstance(index, list) and not index else index
    )
    if vector.ndim != 1 or vector.dtype not in dtypes.INTEGER:
        raise TypeError(
            build_message("indexing: an index list must be a vector of integers", vector)
        )
    return vector


def _keys(index: Any, count: Any) -> Any:
    """Return integers that index ``count`` positions, checked and nonnegative."""
    return checked_index(index, as_dim(count), as_dim(length(index)))


def _key(index: Any, count: Any) -> Any:
    """Return one integer that indexes ``count`` positions as a vector of one, likewise."""
    return arange(count)[index].dimshuffle("x")


# -- diagonals -----------------------------------------------------------------------------------


# -- matrices made of rows -----------------------------------------------------------------------


def construct_sparse_from_list(x: Any, values: Any, ilist: Any) -> Any:
    """Return the csc matrix with the shape of ``x`` and ``values`` added at the rows ``ilist``.

    Parameters
    ----------
    x
        Dense matrix; only its shape is used.
    values
        Dense matrix with a row for each index.
    ilist
        Vector of row numbers, which may repeat.

    Examples
    --------
    >>> construct_sparse_from_list(T.matrix("x"), T.matrix("values"), [0, 3]).type
    SparseType(float64, csc)
    """
    x, values, rows = as_tensor_variable(x), as_tensor_variable(values), _vector(ilist)
    if x.ndim != 2 or values.ndim != 2:
        raise TypeError(build_message("construct_sparse_from_list takes matrices", x, values))
    height, width = shape_of(x)
    count = length(rows)
    rows = _keys(rows, height)
    return pack(
        Parts(
            "csc",
            values.T.reshape((as_dim(width) * count,)),
            alloc(rows, width, count).flatten(),
            arange(as_dim(width) + 1) * count,
            as_dim(height),
        )
    )


class SparseGather(AdvancedSubtensor):
    """Rows of a dense matrix, with a sparse gradient."""

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """The gradients of the rows, at their positions."""
        x, rows = inputs
        return [construct_sparse_from_list(x, output_grads[0], rows), None]


def sparse_grad(var: Any) -> Any:
    """Return rows ``x[indices]`` of a matrix, with a sparse gradient with respect to x.

    Parameters
    ----------
    var
        A variable made by indexing a matrix with one vector of integers.

    Raises
    ------
    TypeError
        If the variable was made in another way.

    Examples
    --------
    >>> from symtheano.gradient import grad
    >>> w, rows = T.matrix("w"), T.ivector("rows")
    >>> grad(sparse_grad(w[rows]).sum(), w).type
    SparseType(float64, csc)
    """
    owner: Apply | None = getattr(var, "owner", None)
    if owner is not None and isinstance(owner.op, AdvancedSubtensor):
        x, *indices = owner.inputs
        if x.ndim == 2 and owner.op.axis == 0 and [item.ndim for item in indices] == [1]:
            return SparseGather(0)(x, *indices)
    raise TypeError(
        build_message("sparse_grad takes rows of a matrix: x[indices], indices a vector", var)
    )

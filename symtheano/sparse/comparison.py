"""Comparisons of sparse matrices: sparse uint8 with each other, dense with a dense operand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.sparse.checked import fit
from symtheano.sparse.convert import csr_from_dense, remove0, to_format
from symtheano.sparse.csm import as_sparse_variable, open_sparse, pack
from symtheano.sparse.dense import dense_from_sparse
from symtheano.sparse.merge import union
from symtheano.sparse.operands import aligned, both_sparse
from symtheano.sparse.type import is_sparse
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message

Comparison = Callable[[Any, Any], Any]


@dataclass(frozen=True)
class _Row:
    """A comparison.

    Attributes
    ----------
    row
        The row that compares dense arrays.
    swapped
        Name of the comparison with exchanged operands.
    of_zeros
        Result for zero and zero.
    long
        Theano's longer name.
    words
        Description of the comparison.
    example
        The results for 0 and 0, 1 and 2, 2 and 1.
    """

    row: Any
    swapped: str
    of_zeros: bool
    long: str
    words: str
    example: str


_ROWS = {
    "eq": _Row(scalar.eq, "eq", True, "equal", "equals", "1, 0, 0"),
    "neq": _Row(scalar.neq, "neq", False, "not_equal", "differs from", "0, 1, 1"),
    "lt": _Row(scalar.lt, "gt", False, "less_than", "is less than", "0, 1, 0"),
    "gt": _Row(scalar.gt, "lt", False, "greater_than", "is greater than", "0, 0, 1"),
    "le": _Row(scalar.le, "ge", True, "less_equal", "is at most", "1, 1, 0"),
    "ge": _Row(scalar.ge, "le", True, "greater_equal", "is at least", "1, 0, 1"),
}


def _sparse(name: str, x: Any, y: Any) -> Any:
    row, of_zeros = _ROWS[name].row, _ROWS[name].of_zeros
    x, y = as_sparse_variable(x), as_sparse_variable(y)
    if not of_zeros:
        joint = union(name, open_sparse(x), open_sparse(y))
        return remove0(pack(joint.parts.with_data(cast(row(joint.left, joint.right), "uint8"))))
    left, right = open_sparse(x), open_sparse(y)
    pairs = zip(left.shape, right.shape, strict=True)
    left = fit(left, f"{name}: sparse matrices of different shape: lengths {{}} and {{}}", *pairs)
    compared = row(dense_from_sparse(pack(left)), dense_from_sparse(y))
    return to_format(csr_from_dense(cast(compared, "uint8")), x.format)


def _dense(name: str, x: Any, y: Any) -> Any:
    row = _ROWS[name].row
    y = as_tensor_variable(y)
    if y.ndim not in (0, 2):
        raise TypeError(build_message(f"{name} takes a matrix or a number, not {y.ndim} dims", y))
    parts = open_sparse(x)
    left = dense_from_sparse(pack(aligned(name, parts, y) if y.ndim else parts))
    return cast(row(left, y), "uint8")


def _compare(name: str, x: Any, y: Any) -> Any:
    if both_sparse(name, x, y):
        return _sparse(name, x, y)
    return _dense(name, x, y) if is_sparse(x) else _dense(_ROWS[name].swapped, y, x)


def _documented(compare: Comparison, name: str, text: str, dense: bool, example: str) -> Comparison:
    """Set the name and the docstring of a function, with an example."""
    other = "np.array([[0, 2, 1]])" if dense else "scipy.sparse.csr_matrix([[0, 2, 1]])"
    compare.__name__ = compare.__qualname__ = name
    compare.__doc__ = f"""{text}

    Examples
    --------
    >>> import numpy as np, scipy.sparse
    >>> x, y = scipy.sparse.csr_matrix([[0, 1, 2]]), {other}
    >>> {name}(x, y).eval(){"" if dense else ".toarray()"}
    array([[{example}]], dtype=uint8)
    """
    return compare


def _public(name: str) -> Comparison:
    """Return the comparison of two operands, at least one of them sparse."""

    def compare(x: Any, y: Any) -> Any:
        return _compare(name, x, y)

    row = _ROWS[name]
    text = f"""Return where ``x`` {row.words} ``y``, as 0 and 1 of dtype uint8.

    At least one is sparse. The result is sparse if both are, in the format of ``x``; else it is
    dense, and the other operand is a matrix of the same shape or a number."""
    return _documented(compare, name, text, False, row.example)


def _of_sparse(name: str) -> Comparison:
    """Return the comparison of two sparse matrices."""

    def compare(x: Any, y: Any) -> Any:
        return _sparse(name, x, y)

    row = _ROWS[name]
    text = f"Return where the sparse ``x`` {row.words} the sparse ``y``: sparse uint8."
    return _documented(compare, f"{row.long}_s_s", text, False, row.example)


def _of_dense(name: str) -> Comparison:
    """Return the comparison of a sparse matrix with a dense operand."""

    def compare(x: Any, y: Any) -> Any:
        return _dense(name, x, y)

    row = _ROWS[name]
    text = f"Return where the sparse ``x`` {row.words} the dense ``y``: dense uint8."
    return _documented(compare, f"{row.long}_s_d", text, True, row.example)


eq, equal_s_s, equal_s_d = _public("eq"), _of_sparse("eq"), _of_dense("eq")
neq, not_equal_s_s, not_equal_s_d = _public("neq"), _of_sparse("neq"), _of_dense("neq")
lt, less_than_s_s, less_than_s_d = _public("lt"), _of_sparse("lt"), _of_dense("lt")
gt, greater_than_s_s, greater_than_s_d = _public("gt"), _of_sparse("gt"), _of_dense("gt")
le, less_equal_s_s, less_equal_s_d = _public("le"), _of_sparse("le"), _of_dense("le")
ge, greater_equal_s_s, greater_equal_s_d = _public("ge"), _of_sparse("ge"), _of_dense("ge")

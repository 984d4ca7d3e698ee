"""Comparisons of sparse matrices: sparse uint8 among themselves, dense with a dense operand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from symtheano.scalar import table as scalar
from symtheano.sparse.arithmetic import aligned, both_sparse
from symtheano.sparse.checked import fit
from symtheano.sparse.convert import csr_from_dense, dense_from_sparse, remove0, to_format
from symtheano.sparse.csm import as_sparse_variable, open_sparse, pack
from symtheano.sparse.merge import union
from symtheano.sparse.variable import is_sparse
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.messages import build_message

# Row of the scalar table; the same with operands exchanged; whether zero compares true with zero.
_ROWS = {
    "eq": (scalar.eq, "eq", True),
    "neq": (scalar.neq, "neq", False),
    "lt": (scalar.lt, "gt", False),
    "gt": (scalar.gt, "lt", False),
    "le": (scalar.le, "ge", True),
    "ge": (scalar.ge, "le", True),
}


def _sparse(name: str, x: Any, y: Any) -> Any:
    row, _, of_zeros = _ROWS[name]
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
    row = _ROWS[name][0]
    y = as_tensor_variable(y)
    if y.ndim not in (0, 2):
        raise TypeError(build_message(f"{name} takes a matrix or a number, not {y.ndim} dims", y))
    parts = open_sparse(x)
    left = dense_from_sparse(pack(aligned(name, parts, y) if y.ndim else parts))
    return cast(row(left, y), "uint8")


def _compare(name: str, x: Any, y: Any) -> Any:
    if both_sparse(name, x, y):
        return _sparse(name, x, y)
    return _dense(name, x, y) if is_sparse(x) else _dense(_ROWS[name][1], y, x)


def _public(name: str, words: str) -> Callable[[Any, Any], Any]:
    def compare(x: Any, y: Any) -> Any:
        return _compare(name, x, y)

    compare.__name__ = compare.__qualname__ = name
    compare.__doc__ = f"""Return where ``x`` {words} ``y``, as 0 and 1 of dtype uint8.

    At least one is sparse. The result is sparse if both are, in the format of ``x``; else it is
    dense, and the other operand is a matrix of the same shape or a number.
    """
    return compare


def _kind(name: str, words: str, sparse: bool) -> Callable[[Any, Any], Any]:
    made = _sparse if sparse else _dense
    other = "sparse" if sparse else "dense"

    def compare(x: Any, y: Any) -> Any:
        return made(name, x, y)

    compare.__doc__ = f"Return where the sparse ``x`` {words} the {other} ``y``: {other} uint8."
    return compare


eq = _public("eq", "equals")
neq = _public("neq", "differs from")
lt = _public("lt", "is less than")
gt = _public("gt", "is greater than")
le = _public("le", "is at most")
ge = _public("ge", "is at least")

equal_s_s, equal_s_d = (_kind("eq", "equals", flag) for flag in (True, False))
not_equal_s_s, not_equal_s_d = (_kind("neq", "differs from", flag) for flag in (True, False))
less_than_s_s, less_than_s_d = (_kind("lt", "is less than", flag) for flag in (True, False))
greater_than_s_s, greater_than_s_d = (
    _kind("gt", "is greater than", flag) for flag in (True, False)
)
less_equal_s_s, less_equal_s_d = (_kind("le", "is at most", flag) for flag in (True, False))
greater_equal_s_s, greater_equal_s_d = (_kind("ge", "is at least", flag) for flag in (True, False))

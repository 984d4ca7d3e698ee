"""Dtypes in which sums and products are accumulated."""

from __future__ import annotations

from symtheano import dtypes

WIDE_INTEGERS = {
    **dict.fromkeys(("bool", *dtypes.SIGNED), "int64"),
    **dict.fromkeys(dtypes.UNSIGNED, "uint64"),
}
ACCUMULATE = {"float16": "float32", "float32": "float64", "complex64": "complex128"}


def accumulated_dtype(dtype: str) -> str:
    """Return the dtype of sums and products, which is (u)int64 for integers and bool.

    Examples
    --------
    >>> accumulated_dtype("int8"), accumulated_dtype("float32")
    ('int64', 'float32')
    """
    return WIDE_INTEGERS.get(dtype, dtype)

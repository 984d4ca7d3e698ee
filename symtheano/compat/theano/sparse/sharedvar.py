"""``theano.sparse.sharedvar``: shared variables of sparse matrices."""

from __future__ import annotations

from typing import Any

import scipy.sparse

from symtheano.tensor.sharedvar import shared as _shared

from ..compile.sharedvalue import shared_constructor


@shared_constructor
def sparse_constructor(
    value: Any,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    borrow: bool = False,
    format: str | None = None,
) -> Any:
    """Return a shared variable of a sparse matrix; other values are refused with ``TypeError``."""
    if not scipy.sparse.issparse(value):
        raise TypeError("sparse_constructor takes a sparse matrix")
    matrix = value if format is None else value.asformat(format)
    return _shared(matrix, name, strict, allow_downcast, borrow)

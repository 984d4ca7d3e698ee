"""``theano.sparse.utils``."""

from __future__ import annotations

from typing import Any

from ..gof.utils import hash_from_code


def hash_from_sparse(data: Any) -> str:
    """Return a digest of a sparse matrix: its elements, their places, dtype and format."""
    parts = (data.data, data.indices, data.indptr)
    described = f"{data.shape} {data.dtype} {data.format}".encode()
    return hash_from_code(b"".join(bytes(each) for each in (*parts, described)))

"""``theano.sparse.sharedvar``: shared variables of sparse matrices."""

from __future__ import annotations

from symtheano.sparse.basic import shared

from ..compile.sharedvalue import shared_constructor

sparse_constructor = shared_constructor(shared)
"""The constructor that ``theano.shared`` tries: other values are refused with ``TypeError``."""

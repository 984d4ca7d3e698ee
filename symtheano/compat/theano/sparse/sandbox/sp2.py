"""``theano.sparse.sandbox.sp2``."""

from __future__ import annotations

from symtheano.sparse import sampling_dot

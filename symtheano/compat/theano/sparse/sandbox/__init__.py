"""``theano.sparse.sandbox``."""

from __future__ import annotations

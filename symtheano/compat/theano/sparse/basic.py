"""``theano.sparse.basic``."""

from __future__ import annotations

from symtheano.sparse import *

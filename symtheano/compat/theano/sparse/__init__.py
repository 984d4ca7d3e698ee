"""``theano.sparse``."""

from __future__ import annotations

from symtheano.sparse import *
from . import basic
from .basic import *
from .sharedvar import sparse_constructor as shared

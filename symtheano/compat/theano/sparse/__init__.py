"""``theano.sparse``."""

from __future__ import annotations

from symtheano.sparse import *
from . import basic
from .basic import *

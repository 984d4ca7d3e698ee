"""``theano.scalar``."""

from __future__ import annotations

from .basic import *
from .basic_scipy import *

"""``theano.sandbox.linalg``."""

from __future__ import annotations

from .ops import *

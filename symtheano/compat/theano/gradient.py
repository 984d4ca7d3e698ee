"""``theano.gradient``."""

from __future__ import annotations

from symtheano.gradient import *

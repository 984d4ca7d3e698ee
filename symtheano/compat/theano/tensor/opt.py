"""``theano.tensor.opt``."""

from __future__ import annotations

from symtheano.tensor.opt import *

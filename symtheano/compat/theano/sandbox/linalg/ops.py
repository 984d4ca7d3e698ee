"""``theano.sandbox.linalg.ops``."""

from __future__ import annotations

from symtheano.tensor.nlinalg import *
from symtheano.tensor.slinalg import *

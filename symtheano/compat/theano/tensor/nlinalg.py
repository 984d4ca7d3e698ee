"""``theano.tensor.nlinalg``."""

from __future__ import annotations

from symtheano.tensor import AllocDiag, alloc_diag, diag, extract_diag
from symtheano.tensor.nlinalg import *

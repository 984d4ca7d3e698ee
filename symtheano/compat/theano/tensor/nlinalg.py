"""``theano.tensor.nlinalg``."""

from __future__ import annotations

from symtheano.compat.op_classes import op_class
from symtheano.tensor import AllocDiag, alloc_diag, diag, extract_diag
from symtheano.tensor.nlinalg import *
from symtheano.tensor.nlinalg import Eig as _Eig, eig as _eig

Eig = op_class("Eig", _Eig, lambda: (_eig, {}))
eig = Eig()
EighGrad = op_class("EighGrad")
TensorInv = op_class("TensorInv", make=lambda ind=2: (lambda a: tensorinv(a, ind), {"ind": ind}))

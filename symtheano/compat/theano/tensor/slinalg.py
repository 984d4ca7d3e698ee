"""``theano.tensor.slinalg``."""

from __future__ import annotations

from importlib.util import find_spec

from symtheano.compat.op_classes import op_class
from symtheano.tensor.slinalg import *

imported_scipy = find_spec("scipy") is not None

CholeskyGrad = op_class("CholeskyGrad")
EigvalshGrad = op_class("EigvalshGrad")

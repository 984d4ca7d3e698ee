"""``theano.tensor.basic``: constructors, elementwise functions, reductions, joins."""

from __future__ import annotations

from symtheano.tensor import *
from symtheano.tensor import tensor as tensor
from symtheano.tensor.creation.ranges import arange as arange
from symtheano.gradient import DisconnectedType, grad_not_implemented, grad_undefined

# Submodules of theano.tensor have these names.
for _name in """
    blas extra_ops fft inplace linalg nlinalg nnet opt random raw_random shared_randomstreams signal
    slinalg special subtensor xlogx
""".split():
    del globals()[_name]

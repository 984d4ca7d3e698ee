"""``theano.tensor.nnet``."""

from __future__ import annotations

from symtheano.tensor.nnet import *

from . import (
    Conv3D,
    abstract_conv,
    blocksparse,
    bn,
    conv,
    conv3d2d,
    ctc,
    neighbours,
    nnet,
    opt,
    sigm,
)
from .nnet import *
from .sigm import sigmoid_inplace, ultra_fast_sigmoid_inplace

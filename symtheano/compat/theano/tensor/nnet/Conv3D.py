"""``theano.tensor.nnet.Conv3D``."""

from __future__ import annotations

from symtheano.tensor.nnet.Conv3D import *

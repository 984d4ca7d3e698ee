"""``theano.tensor.nnet.conv3d2d``."""

from __future__ import annotations

from symtheano.tensor.nnet.conv3d2d import *

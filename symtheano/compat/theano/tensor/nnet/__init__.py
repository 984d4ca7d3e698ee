"""``theano.tensor.nnet``."""

from __future__ import annotations

from symtheano.tensor.nnet import *
from . import nnet
from .nnet import *

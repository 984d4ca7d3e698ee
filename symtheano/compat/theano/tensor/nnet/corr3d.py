"""``theano.tensor.nnet.corr3d``: classes of convolutions, for ``isinstance``."""

from __future__ import annotations

from symtheano.compat.op_classes import op_class

BaseCorr3dMM = op_class("BaseCorr3dMM")
Corr3dMM = op_class("Corr3dMM")
Corr3dMM_gradInputs = op_class("Corr3dMM_gradInputs")
Corr3dMM_gradWeights = op_class("Corr3dMM_gradWeights")

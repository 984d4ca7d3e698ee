"""``theano.tensor.nnet.corr``: classes of convolutions, for ``isinstance``."""

from __future__ import annotations

from symtheano.compat.op_classes import op_class

BaseCorrMM = op_class("BaseCorrMM")
CorrMM = op_class("CorrMM")
CorrMM_gradInputs = op_class("CorrMM_gradInputs")
CorrMM_gradWeights = op_class("CorrMM_gradWeights")

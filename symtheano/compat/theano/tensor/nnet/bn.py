"""``theano.tensor.nnet.bn``."""

from __future__ import annotations

from typing import Any

from symtheano.compat.op_classes import op_class
from symtheano.tensor import mean
from symtheano.tensor.nnet.bn import *

AbstractBatchNormInference = op_class("AbstractBatchNormInference")
AbstractBatchNormTrain = op_class("AbstractBatchNormTrain")


def _gradients(axes: Any = (0,)) -> Any:
    over = tuple(axes)

    def gradients(x: Any, dy: Any, scale: Any, x_mean: Any, x_invstd: Any, epsilon: Any = 0) -> Any:
        centered = x - x_mean
        product = mean(dy * centered, axis=over, keepdims=True)
        kept = dy - mean(dy, axis=over, keepdims=True) - centered * x_invstd**2 * product
        of_scale = (dy * centered * x_invstd).sum(axis=over, keepdims=True)
        return [scale * x_invstd * kept, of_scale, dy.sum(axis=over, keepdims=True)]

    return gradients, {"axes": over}


AbstractBatchNormTrainGrad = op_class("AbstractBatchNormTrainGrad", make=_gradients)

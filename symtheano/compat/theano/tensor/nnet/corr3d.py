"""``theano.tensor.nnet.corr3d``: correlations of volumes as classes."""

from __future__ import annotations

from typing import Any

from symtheano.compat.op_classes import op_class
from symtheano.tensor.nnet.convolution.ops import Convolution as _Convolution
from symtheano.tensor.nnet import conv3d as _conv3d


def _computes(op: Any, *wanted: str) -> bool:
    return isinstance(op, _Convolution) and len(op.subsample) == 3 and op.wanted in wanted


BaseCorr3dMM = op_class("BaseCorr3dMM", lambda op: _computes(op, "result", "image", "filter"))
Corr3dMM_gradInputs = op_class("Corr3dMM_gradInputs", lambda op: _computes(op, "image"))
Corr3dMM_gradWeights = op_class("Corr3dMM_gradWeights", lambda op: _computes(op, "filter"))


def _correlation(
    border_mode: Any = "valid",
    subsample: Any = (1, 1, 1),
    filter_dilation: Any = (1, 1, 1),
    num_groups: int = 1,
) -> Any:
    fields = {
        "border_mode": border_mode, "subsample": subsample, "filter_dilation": filter_dilation,
        "num_groups": num_groups,
    }  # fmt: skip
    return (lambda img, kern: _conv3d(img, kern, filter_flip=False, **fields)), fields


Corr3dMM = op_class("Corr3dMM", lambda op: _computes(op, "result"), _correlation)

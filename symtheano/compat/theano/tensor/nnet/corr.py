"""``theano.tensor.nnet.corr``: correlations of images as classes."""

from __future__ import annotations

from typing import Any

from symtheano.compat.op_classes import op_class
from symtheano.tensor.nnet.convolution.ops import Convolution as _Convolution
from symtheano.tensor.nnet import conv2d as _conv2d


def _computes(op: Any, *wanted: str) -> bool:
    return isinstance(op, _Convolution) and len(op.subsample) == 2 and op.wanted in wanted


BaseCorrMM = op_class("BaseCorrMM", lambda op: _computes(op, "result", "image", "filter"))
CorrMM_gradInputs = op_class("CorrMM_gradInputs", lambda op: _computes(op, "image"))
CorrMM_gradWeights = op_class("CorrMM_gradWeights", lambda op: _computes(op, "filter"))


def _correlation(
    border_mode: Any = "valid",
    subsample: Any = (1, 1),
    filter_dilation: Any = (1, 1),
    num_groups: int = 1,
    unshared: bool = False,
) -> Any:
    fields = {
        "border_mode": border_mode, "subsample": subsample, "filter_dilation": filter_dilation,
        "num_groups": num_groups, "unshared": unshared,
    }  # fmt: skip
    return (lambda img, kern: _conv2d(img, kern, filter_flip=False, **fields)), fields


CorrMM = op_class("CorrMM", lambda op: _computes(op, "result"), _correlation)

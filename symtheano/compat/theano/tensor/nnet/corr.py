"""``theano.tensor.nnet.corr``: correlations of images as classes."""

from __future__ import annotations

from typing import Any

from symtheano.compat.op_classes import op_class
from symtheano.tensor.nnet.convolution.ops import Convolution as _Convolution
from symtheano.tensor.nnet.abstract_conv import (
    AbstractConv2d,
    AbstractConv2d_gradInputs,
    AbstractConv2d_gradWeights,
)


def _computes(op: Any, *wanted: str) -> bool:
    return isinstance(op, _Convolution) and len(op.subsample) == 2 and op.wanted in wanted


BaseCorrMM = op_class("BaseCorrMM", lambda op: _computes(op, "result", "image", "filter"))


def _arguments(
    border_mode: Any = "valid",
    subsample: Any = (1, 1),
    filter_dilation: Any = (1, 1),
    num_groups: int = 1,
    unshared: bool = False,
) -> dict[str, Any]:
    return {
        "border_mode": border_mode, "subsample": subsample, "filter_dilation": filter_dilation,
        "num_groups": num_groups, "unshared": unshared,
    }  # fmt: skip


def _class(name: str, wanted: str, kind: Any) -> Any:
    def make(*args: Any, **options: Any) -> Any:
        fields = _arguments(*args, **options)
        return kind(filter_flip=False, **fields), fields

    return op_class(name, lambda op: _computes(op, wanted), make)


CorrMM = _class("CorrMM", "result", AbstractConv2d)
CorrMM_gradInputs = _class("CorrMM_gradInputs", "image", AbstractConv2d_gradInputs)
CorrMM_gradWeights = _class("CorrMM_gradWeights", "filter", AbstractConv2d_gradWeights)

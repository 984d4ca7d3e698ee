"""``theano.tensor.nnet.corr3d``: correlations of volumes as classes."""

from __future__ import annotations

from typing import Any

from symtheano.compat.op_classes import op_class
from symtheano.tensor.nnet.convolution.ops import Convolution as _Convolution
from symtheano.tensor.nnet.abstract_conv import (
    AbstractConv3d,
    AbstractConv3d_gradInputs,
    AbstractConv3d_gradWeights,
)


def _computes(op: Any, *wanted: str) -> bool:
    return isinstance(op, _Convolution) and len(op.subsample) == 3 and op.wanted in wanted


BaseCorr3dMM = op_class("BaseCorr3dMM", lambda op: _computes(op, "result", "image", "filter"))


def _arguments(
    border_mode: Any = "valid",
    subsample: Any = (1, 1, 1),
    filter_dilation: Any = (1, 1, 1),
    num_groups: int = 1,
) -> dict[str, Any]:
    return {
        "border_mode": border_mode, "subsample": subsample, "filter_dilation": filter_dilation,
        "num_groups": num_groups,
    }  # fmt: skip


def _class(name: str, wanted: str, kind: Any) -> Any:
    def make(*args: Any, **options: Any) -> Any:
        fields = _arguments(*args, **options)
        return kind(filter_flip=False, **fields), fields

    return op_class(name, lambda op: _computes(op, wanted), make)


Corr3dMM = _class("Corr3dMM", "result", AbstractConv3d)
Corr3dMM_gradInputs = _class("Corr3dMM_gradInputs", "image", AbstractConv3d_gradInputs)
Corr3dMM_gradWeights = _class("Corr3dMM_gradWeights", "filter", AbstractConv3d_gradWeights)

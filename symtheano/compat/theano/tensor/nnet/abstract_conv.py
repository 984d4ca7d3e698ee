"""``theano.tensor.nnet.abstract_conv``: convolutions as classes, which symtheano's op is one of."""

from __future__ import annotations

from typing import Any

import symtheano.tensor.nnet.convolution.abstract as _ours
from symtheano.tensor.nnet.abstract_conv import *
from symtheano.tensor.nnet.convolution.ops import Convolution as _Convolution

try:
    import scipy.signal
except ImportError:
    imported_scipy_signal = False
else:
    imported_scipy_signal = True


class _ConvolutionClass(type):
    """``isinstance`` asks what a convolution computes, and over how many axes."""

    wanted: Any
    dims: int | None

    def __instancecheck__(cls, instance: Any) -> bool:
        if not isinstance(instance, _Convolution):
            return super().__instancecheck__(instance)
        of_dims = cls.dims is None or len(instance.subsample) == cls.dims
        return of_dims and instance.wanted == getattr(cls, "wanted", instance.wanted)


for _kind in ("", "_gradInputs", "_gradWeights"):
    for _suffix, _dims in (("", None), ("2d", 2), ("3d", 3)):
        _name = f"AbstractConv{_suffix}{_kind}"
        globals()[_name] = _ConvolutionClass(
            _name,
            (getattr(_ours, _name),),
            {"dims": _dims, "__module__": __name__, "__doc__": f"Theano's class {_name}."},
        )
BaseAbstractConv = _ConvolutionClass(
    "BaseAbstractConv", (_ours.BaseAbstractConv,), {"dims": None, "__module__": __name__}
)

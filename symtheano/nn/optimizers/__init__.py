"""Optimizers: rules that update parameters with the gradients of a cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symtheano.names import hide_submodules
from symtheano.nn.configuration import build, find
from symtheano.nn.missing import missing_in
from symtheano.nn.optimizers.adam import Adam, Adamax, AdamW, AMSGrad, NAdam
from symtheano.nn.optimizers.adaptive import Adadelta, Adagrad, RMSProp
from symtheano.nn.optimizers.base import Optimizer
from symtheano.nn.optimizers.descent import SGD, Lion
from symtheano.nn.optimizers.full_batch import FullBatch
from symtheano.nn.optimizers.lbfgs import BFGS, LBFGS, ConjugateGradient

__all__ = [
    "BFGS", "LBFGS", "OPTIMIZERS", "SGD", "AMSGrad", "Adadelta", "Adagrad", "Adam", "AdamW",
    "Adamax", "ConjugateGradient", "FullBatch", "Lion", "NAdam", "Optimizer", "RMSProp",
    "from_config", "get",
]  # fmt: skip

OPTIMIZERS: dict[str, Any] = {
    "sgd": SGD, "adagrad": Adagrad, "adadelta": Adadelta, "rmsprop": RMSProp, "adam": Adam,
    "adamw": AdamW, "adamax": Adamax, "nadam": NAdam, "amsgrad": AMSGrad, "lion": Lion,
    "lbfgs": LBFGS, "bfgs": BFGS, "conjugate_gradient": ConjugateGradient,
}  # fmt: skip
"""Optimizers by name."""


def get(what: Any) -> Any:
    """Return an optimizer.

    Parameters
    ----------
    what
        A name such as ``"adam"``, an optimizer, the class of an optimizer, or the result of its
        ``config``. Names and classes give an optimizer with the default arguments.

    Raises
    ------
    ValueError
        If there is no optimizer of this name.
    TypeError
        If the argument is something else.

    Examples
    --------
    >>> type(get("adam")).__name__, get("sgd").learning_rate
    ('Adam', 0.01)
    """
    kinds, expected = Optimizer | FullBatch, "a name or an Optimizer"
    return find("optimizer", what, OPTIMIZERS, kinds, from_config, expected, functions=False)


def from_config(config: Mapping[str, Any]) -> Any:
    """Return the optimizer from the result of :meth:`Optimizer.config`, with a new state.

    Examples
    --------
    >>> from_config(SGD(0.5, momentum=0.25).config()).momentum
    0.25
    """
    return build("optimizer", config, OPTIMIZERS)


__getattr__ = missing_in(__name__, __all__)
hide_submodules(__name__, ("adam", "lbfgs"))

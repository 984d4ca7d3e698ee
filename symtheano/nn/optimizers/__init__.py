"""Optimizers: rules that change parameters by the gradients of a cost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from symtheano.nn.configuration import build, find
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
    "sgd": SGD,
    "adagrad": Adagrad,
    "adadelta": Adadelta,
    "rmsprop": RMSProp,
    "adam": Adam,
    "adamw": AdamW,
    "adamax": Adamax,
    "nadam": NAdam,
    "amsgrad": AMSGrad,
    "lion": Lion,
    "lbfgs": LBFGS,
    "bfgs": BFGS,
    "conjugate_gradient": ConjugateGradient,
}
"""Optimizers by name."""


def get(what: Any) -> Any:
    """Return an optimizer.

    Parameters
    ----------
    what
        A name (``"adam"``), an optimizer, its class, or what ``config`` returned.

    Raises
    ------
    ValueError
        For a name that does not exist.
    TypeError
        For anything else.

    Examples
    --------
    >>> type(get("adam")).__name__, get("sgd").learning_rate
    ('Adam', 0.01)
    """
    kinds, expected = Optimizer | FullBatch, "a name or an Optimizer"
    return find("optimizer", what, OPTIMIZERS, kinds, from_config, expected, functions=False)


def from_config(config: Mapping[str, Any]) -> Any:
    """Return an optimizer like the one that ``config`` described, with a new state.

    Examples
    --------
    >>> from_config(SGD(0.5, momentum=0.25).config()).momentum
    0.25
    """
    return build("optimizer", config, OPTIMIZERS)

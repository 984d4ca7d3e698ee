"""Losses and metrics that are functions of the user: the order of their two arguments."""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, signature
from typing import Any

# Names without case and underscores.
TARGETS = frozenset(
    "ytrue true truth groundtruth target targets label labels expected actual".split()
)
PREDICTIONS = frozenset(
    "ypred yhat pred preds predicted prediction predictions output outputs logits probs".split()
)
_POSITIONAL = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)


def takes_targets_first(function: Callable[..., Any]) -> bool:
    """Return whether a function takes targets and then predictions, by the names of its parameters.

    Losses here take predictions first, those of Keras ``(y_true, y_pred)``. The first parameter is
    that of targets if it is named ``y_true``, ``target``, ``label`` or the like, or if the second
    one is named ``y_pred``, ``prediction``, ``output`` or the like. If one name says so and the
    other one the opposite, or none says anything, predictions are first.

    Parameters
    ----------
    function
        A function of two arrays, or an object that is called like one.

    Examples
    --------
    >>> takes_targets_first(lambda y_true, y_pred: y_true), takes_targets_first(lambda p, t: p)
    (True, False)
    """
    try:
        parameters = signature(function).parameters.values()
    except (TypeError, ValueError):  # functions in C may have none
        return False
    names = [p.name.replace("_", "").lower() for p in parameters if p.kind in _POSITIONAL][:2]
    first, second = [*names, "", ""][:2]
    says = first in TARGETS or second in PREDICTIONS
    return says and first not in PREDICTIONS and second not in TARGETS


def call_in_order(
    function: Callable[..., Any], predictions: Any, targets: Any, **options: Any
) -> Any:
    """Return what a function makes of predictions and targets, in the order in which it takes them.

    Examples
    --------
    >>> call_in_order(lambda y_true, y_pred: y_pred - y_true, 3, 1)
    2
    >>> call_in_order(lambda predictions, targets: predictions - targets, 3, 1)
    2
    """
    if takes_targets_first(function):
        return function(targets, predictions, **options)
    return function(predictions, targets, **options)

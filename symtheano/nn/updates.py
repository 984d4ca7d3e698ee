"""Optimizers as functions that return updates, for ``function(updates=...)``.

Each takes a cost or the gradients, the parameters, and a learning rate: a number, a 0-d variable or
a schedule. The rules are those of :mod:`symtheano.nn.optimizers`, whose docstrings have the
formulas.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from symtheano import OrderedUpdates
from symtheano.nn import optimizers
from symtheano.nn.optimizers import Optimizer

__all__ = [
    "adadelta", "adagrad", "adam", "adamax", "adamw", "amsgrad", "lion", "momentum", "nadam",
    "nesterov_momentum", "rmsprop", "sgd",
]  # fmt: skip


def _updates(rule: Optimizer, loss_or_grads: Any, params: Sequence[Any]) -> OrderedUpdates:
    if isinstance(loss_or_grads, list | tuple):
        return rule.updates(None, params, loss_or_grads)
    return rule.updates(loss_or_grads, params)


def sgd(loss_or_grads: Any, params: Sequence[Any], learning_rate: Any) -> OrderedUpdates:
    """Return the updates of gradient descent, see :class:`.SGD`.

    Parameters
    ----------
    loss_or_grads
        A 0-d expression, or a list of gradients.
    params
        Shared variables of floats.
    learning_rate
        A number, a 0-d variable, or a schedule.

    Returns
    -------
    A mapping from shared variables to expressions.

    Examples
    --------
    >>> import numpy as np
    >>> import symtheano
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=sgd((w**2).sum(), [w], 0.25))()
    >>> w.get_value()
    array([ 0.5, -1. ])
    """
    return _updates(optimizers.SGD(learning_rate), loss_or_grads, params)


def momentum(
    loss_or_grads: Any, params: Sequence[Any], learning_rate: Any, momentum: float = 0.9
) -> OrderedUpdates:
    """Return the updates of gradient descent with momentum, see :class:`.SGD`.

    Lasagne's velocity contains the learning rate; the results are the same while it is constant.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(momentum((w**2).sum(), [w], 0.25))
    [w, w.velocity, step]
    """
    rule = optimizers.SGD(learning_rate, momentum)
    return _updates(rule, loss_or_grads, params)


def nesterov_momentum(
    loss_or_grads: Any, params: Sequence[Any], learning_rate: Any, momentum: float = 0.9
) -> OrderedUpdates:
    """Return the updates of gradient descent with Nesterov's momentum, see :class:`.SGD`.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(nesterov_momentum((w**2).sum(), [w], 0.25))
    [w, w.velocity, step]
    """
    rule = optimizers.SGD(learning_rate, momentum, nesterov=True)
    return _updates(rule, loss_or_grads, params)


def adagrad(
    loss_or_grads: Any, params: Sequence[Any], learning_rate: Any = 1.0, epsilon: float = 1e-6
) -> OrderedUpdates:
    """Return the updates of Adagrad, see :class:`.Adagrad`.

    Epsilon is added to the root.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(adagrad((w**2).sum(), [w]))
    [w, w.sum, step]
    """
    rule = optimizers.Adagrad(learning_rate, epsilon=epsilon)
    return _updates(rule, loss_or_grads, params)


def rmsprop(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 1.0,
    rho: float = 0.9,
    epsilon: float = 1e-6,
) -> OrderedUpdates:
    """Return the updates of RMSProp, see :class:`.RMSProp`.

    Epsilon is added to the root.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(rmsprop((w**2).sum(), [w]))
    [w, w.square, step]
    """
    rule = optimizers.RMSProp(learning_rate, rho, epsilon=epsilon)
    return _updates(rule, loss_or_grads, params)


def adadelta(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 1.0,
    rho: float = 0.95,
    epsilon: float = 1e-6,
) -> OrderedUpdates:
    """Return the updates of Adadelta, see :class:`.Adadelta`.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(adadelta((w**2).sum(), [w]))
    [w, w.square, w.change, step]
    """
    rule = optimizers.Adadelta(learning_rate, rho, epsilon)
    return _updates(rule, loss_or_grads, params)


def adam(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> OrderedUpdates:
    """Return the updates of Adam, see :class:`.Adam`.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(adam((w**2).sum(), [w]))
    [w, w.mean, w.square, step]
    """
    rule = optimizers.Adam(learning_rate, beta1, beta2, epsilon)
    return _updates(rule, loss_or_grads, params)


def adamw(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    weight_decay: float = 0.01,
) -> OrderedUpdates:
    """Return the updates of Adam with decoupled weight decay, see :class:`.AdamW`.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(adamw((w**2).sum(), [w]))
    [w, w.mean, w.square, step]
    """
    rule = optimizers.AdamW(learning_rate, beta1, beta2, epsilon, weight_decay=weight_decay)
    return _updates(rule, loss_or_grads, params)


def adamax(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 0.002,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> OrderedUpdates:
    """Return the updates of Adamax, see :class:`.Adamax`.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(adamax((w**2).sum(), [w]))
    [w, w.mean, w.largest, step]
    """
    rule = optimizers.Adamax(learning_rate, beta1, beta2, epsilon)
    return _updates(rule, loss_or_grads, params)


def amsgrad(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> OrderedUpdates:
    """Return the updates of AMSGrad, see :class:`.AMSGrad`.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(amsgrad((w**2).sum(), [w]))
    [w, w.mean, w.square, w.largest, step]
    """
    rule = optimizers.AMSGrad(learning_rate, beta1, beta2, epsilon)
    return _updates(rule, loss_or_grads, params)


def nadam(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 0.002,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> OrderedUpdates:
    """Return the updates of Adam with Nesterov's momentum, see :class:`.NAdam`.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(nadam((w**2).sum(), [w]))
    [w, w.mean, w.square, momentum_product, step]
    """
    rule = optimizers.NAdam(learning_rate, beta1, beta2, epsilon)
    return _updates(rule, loss_or_grads, params)


def lion(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 1e-4,
    beta1: float = 0.9,
    beta2: float = 0.99,
) -> OrderedUpdates:
    """Return the updates of Lion, see :class:`.Lion`.

    The arguments are those of :func:`sgd`, and those of the rule.

    Examples
    --------
    >>> from symtheano import shared
    >>> w = shared([1.0], "w")
    >>> list(lion((w**2).sum(), [w]))
    [w, w.mean, step]
    """
    rule = optimizers.Lion(learning_rate, beta1, beta2)
    return _updates(rule, loss_or_grads, params)

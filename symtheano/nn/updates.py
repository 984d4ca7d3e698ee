"""Optimizers as functions that return updates, for ``function(updates=...)``.

The functions have Lasagne's names of arguments, and its defaults. The docstrings of
:mod:`symtheano.nn.optimizers` have the formulas.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import cleandoc, signature
from typing import Any, ParamSpec

from symtheano import OrderedUpdates
from symtheano.nn import optimizers
from symtheano.nn.documentation import with_parameters
from symtheano.nn.missing import missing_in
from symtheano.nn.optimizers import Optimizer

__all__ = [
    "adadelta", "adagrad", "adam", "adamax", "adamw", "amsgrad", "lion", "momentum", "nadam",
    "nesterov_momentum", "rmsprop", "sgd",
]  # fmt: skip

P = ParamSpec("P")

_DESCRIPTIONS = {
    "loss_or_grads": "The cost, a 0-d expression; or a list with the gradient of each parameter.",
    "params": "The parameters, shared variables of floats.",
    "learning_rate": "A number, a 0-d variable, or a schedule.",
    "momentum": "The share of the velocity that is kept in each update.",
    "rho": "The decay rate of the running means.",
    "beta1": "The decay rate of the running mean of gradients.",
    "beta2": "The decay rate of the second running mean, or of the running maximum.",
    "epsilon": "A small number that avoids a division by zero.",
    "weight_decay": "The factor of the decay.",
}


def _described(function: Callable[P, OrderedUpdates]) -> Callable[P, OrderedUpdates]:
    """Add descriptions of all arguments to the docstring."""
    if function.__doc__ is not None:  # it is None under ``python -OO``
        entries = [
            ([name], f"    {_DESCRIPTIONS[name]}") for name in signature(function).parameters
        ]
        function.__doc__ = with_parameters(cleandoc(function.__doc__), entries)
    return function


def _updates(rule: Optimizer, loss_or_grads: Any, params: Sequence[Any]) -> OrderedUpdates:
    if isinstance(loss_or_grads, list | tuple):
        return rule.updates(None, params, loss_or_grads)
    return rule.updates(loss_or_grads, params)


@_described
def sgd(loss_or_grads: Any, params: Sequence[Any], learning_rate: Any) -> OrderedUpdates:
    """Return the updates of gradient descent, see :class:`.SGD`.

    Examples
    --------
    >>> w = symtheano.shared(np.array([1.0, -2.0]), "w")
    >>> _ = symtheano.function([], updates=sgd((w**2).sum(), [w], 0.25))()
    >>> w.get_value()
    array([ 0.5, -1. ])
    """
    return _updates(optimizers.SGD(learning_rate), loss_or_grads, params)


@_described
def momentum(
    loss_or_grads: Any, params: Sequence[Any], learning_rate: Any, momentum: float = 0.9
) -> OrderedUpdates:
    """Return the updates of gradient descent with momentum, see :class:`.SGD`.

    In Lasagne, the velocity contains the learning rate. The results are the same as long as the
    learning rate is constant.

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(momentum((w**2).sum(), [w], 0.25))
    [w, w.velocity, step]
    """
    return _updates(optimizers.SGD(learning_rate, momentum), loss_or_grads, params)


@_described
def nesterov_momentum(
    loss_or_grads: Any, params: Sequence[Any], learning_rate: Any, momentum: float = 0.9
) -> OrderedUpdates:
    """Return the updates of gradient descent with Nesterov momentum, see :class:`.SGD`.

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(nesterov_momentum((w**2).sum(), [w], 0.25))
    [w, w.velocity, step]
    """
    return _updates(optimizers.SGD(learning_rate, momentum, nesterov=True), loss_or_grads, params)


@_described
def adagrad(
    loss_or_grads: Any, params: Sequence[Any], learning_rate: Any = 1.0, epsilon: float = 1e-6
) -> OrderedUpdates:
    """Return the updates of Adagrad, see :class:`.Adagrad`.

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(adagrad((w**2).sum(), [w]))
    [w, w.sum, step]
    """
    return _updates(optimizers.Adagrad(learning_rate, epsilon=epsilon), loss_or_grads, params)


@_described
def rmsprop(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 1.0,
    rho: float = 0.9,
    epsilon: float = 1e-6,
) -> OrderedUpdates:
    """Return the updates of RMSProp, see :class:`.RMSProp`.

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(rmsprop((w**2).sum(), [w]))
    [w, w.square, step]
    """
    return _updates(optimizers.RMSProp(learning_rate, rho, epsilon=epsilon), loss_or_grads, params)


@_described
def adadelta(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 1.0,
    rho: float = 0.95,
    epsilon: float = 1e-6,
) -> OrderedUpdates:
    """Return the updates of Adadelta, see :class:`.Adadelta`.

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(adadelta((w**2).sum(), [w]))
    [w, w.square, w.change, step]
    """
    return _updates(optimizers.Adadelta(learning_rate, rho, epsilon), loss_or_grads, params)


@_described
def adam(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> OrderedUpdates:
    """Return the updates of Adam, see :class:`.Adam`.

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(adam((w**2).sum(), [w]))
    [w, w.mean, w.square, step]
    """
    return _updates(optimizers.Adam(learning_rate, beta1, beta2, epsilon), loss_or_grads, params)


@_described
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

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(adamw((w**2).sum(), [w]))
    [w, w.mean, w.square, step]
    """
    return _updates(
        optimizers.AdamW(learning_rate, beta1, beta2, epsilon, weight_decay=weight_decay),
        loss_or_grads,
        params,
    )


@_described
def adamax(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 0.002,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> OrderedUpdates:
    """Return the updates of Adamax, see :class:`.Adamax`.

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(adamax((w**2).sum(), [w]))
    [w, w.mean, w.largest, step]
    """
    return _updates(optimizers.Adamax(learning_rate, beta1, beta2, epsilon), loss_or_grads, params)


@_described
def amsgrad(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> OrderedUpdates:
    """Return the updates of AMSGrad, see :class:`.AMSGrad`.

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(amsgrad((w**2).sum(), [w]))
    [w, w.mean, w.square, w.largest, step]
    """
    return _updates(optimizers.AMSGrad(learning_rate, beta1, beta2, epsilon), loss_or_grads, params)


@_described
def nadam(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 0.002,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
) -> OrderedUpdates:
    """Return the updates of Adam with Nesterov momentum, see :class:`.NAdam`.

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(nadam((w**2).sum(), [w]))
    [w, w.mean, w.square, momentum_product, step]
    """
    return _updates(optimizers.NAdam(learning_rate, beta1, beta2, epsilon), loss_or_grads, params)


@_described
def lion(
    loss_or_grads: Any,
    params: Sequence[Any],
    learning_rate: Any = 1e-4,
    beta1: float = 0.9,
    beta2: float = 0.99,
) -> OrderedUpdates:
    """Return the updates of Lion, see :class:`.Lion`.

    Examples
    --------
    >>> w = symtheano.shared([1.0], "w")
    >>> list(lion((w**2).sum(), [w]))
    [w, w.mean, step]
    """
    return _updates(optimizers.Lion(learning_rate, beta1, beta2), loss_or_grads, params)


__getattr__ = missing_in(__name__, __all__)

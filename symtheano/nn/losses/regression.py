"""Losses for regression.

``predictions`` and ``targets`` have equal shapes. The loss of an item is a mean over the last axis.
If predictions and targets are vectors, their elements are the items. For ``reduction`` and
``weights``, see :func:`~symtheano.nn.losses.reduction.reduced`.
"""

from __future__ import annotations

from math import log, pi
from typing import Any

import symtheano.tensor as T
from symtheano.nn.documentation import described_by
from symtheano.nn.floats import like
from symtheano.nn.losses.reduction import over_last, pair, reduced

TINY = 1e-7
"""A small number that avoids divisions by zero and logarithms of zero."""


@described_by(reduced)
def mean_squared_error(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the mean squared error, ``mean((predictions - targets)**2)``.

    Parameters
    ----------
    predictions, targets
        Two arrays of equal shapes. The mean is taken over the last axis.

    Examples
    --------
    >>> mean_squared_error(np.array([1.0, 2.0]), np.array([1.0, 4.0])).eval()
    array(2.)
    """
    predictions, targets = pair("mean_squared_error", predictions, targets)
    return reduced(over_last(T.sqr(predictions - targets)), reduction, weights)


@described_by(mean_squared_error)
def root_mean_squared_error(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the root mean squared error, ``sqrt(mean((predictions - targets)**2))``.

    The root is taken after the reduction: with ``reduction="mean"``, it is the root of the mean
    over the batch.

    Examples
    --------
    >>> root_mean_squared_error(np.array([1.0, 2.0]), np.array([1.0, 4.0])).eval().round(4)
    np.float64(1.4142)
    """
    return T.sqrt(mean_squared_error(predictions, targets, reduction=reduction, weights=weights))


@described_by(mean_squared_error)
def mean_absolute_error(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the mean absolute error, ``mean(abs(predictions - targets))``.

    Examples
    --------
    >>> mean_absolute_error(np.array([1.0, 2.0]), np.array([1.0, 4.0])).eval()
    array(1.)
    """
    predictions, targets = pair("mean_absolute_error", predictions, targets)
    return reduced(over_last(abs(predictions - targets)), reduction, weights)


@described_by(mean_squared_error)
def mean_absolute_percentage_error(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the mean absolute error in percent of the targets.

    It is ``100 * mean(abs(predictions - targets) / max(abs(targets), 1e-7))``.

    Examples
    --------
    >>> mean_absolute_percentage_error(np.array([1.0, 2.0]), np.array([1.0, 4.0])).eval()
    array(25.)
    """
    predictions, targets = pair("mean_absolute_percentage_error", predictions, targets)
    share = abs(predictions - targets) / T.maximum(abs(targets), like(TINY, targets))
    return reduced(100 * over_last(share), reduction, weights)


@described_by(mean_squared_error)
def mean_squared_logarithmic_error(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return the mean squared logarithmic error.

    It is ``mean((log(1 + predictions) - log(1 + targets))**2)``. Negative numbers count as 0.

    Examples
    --------
    >>> mean_squared_logarithmic_error(np.array([1.0]), np.array([0.0])).eval().round(4)
    np.float64(0.4805)
    """
    pairs = pair("mean_squared_logarithmic_error", predictions, targets)
    left, right = (T.log1p(T.maximum(x, like(0, x))) for x in pairs)
    return reduced(over_last(T.sqr(left - right)), reduction, weights)


@described_by(mean_squared_error)
def huber(
    predictions: Any,
    targets: Any,
    *,
    delta: float = 1.0,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the Huber loss, which is quadratic for small differences and linear for large ones.

    It is the mean of ``d**2 / 2`` where the difference ``abs(d)`` is at most ``delta``, and of
    ``delta * (abs(d) - delta / 2)`` elsewhere. See Huber, 1964, Robust estimation of a location
    parameter.

    Parameters
    ----------
    delta
        The difference from which on the loss is linear. The default is 1.

    Examples
    --------
    >>> huber(np.array([0.5, -3.0]), np.zeros(2), reduction=None).eval()
    array([0.125, 2.5  ])
    """
    predictions, targets = pair("huber", predictions, targets)
    return reduced(over_last(T.nnet.huber_loss(predictions, targets, delta)), reduction, weights)


@described_by(mean_squared_error)
def smooth_l1(
    predictions: Any,
    targets: Any,
    *,
    beta: float = 1.0,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the smooth absolute error, which is quadratic for small differences.

    It is the mean of ``d**2 / (2 * beta)`` where the difference ``abs(d)`` is at most ``beta``, and
    of ``abs(d) - beta / 2`` elsewhere: :func:`huber` divided by ``beta``. See Girshick, 2015, Fast
    R-CNN.

    Parameters
    ----------
    beta
        The difference from which on the loss is linear. The default is 1. With 0, the loss is the
        mean absolute error.

    Examples
    --------
    >>> smooth_l1(np.array([0.25, -3.0]), np.zeros(2), beta=0.5, reduction=None).eval()
    array([0.0625, 2.75  ])
    """
    if beta == 0:
        return mean_absolute_error(predictions, targets, reduction=reduction, weights=weights)
    predictions, targets = pair("smooth_l1", predictions, targets)
    losses = T.nnet.huber_loss(predictions, targets, beta) / like(beta, predictions)
    return reduced(over_last(losses), reduction, weights)


@described_by(mean_squared_error)
def log_cosh(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return ``mean(log(cosh(predictions - targets)))``, computed without overflow.

    Examples
    --------
    >>> log_cosh(np.array([1.0, 1000.0]), np.zeros(2), reduction=None).eval().round(4)
    array([4.338000e-01, 9.993069e+02])
    """
    predictions, targets = pair("log_cosh", predictions, targets)
    distance = abs(predictions - targets)
    losses = distance + T.nnet.softplus(-2 * distance) - like(log(2), distance)
    return reduced(over_last(losses), reduction, weights)


@described_by(mean_squared_error)
def quantile(
    predictions: Any,
    targets: Any,
    *,
    share: float = 0.5,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the quantile loss, ``mean(max(share * d, (share - 1) * d))``.

    Here ``d = targets - predictions``. The loss is smallest if the given share of the targets is
    below the predictions. See Koenker and Bassett, 1978, Regression quantiles.

    Parameters
    ----------
    share
        The share of targets below the predictions, from 0 to 1. The default, 0.5, is the median.

    Examples
    --------
    >>> quantile(np.zeros(2), np.array([1.0, -1.0]), share=0.75, reduction=None).eval()
    array([0.75, 0.25])
    """
    if not 0 <= share <= 1:
        raise ValueError(f"quantile: share must be between 0 and 1, not {share}")
    predictions, targets = pair("quantile", predictions, targets)
    d = targets - predictions
    losses = T.maximum(like(share, d) * d, like(share - 1, d) * d)
    return reduced(over_last(losses), reduction, weights)


@described_by(reduced)
def cosine_similarity(
    predictions: Any, targets: Any, *, reduction: str | None = "mean", weights: Any = None
) -> Any:
    """Return minus the cosine of the angle between predictions and targets.

    The loss is -1 for vectors of equal directions, 1 for opposite directions, and 0 if one of the
    vectors is zero.

    Parameters
    ----------
    predictions, targets
        Vectors along the last axis, two arrays of equal shapes.

    Examples
    --------
    >>> cosine_similarity(np.array([[1.0, 0.0]]), np.array([[1.0, 1.0]])).eval().round(4)
    np.float64(-0.7071)
    """
    predictions, targets = pair("cosine_similarity", predictions, targets)
    return reduced(-cosine(predictions, targets), reduction, weights)


def cosine(left: Any, right: Any, floor: float = 1e-12) -> Any:
    """Return the cosines between vectors along the last axis.

    Squared lengths less than ``floor`` are replaced by ``floor``.

    Examples
    --------
    >>> cosine(T.constant(np.array([[3.0, 4.0]])), T.constant(np.array([[1.0, 0.0]]))).eval()
    array([0.6])
    """
    axis = left.ndim - 1

    def square(x: Any) -> Any:
        return T.maximum((x * x).sum(axis=axis), like(floor, x))

    return (left * right).sum(axis=axis) / T.sqrt(square(left) * square(right))


@described_by(reduced)
def poisson(
    predictions: Any,
    targets: Any,
    *,
    log_input: bool = False,
    epsilon: float = TINY,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the Poisson loss, ``mean(predictions - targets * log(predictions + epsilon))``.

    It is the negative log-likelihood of counts, without the term that does not depend on the
    predictions.

    Parameters
    ----------
    predictions
        Means of Poisson distributions, an array of any shape.
    targets
        Counts, an array of the same shape. The mean is taken over the last axis.
    log_input
        Whether the predictions are logarithms x of the means. The loss is then
        ``mean(exp(x) - targets * x)``.
    epsilon
        A small number that avoids the logarithm of zero.

    Examples
    --------
    >>> poisson(np.array([2.0]), np.array([3.0])).eval().round(4)
    np.float64(-0.0794)
    """
    predictions, targets = pair("poisson", predictions, targets)
    if log_input:
        losses = T.exp(predictions) - targets * predictions
    else:
        losses = predictions - targets * T.log(predictions + like(epsilon, predictions))
    return reduced(over_last(losses), reduction, weights)


@described_by(reduced)
def gaussian_nll(
    predictions: Any,
    targets: Any,
    variances: Any,
    *,
    full: bool = False,
    epsilon: float = 1e-6,
    reduction: str | None = "mean",
    weights: Any = None,
) -> Any:
    """Return the Gaussian loss, ``mean(log(v) + (predictions - targets)**2 / v) / 2``.

    It is the negative log-likelihood of normal distributions with variances v, without a constant.
    See Nix and Weigend, 1994, Estimating the mean and variance of the target probability
    distribution.

    Parameters
    ----------
    predictions
        Means of normal distributions, an array of any shape.
    targets
        Values, an array of the same shape. The mean is taken over the last axis.
    variances
        Variances v, an array that broadcasts to the shape of the predictions.
    full
        Whether the constant, ``log(2 * pi) / 2``, is added.
    epsilon
        The smallest variance. Smaller variances are replaced by it, and get no gradient.

    Examples
    --------
    >>> gaussian_nll(np.array([1.0]), np.array([3.0]), np.array([4.0])).eval().round(4)
    np.float64(1.1931)
    """
    predictions, targets = pair("gaussian_nll", predictions, targets)
    v = T.cast(T.as_tensor_variable(variances), predictions.dtype)
    v = T.maximum(v, like(epsilon, v))
    losses = (T.log(v) + T.sqr(predictions - targets) / v) / 2
    if full:
        losses = losses + like(log(2 * pi) / 2, losses)
    return reduced(over_last(losses), reduction, weights)

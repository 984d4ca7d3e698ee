"""The base class of metrics, and metrics that are means over items."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

import symtheano.tensor as T
from symtheano.nn.configuration import Described
from symtheano.nn.floats import as_float
from symtheano.nn.losses import OF_LABELS, Loss, from_config as loss_from_config
from symtheano.nn.losses.order import call_in_order
from symtheano.nn.losses.reduction import over_last, pair, spread
from symtheano.nn.losses.regression import cosine

Totals = npt.NDArray[np.float64]


class Metric(Described):
    """Base class of metrics, which are computed over many batches.

    :meth:`totals` returns an expression of sums over one batch. A training step computes it
    together with the loss. The totals of all batches are added up, and :meth:`result` computes the
    metric from their sum with NumPy.

    Examples
    --------
    >>> from symtheano.nn import metrics
    >>> metric = metrics.get("accuracy")
    >>> sums = metric.totals(np.array([[0.9, 0.1], [0.4, 0.6]]), np.array([0, 0])).eval()
    >>> sums, metric.result(sums), metric.name
    (array([1., 2.]), 0.5, 'accuracy')
    """

    @property
    def name(self) -> str:
        """The name of the metric in the results of ``fit`` and ``evaluate``."""
        return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", type(self).__name__).lower()

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the totals."""
        return (2,)

    def takes_labels(self) -> bool:
        """Return whether targets may be integers without the axis of classes."""
        return True

    def for_output(self, shape: tuple[int | None, ...]) -> Metric:
        """Return the metric for an output of a network.

        Parameters
        ----------
        shape
            The shape of one sample of the output, without the batch axis.
        """
        return self

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        """Return the sums of a batch, a float64 expression of shape :attr:`shape`.

        Parameters
        ----------
        predictions, targets
            The predictions and targets of a batch. The loss of the same name takes the same arrays.
        weights
            A weight for each item, an array with the first axes of the shape of the targets. None:
            all weights are 1.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method 'totals'")

    def result(self, totals: Any) -> Any:
        """Return the metric, a number or an array, from the sum of the totals of all batches.

        Parameters
        ----------
        totals
            A NumPy array of shape :attr:`shape`. If its sum of weights is 0, the mean is NaN.
        """
        total, weight = np.asarray(totals, "float64")
        return float(total / weight) if weight else float("nan")


def weighted(values: Any, weights: Any = None) -> Any:
    """Return a vector of two elements: the sum of the weighted values, and the sum of the weights.

    Examples
    --------
    >>> weighted(T.constant(np.array([1.0, 2.0])), np.array([1.0, 3.0])).eval()
    array([7., 4.])
    """
    values = T.cast(values, "float64")
    if weights is None:
        return T.stack([values.sum(), T.cast(values.size, "float64")])
    own = T.zeros_like(values) + spread(weights, values)
    return T.stack([(values * own).sum(), own.sum()])


def item_weights(x: Any, weights: Any = None) -> Any:
    """Return a float64 array with the shape of ``x`` that has a weight for each element.

    Examples
    --------
    >>> item_weights(T.constant(np.zeros((2, 3)))).eval().shape
    (2, 3)
    """
    ones = T.ones_like(x, dtype="float64")
    return ones if weights is None else ones * spread(weights, ones)


@dataclass(frozen=True)
class MeanLoss(Metric):
    """The mean of a loss over all items.

    Parameters
    ----------
    loss
        The name of a loss such as ``"mae"``, a :class:`~symtheano.nn.losses.Loss`, the result of
        its ``config``, or a function of predictions and targets that returns an expression with the
        loss of each item. A function whose parameters are named like ``(y_true, y_pred)`` gets the
        targets first; see :meth:`~symtheano.nn.Model.compile`.

    Examples
    --------
    >>> metric = MeanLoss("mae")
    >>> metric.result(metric.totals(np.array([1.0, 2.0]), np.array([1.0, 4.0])).eval())
    1.0
    """

    loss: Any

    def __post_init__(self) -> None:
        """Replace a name or a description by the loss."""
        if isinstance(self.loss, str):
            object.__setattr__(self, "loss", Loss(self.loss))
        elif isinstance(self.loss, dict):
            object.__setattr__(self, "loss", loss_from_config(self.loss))

    def takes_labels(self) -> bool:
        return not isinstance(self.loss, Loss) or self.loss.name in OF_LABELS

    @property
    def name(self) -> str:
        """The name of the loss."""
        loss: Loss | Callable[..., Any] = self.loss
        return loss.name if isinstance(loss, Loss) else getattr(loss, "__name__", "metric")

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        if isinstance(self.loss, Loss):
            return weighted(self.loss(predictions, targets, reduction=None), weights)
        return weighted(call_in_order(self.loss, predictions, targets), weights)


@dataclass(frozen=True)
class RootMeanSquaredError(Metric):
    """The root of the mean squared error over all items.

    Examples
    --------
    >>> metric = RootMeanSquaredError()
    >>> metric.result(metric.totals(np.array([1.0, 5.0]), np.array([1.0, 1.0])).eval()) ** 2
    8.000000000000002
    """

    def takes_labels(self) -> bool:
        return False

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        x, t = pair("root_mean_squared_error", predictions, targets)
        return weighted(over_last(T.sqr(x - t)), weights)

    def result(self, totals: Any) -> Any:
        return float(np.sqrt(super().result(totals)))


@dataclass(frozen=True)
class CosineSimilarity(Metric):
    """The mean cosine of the angles between predictions and targets, vectors along the last axis.

    Examples
    --------
    >>> metric = CosineSimilarity()
    >>> metric.result(metric.totals(np.array([[3.0, 4.0]]), np.array([[1.0, 0.0]])).eval())
    0.6
    """

    def takes_labels(self) -> bool:
        return False

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        return weighted(cosine(*pair("cosine_similarity", predictions, targets)), weights)


@dataclass(frozen=True)
class R2(Metric):
    """The coefficient of determination, ``1 - sum((t - p)**2) / sum((t - mean(t))**2)``.

    It is the share of the variance of the targets that the predictions explain. It is computed for
    each output, and the mean over the outputs is returned. If all targets of an output are equal,
    it is 1 for exact predictions and 0 for others.

    Parameters
    ----------
    outputs
        The number of outputs, which is the length of the last axis of predictions with several
        axes. None: the length of the last axis of the network's output, or 1 for vectors.

    Raises
    ------
    ValueError
        If predictions have several axes and the number of outputs is unknown.

    Examples
    --------
    >>> metric = R2()
    >>> metric.result(metric.totals(np.array([1.0, 2.0, 4.0]), np.array([1.0, 2.0, 3.0])).eval())
    0.5
    """

    outputs: int | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        return (4, self.outputs or 1)

    def takes_labels(self) -> bool:
        return False

    def for_output(self, shape: tuple[int | None, ...]) -> Metric:
        """Return the metric with the number of outputs of a network's output."""
        return self if self.outputs or not shape else R2(shape[-1])

    def totals(self, predictions: Any, targets: Any, weights: Any = None) -> Any:
        pairs = pair("r2", predictions, targets)
        if self.outputs is None and pairs[0].ndim > 1 and pairs[0].type.shape[-1] != 1:
            raise ValueError(
                f"r2: predictions with {pairs[0].ndim} axes have several outputs; write R2(n) with "
                "their number n"
            )
        x, t = (T.cast(item, "float64").reshape((-1, self.shape[1])) for item in pairs)
        own = item_weights(t, None if weights is None else T.as_tensor_variable(weights).flatten())
        rows = [own, own * t, own * t * t, own * T.sqr(t - x)]
        return T.stack([row.sum(axis=0) for row in rows])

    def result(self, totals: Any) -> Any:
        """Return the mean over outputs, from the sum of the totals of all batches."""
        count, total, squares, errors = np.asarray(totals, "float64")
        if not count.all():
            return float("nan")
        spreads = squares - total * total / count
        flat = spreads <= 1e-14 * squares
        shares = 1 - errors / np.where(flat, 1, spreads)
        return float(np.where(flat, np.where(errors == 0, 1.0, 0.0), shares).mean())


def labels_of(x: Any, threshold: float, is_vector: bool) -> Any:
    """Return integer labels, from scores, one-hot rows, probabilities, or labels.

    Parameters
    ----------
    x
        Without an axis of classes: integer labels, or probabilities of class 1. With an axis of
        classes: scores or one-hot rows, whose largest element is the label.
    threshold
        Probabilities above the threshold count as class 1.
    is_vector
        Whether ``x`` has no axis of classes.

    Examples
    --------
    >>> labels_of(T.constant(np.array([[0.2, 0.8]])), 0.5, False).eval()
    array([1])
    """
    if is_vector:
        if x.dtype in T.float_dtypes or x.dtype == "bool":
            return T.cast(as_float(x) > threshold, "int64")
        return T.cast(x, "int64")
    largest = T.argmax(x, axis=x.ndim - 1)
    if x.type.shape[-1] is None:  # whether there is one column is only known in a call
        is_one = T.eq(x.shape[x.ndim - 1], 1)
        return T.switch(is_one, labels_of(x[..., 0], threshold, True), largest)
    return largest

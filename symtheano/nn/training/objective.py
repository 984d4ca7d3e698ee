"""What training minimizes and measures: the losses and metrics of a network's outputs."""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from typing import Any, Protocol

import symtheano.tensor as T
from symtheano.nn import losses, metrics
from symtheano.nn.losses.order import call_in_order
from symtheano.nn.values import Shape, Value, shown


class WholeBatch(Protocol):
    """The batch of all processes, of which this one has a part."""

    @property
    def length(self) -> Any:
        """The number of samples, a 0-d int64 expression."""

    def total(self, value: Any) -> Any:
        """Return the sum of a 0-d expression over all processes."""

    def share(self) -> Any:
        """Return the part of the samples that this process has, a 0-d float64 expression."""


class Objective:
    """The losses and the metrics of each output of a network.

    Parameters
    ----------
    outputs
        The outputs of the network.
    loss
        The loss of all outputs; a list with a loss for each output; or a dict from the names of the
        outputs' layers to losses.
    loss_weights
        The factors of the losses of the outputs, in the same forms. None: all factors are 1.
    metrics
        The metrics of all outputs; a list of lists with the metrics of each output; or a dict from
        the names of the outputs' layers to metrics.
    """

    def __init__(
        self, outputs: list[Value], loss: Any, loss_weights: Any = None, metrics: Any = None
    ) -> None:
        output_losses = each(outputs, loss, "loss")
        missing = [v for v, one in zip(outputs, output_losses, strict=True) if one is None]
        if missing:
            raise ValueError(f"loss: there is no loss for the output {missing[0]}")
        self.losses = [losses.get(one) for one in output_losses]
        factors = each(outputs, loss_weights, "loss_weights")
        self.weights = [1.0 if one is None else float(one) for one in factors]
        self.shapes = [value.shape for value in outputs]
        self.metrics = [
            [one] if isinstance(one, str) or callable(one) else list(one or ())
            for one in each(outputs, metrics, "metrics", lists=True)
        ]
        self.output_names = [v.layer.name if v.layer else "output" for v in outputs]

    @property
    def is_mean(self) -> bool:
        """Whether the loss of a batch is a mean over its samples."""
        return not any(is_root(loss) for loss in self.losses)

    def total(
        self, arrays: list[Any], masks: list[Any], targets: list[Any], weights: Any,
        whole: WholeBatch | None = None,
    ) -> tuple[Any, list[Any]]:  # fmt: skip
        """Return the loss of a batch, and the losses of its outputs.

        With ``whole``, the batch is a part of one of several processes, and the losses are what
        this part adds to those of the whole batch.
        """
        items = zip(self.losses, arrays, masks, targets, self.shapes, strict=True)
        parts = [
            of_batch(loss, array, target, shape, weights, mask, whole)
            for loss, array, mask, target, shape in items
        ]
        scaled = [
            p if w == 1 else p * T.constant(w, dtype=p.dtype)
            for p, w in zip(parts, self.weights, strict=True)
        ]
        return sum(scaled[1:], scaled[0]), parts

    def sums(
        self,
        arrays: list[Any],
        masks: list[Any],
        targets: list[Any],
        weights: Any,
        total: Any,
        parts: list[Any],
        whole: WholeBatch | None = None,
    ) -> dict[str, Any]:
        """Return the sums of a batch for the loss and the metrics, by name.

        ``whole``, ``total`` and ``parts`` are as for :meth:`total`.
        """
        count = T.cast(arrays[0].shape[0], "float64")
        times = count if whole is None else T.cast(whole.length, "float64")
        several = len(arrays) > 1
        sums: dict[str, Any] = {"loss": average(total, times, count)}
        if several:
            for name, part in zip(self.output_names, parts, strict=True):
                sums[f"{name}_loss"] = average(part, times, count)
        for name, array, mask, target, wanted, shape in zip(
            self.output_names, arrays, masks, targets, self.metrics, self.shapes, strict=True
        ):
            counted = weights if mask is None else of_steps(mask, weights)
            for one in wanted:
                metric = metrics.get(one).for_output(shape)
                if not metric.takes_labels():
                    check_numbers(f"the metric {metric.name}", target, shape)
                key = unique(f"{name}_{metric.name}" if several else metric.name, sums)
                sums[key] = metric.totals(array, target, counted), metric.shape, metric.result
        return sums


def unique(name: str, taken: Any) -> str:
    """Return a name, with a number appended if it is taken: precision, precision_1, ..."""
    count, candidate = 0, name
    while candidate in taken:
        count += 1
        candidate = f"{name}_{count}"
    return candidate


def check_objective(loss: Any, metrics_: Any) -> None:
    """Raise an error if a loss or a metric is unknown, or a loss is not a mean over samples."""
    if isinstance(loss, list | tuple) and None in loss:
        raise ValueError(
            "compile takes a loss for each output, and number "
            f"{loss.index(None)} of the list is None"
        )
    for one in leaves(loss):
        loss_function = losses.get(one)
        if not isinstance(loss_function, losses.Loss):
            continue
        reduction = loss_function.options.get("reduction", "mean")
        if reduction is not None and reduction != "mean":
            raise ValueError(
                f"compile: training minimizes the mean over samples, but {loss_function!r} has "
                "another reduction; leave out reduction=, and scale the learning rate instead"
            )
    for one in leaves(metrics_):
        metrics.get(one)


def of_sequences(outputs: list[Value], loss: Any) -> list[bool]:
    """Return, for each output, whether its targets are rows of labels of any length."""
    loss_functions = [
        None if one is None else losses.get(one) for one in each(outputs, loss, "loss")
    ]
    return [isinstance(one, losses.Loss) and one.name == "ctc" for one in loss_functions]


def leaves(tree: Any) -> list[Any]:
    """Return the losses or metrics in lists and mappings, without None."""
    if isinstance(tree, Mapping) and "class" not in tree:
        return leaves(list(tree.values()))
    if isinstance(tree, list | tuple):
        return [leaf for one in tree for leaf in leaves(one)]
    return [] if tree is None else [tree]


def check_numbers(what: str, target: Any, shape: Shape) -> None:
    """Raise an error if a loss or a metric that compares numbers is given labels."""
    if target.ndim == len(shape) and shape[-1] != 1:
        raise ValueError(
            f"{what} compares outputs of shape {shown(shape)} with targets of the same shape, but "
            "the targets are integer labels without the last axis; losses such as "
            "'categorical_crossentropy', the metric 'accuracy', and metrics such as Precision with "
            f"classes={shape[-1]} take labels"
        )


def of_samples(loss: Any, array: Any, target: Any, shape: Shape) -> Any:
    """Return the loss of each sample.

    Functions of the user need no argument ``reduction``.

    Raises
    ------
    ValueError
        If a function returns one number for all samples, or a loss that compares numbers is given
        labels.
    """
    if isinstance(loss, losses.Loss) and loss.name not in losses.OF_LABELS:
        check_numbers(f"the loss {loss.name}", target, shape)
    named = "reduction" in signature(loss).parameters or isinstance(loss, losses.Loss)
    options = {"reduction": None} if named else {}
    values = call_in_order(loss, array, target, **options)
    name = getattr(loss, "__name__", repr(loss))
    if not hasattr(values, "type"):
        raise TypeError(f"the loss {name} returned {values!r}; it must return a symbolic array")
    if values.ndim == 0:
        raise ValueError(
            f"the loss {name} returns one number; it must return a number for each sample"
        )
    return values


def of_batch(
    loss: Any, array: Any, target: Any, shape: Shape, weights: Any, mask: Any,
    whole: WholeBatch | None = None,
) -> Any:  # fmt: skip
    """Return the loss of a batch: a mean over its samples, or for "rmse" the root of the mean.

    With ``whole``, it is what this part of the whole batch adds to its loss.
    """
    if not is_root(loss):
        return mean(of_samples(loss, array, target, shape), weights, mask, whole)
    square = mean(of_samples(losses.get("mse"), array, target, shape), weights, mask, whole)
    if whole is not None:
        return root_of(whole.total(square)) * T.cast(whole.share(), square.dtype)
    return root_of(square)


def root_of(square: Any) -> Any:
    """Return the square root of a 0-d expression, with a gradient of 0 at 0."""
    # The root has no derivative at 0. There, the gradient must be 0, because the loss is minimal.
    zero = T.eq(square, 0)
    root = T.sqrt(T.switch(zero, T.ones_like(square), square))
    return T.switch(zero, T.zeros_like(square), root)


def is_root(loss: Any) -> bool:
    """Return whether a loss is the root of the mean squared error over all samples of a batch."""
    return isinstance(loss, losses.Loss) and loss.name == "root_mean_squared_error"


def mean(values: Any, weights: Any, mask: Any = None, whole: WholeBatch | None = None) -> Any:
    """Return the weighted mean of the losses of all samples, as a 0-d expression.

    With a mask of shape (samples, steps), it is the mean over all steps that the mask does not
    leave out. With ``whole``, a sum is divided by the number of samples or steps of all processes.
    """
    if mask is not None and values.ndim > 1:
        if values.ndim > 2:
            values = values.mean(axis=tuple(range(2, values.ndim)))
        counted = T.cast(of_steps(mask, weights), values.dtype)
        existing = T.cast(mask, values.dtype).sum()
        existing = T.maximum(existing if whole is None else whole.total(existing), 1)
        return T.switch(mask, values * counted, T.zeros_like(values)).sum() / existing
    if values.ndim > 1:
        values = values.mean(axis=tuple(range(1, values.ndim)))
    weighted = values if weights is None else values * T.cast(weights, values.dtype)
    if whole is None:
        return weighted.mean()
    return weighted.sum() / T.cast(T.maximum(whole.length, 1), values.dtype)


def of_steps(mask: Any, weights: Any) -> Any:
    """Return the weight of each step of each sample, which is 0 where the mask leaves it out."""
    steps = T.cast(mask, "float32")
    return steps if weights is None else steps * weights.dimshuffle(0, "x")


def average(value: Any, times: Any, count: Any) -> tuple[Any, tuple[int, ...], Any]:
    """Return the sums of a batch from which the mean over all samples is computed.

    ``value`` is the mean over the samples of the batch, and ``times`` and ``count`` are their
    number; or ``value`` is what this process adds to this mean, and ``count`` its part of them.
    """
    return T.stack([T.cast(value, "float64") * times, count]), (2,), ratio


def ratio(sums: Any) -> float:
    """Return a sum divided by the number of samples, or NaN if there are no samples."""
    return float(sums[0] / sums[1]) if sums[1] else float("nan")


def each(outputs: list[Value], argument: Any, what: str, lists: bool = False) -> list[Any]:
    """Return the argument for each output.

    Arguments are given once for all outputs, in a list, or by the names of the outputs' layers.
    """
    if isinstance(argument, Mapping):
        names = [v.layer.name if v.layer else "" for v in outputs]
        unknown = sorted(set(argument) - set(names))
        if unknown:
            raise ValueError(f"{what}: {unknown} are not names of outputs; the outputs are {names}")
        return [argument.get(name) for name in names]
    if isinstance(argument, list | tuple) and not (lists and len(outputs) == 1):
        if lists and not any(isinstance(one, list | tuple) for one in argument):
            return [argument] * len(outputs)
        if len(argument) != len(outputs):
            raise ValueError(
                f"{what} must have an item for each of the {len(outputs)} outputs, "
                f"not {len(argument)}"
            )
        return list(argument)
    return [argument] * len(outputs)

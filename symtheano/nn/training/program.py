"""Compiled functions of a model, made from its network, losses, metrics and optimizer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from typing import Any

import symtheano
import symtheano.tensor as T
from symtheano.errors import DisconnectedInputError
from symtheano.nn import losses, metrics
from symtheano.nn.backends import Backend
from symtheano.nn.layers.convolution import Convolution
from symtheano.nn.layers.separable import Depthwise, Separable
from symtheano.nn.losses.order import call_in_order
from symtheano.nn.network import Network
from symtheano.nn.training.data import Samples
from symtheano.nn.training.step import Totals, TrainingStep, waiting
from symtheano.nn.training.whole import Whole
from symtheano.nn.values import Shape, Value, shown


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
        self, arrays: list[Any], masks: list[Any], targets: list[Any], weights: Any
    ) -> tuple[Any, list[Any]]:
        """Return the loss of a batch, and the losses of its outputs."""
        items = zip(self.losses, arrays, masks, targets, self.shapes, strict=True)
        parts = [
            of_batch(loss, array, target, shape, weights, mask)
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
    ) -> dict[str, Any]:
        """Return the sums of a batch for the loss and the metrics, by name."""
        count = T.cast(arrays[0].shape[0], "float64")
        several = len(arrays) > 1
        sums: dict[str, Any] = {"loss": average(total, count)}
        if several:
            for name, part in zip(self.output_names, parts, strict=True):
                sums[f"{name}_loss"] = average(part, count)
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


class Program:
    """The compiled functions of a model for samples of one kind.

    Parameters
    ----------
    network
        The network of the model.
    objective
        The losses and metrics.
    optimizer
        The optimizer, or None if the model is only evaluated.
    samples
        Samples of this kind. Their targets give dtypes and numbers of axes, and their weights tell
        whether samples have weights.
    backend
        How functions run.
    ranks
        The processes that train the model together; None for this one alone.
    """

    def __init__(
        self,
        network: Network,
        objective: Objective,
        optimizer: Any,
        samples: Samples,
        backend: Backend,
        ranks: Any = None,
    ) -> None:
        self._ranks = ranks
        self._network, self._objective, self._backend = network, objective, backend
        self._optimizer = optimizer
        self._targets = [T.tensor(str(a.dtype), shape=(None,) * a.ndim) for a in samples.targets]
        self._weights = None if samples.weights is None else T.fvector("weights")
        inputs = [value.test for value in network.inputs]
        self._variables = [
            *inputs,
            *self._targets,
            *([] if self._weights is None else [self._weights]),
        ]
        self._waits = waits_for_kernels(network, backend)
        self._train: TrainingStep | None = None
        self.unused: list[Any] = []
        self.has_diverged = False  # whether train_on_batch has warned of a loss that is not finite
        self._test: TrainingStep | None = None
        self._whole: Whole | None = None

    @property
    def whole(self) -> Whole:
        """The minimization over all samples, for optimizers that need all samples at once."""
        if self._whole is None:
            cost, totals = self._trained()
            trained = [p for p in self._network.parameters if p.trains]
            self._whole = Whole(
                self._optimizer, cost, trained, self._variables, totals, self._network.updates,
                self._backend,
            )  # fmt: skip
        return self._whole

    @property
    def is_new(self) -> bool:
        """Whether there is no training step yet."""
        return self._train is None

    @property
    def train(self) -> TrainingStep:
        """The training step: forward, backward, optimizer and metrics in one function."""
        if self._train is None:
            cost, totals = self._trained()
            trained = [p for p in self._network.parameters if p.trains]
            scaled, distribution = cost, None
            if self._ranks is not None:
                scaled, distribution = self._distributed(cost, totals)
            updates = dict(self._changes(scaled, trained))
            for p in trained:
                if p.constraint is not None and p.variable in updates:
                    updates[p.variable] = p.constraint(updates[p.variable])
            updates.update(self._network.updates)
            if self._ranks is not None:
                self._ranks.keep_if_empty(updates, self._network, self._variables[0].shape[0])
            self._train = TrainingStep(
                self._variables, totals, list(updates.items()), self._backend, self._waits,
                distribution,
            )  # fmt: skip
        return self._train

    def _distributed(self, cost: Any, totals: Totals) -> tuple[Any, Any]:
        """Return the cost that is differentiated, and how the step is distributed."""
        ranks, length = self._ranks, self._variables[0].shape[0]
        ranks.check(self._network, self._objective, self._backend)
        totals.keep_if(T.gt(length, 0))
        states = [state for state, _ in self._network.randomness.streams.updates()]
        statistics = [] if ranks.synchronizes else list(ranks.running(self._network))
        own = [*states, *statistics]
        return ranks.scaled(cost, length), lambda local: ranks.plan_for(length, [*own, *local])

    def _changes(self, cost: Any, trained: Sequence[Any]) -> Any:
        """Return the updates of the optimizer.

        Parameters on which the loss does not depend get gradients of 0.
        """
        variables = [p.variable for p in trained]
        try:
            return self._optimizer.updates(cost, variables)
        except DisconnectedInputError:
            gradients = symtheano.grad(
                cost, variables, disconnected_inputs="ignore", return_disconnected="None"
            )
        pairs = list(zip(trained, gradients, strict=True))
        self.unused = [p for p, gradient in pairs if gradient is None]
        if len(self.unused) == len(trained):
            raise ValueError("fit: the loss does not depend on any parameter")
        filled = [T.zeros_like(p.variable) if g is None else g for p, g in pairs]
        return self._optimizer.updates(cost, variables, filled)

    @property
    def test(self) -> TrainingStep:
        """The step of evaluation: the loss and the metrics at test."""
        if self._test is None:
            ends = self._ends(1)
            totals = Totals(self._objective.sums(*ends, *self._objective.total(*ends)))
            carried = list(self._network.test_updates.items())
            self._test = TrainingStep(self._variables, totals, carried, self._backend, self._waits)
        return self._test

    def _trained(self) -> tuple[Any, Totals]:
        """Return the loss with all penalties, and the sums of the metrics, in training."""
        ends = self._ends(0)
        total, parts = self._objective.total(*ends)
        penalty = self._network.penalty
        cost = total if isinstance(penalty, int) else total + T.cast(penalty, total.dtype)
        return cost, Totals(self._objective.sums(*ends, cost, parts))

    def _ends(self, phase: int) -> tuple[list[Any], list[Any], list[Any], Any]:
        """Return outputs in training (0) or at test (1), their masks, the targets, the weights."""
        outputs = self._network.outputs
        arrays = [(value.train, value.test)[phase] for value in outputs]
        return arrays, [value.masks[phase] for value in outputs], self._targets, self._weights


def prediction(network: Network, backend: Backend) -> Any:
    """Return the compiled function that computes the outputs at test."""
    with waiting(waits_for_kernels(network, backend)):
        return symtheano.function(
            [value.test for value in network.inputs],
            [value.test for value in network.outputs],
            updates=network.test_updates,
            name="predict",
            on_unused_input="ignore",
            **backend.options,
        )


def waits_for_kernels(network: Network, backend: Backend) -> bool:
    """Return whether functions of a network wait for kernels that are compiled once for a machine.

    Without these kernels, plain loops compute convolutions ten times slower.
    """
    return backend.compiles and any(convolves(layer) for layer in network.layers)


def convolves(layer: Any) -> bool:
    """Return whether a layer, or a layer that it wraps, is a convolution.

    Examples
    --------
    >>> convolves(nn.TimeDistributed(nn.Conv1D(2, 3))), convolves(nn.Dense(2))
    (True, False)
    """
    if isinstance(layer, Convolution | Depthwise | Separable):
        return True
    inner = getattr(layer, "layer", None)
    return inner is not None and convolves(inner)


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


def of_batch(loss: Any, array: Any, target: Any, shape: Shape, weights: Any, mask: Any) -> Any:
    """Return the loss of a batch: a mean over its samples, or for "rmse" the root of the mean."""
    if not is_root(loss):
        return mean(of_samples(loss, array, target, shape), weights, mask)
    square = mean(of_samples(losses.get("mse"), array, target, shape), weights, mask)
    # The root has no derivative at 0. There, the gradient must be 0, because the loss is minimal.
    zero = T.eq(square, 0)
    root = T.sqrt(T.switch(zero, T.ones_like(square), square))
    return T.switch(zero, T.zeros_like(square), root)


def is_root(loss: Any) -> bool:
    """Return whether a loss is the root of the mean squared error over all samples of a batch."""
    return isinstance(loss, losses.Loss) and loss.name == "root_mean_squared_error"


def mean(values: Any, weights: Any, mask: Any = None) -> Any:
    """Return the weighted mean of the losses of all samples, as a 0-d expression.

    With a mask of shape (samples, steps), it is the mean over all steps that the mask does not
    leave out.
    """
    if mask is not None and values.ndim > 1:
        if values.ndim > 2:
            values = values.mean(axis=tuple(range(2, values.ndim)))
        counted = T.cast(of_steps(mask, weights), values.dtype)
        existing = T.maximum(T.cast(mask, values.dtype).sum(), 1)
        return T.switch(mask, values * counted, T.zeros_like(values)).sum() / existing
    if values.ndim > 1:
        values = values.mean(axis=tuple(range(1, values.ndim)))
    return values.mean() if weights is None else (values * T.cast(weights, values.dtype)).mean()


def of_steps(mask: Any, weights: Any) -> Any:
    """Return the weight of each step of each sample, which is 0 where the mask leaves it out."""
    steps = T.cast(mask, "float32")
    return steps if weights is None else steps * weights.dimshuffle(0, "x")


def average(value: Any, count: Any) -> tuple[Any, tuple[int, ...], Any]:
    """Return the sums of a batch from which the mean over all samples is computed.

    ``value`` is the mean over the samples of the batch, and ``count`` is their number.
    """
    return T.stack([T.cast(value, "float64") * count, count]), (2,), ratio


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

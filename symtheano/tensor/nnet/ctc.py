"""Theano's module of the same name: connectionist temporal classification."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import BoundsError, NotScalarConstantError, ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements, contiguous
from symtheano.names import public
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable, cast
from symtheano.tensor.constant_values import get_scalar_constant_value
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.nnet.operands import float_operand, widened
from symtheano.tensor.reductions.reduce import all as all_of
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays

__all__ = ["ConnectionistTemporalClassification", "ctc", "ctc_available", "ctc_present"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

_AXES = (("labels", 1, 0), ("lengths", 2, 0))


class ConnectionistTemporalClassification(Op):
    """Minus the logarithm of the probability of labels, summed over alignments, and its gradient.

    The inputs are scores (steps, items, classes), labels (items, most labels) and lengths (items,).
    The outputs are the cost of each item, and the gradient of their sum with respect to the scores.
    """

    __call__: Callable[..., Tensor]
    __props__ = ()
    takes = "f3 l2 l1"
    default_output = 0

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return a vector of costs, and the scores' type."""
        scores, labels, _ = inputs
        if scores.dtype not in ("float32", "float64"):
            raise TypeError(build_message("ctc: scores must be float32 or float64", scores))
        items = scores.type.shape[1]
        if items is None:
            items = labels.type.shape[0]
        return [TensorType(scores.dtype, (items,)), TensorType(scores.dtype, scores.type.shape)]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """One cost for each item, and a gradient for each score."""
        return [(shapes[0][1],), shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Labels and lengths belong to the items, and are those of classes and of steps."""
        _, labels, lengths = node.inputs
        steps, items, classes = shapes[0]
        requirements: list[Requirement] = []
        for name, number, axis in _AXES:
            message = partial(_items_message, node, name)
            requirements += same_length(shapes[number][axis], items, message)
        inside = all_of(scalar.lt(labels, classes))
        requirements.append(
            Requirement(inside, (classes,), partial(_labels_message, node), "index")
        )
        fits = all_of(scalar.and_(scalar.ge(lengths, 0), scalar.le(lengths, steps)))
        requirements.append(Requirement(fits, (steps,), partial(_lengths_message, node), "index"))
        blank = classes > 0 if isinstance(classes, int) else scalar.gt(classes, 0)
        return [
            *requirements,
            Requirement(blank, (classes,), partial(_labels_message, node), "index"),
        ]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        scores, labels, lengths = inputs
        steps, items, classes = scores.shape
        for name, number, axis in _AXES:
            if inputs[number].shape[axis] != items:
                raise ShapeError(_items_message(node, name, [inputs[number].shape[axis], items]))
        if classes < 1 or (labels >= classes).any():
            raise BoundsError(_labels_message(node, [classes]))
        if ((lengths < 0) | (lengths > steps)).any():
            raise BoundsError(_lengths_message(node, [steps]))
        costs, slopes = np.zeros(items, scores.dtype), np.zeros_like(scores)
        for item in range(items):
            x = scores[: lengths[item], item].astype("float64")
            with np.errstate(all="ignore"):
                costs[item], slope = _aligned(x, labels[item][labels[item] >= 0])
            slopes[: lengths[item], item] = slope
        output_storage[0][0], output_storage[1][0] = costs, slopes

    @partial(Statements, accepts=contiguous, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        addresses = [item.address for item in (*arrays.inputs, *arrays.outputs)]
        b.call("ctc", *arrays.inputs[0].shape, arrays.inputs[1].shape[1], *addresses)

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Multiply the gradient of each item."""
        by_cost, by_slope = output_grads
        if not _is_zero(by_slope):
            raise NotImplementedError("ctc: the gradient of the gradient is not implemented")
        return [by_cost.dimshuffle("x", 0, "x") * outputs[1], None, None]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Labels and lengths have no gradient."""
        return [[True, True], [False, False], [False, False]]


def _is_zero(gradient: Any) -> bool:
    """Return whether a gradient is known to be zero: nothing uses the output."""
    try:
        return bool(get_scalar_constant_value(gradient) == 0)
    except NotScalarConstantError:
        return False


def _items_message(node: Apply, name: str, lengths: Sequence[int]) -> str:
    what = f"ctc: {lengths[0]} items of {name}, and {lengths[1]} of scores"
    return call_message(what, node, *node.inputs)


def _labels_message(node: Apply, lengths: Sequence[int]) -> str:
    what = f"ctc: a label is not one of the {lengths[0]} classes; class 0 is the blank"
    return call_message(what, node, *node.inputs)


def _lengths_message(node: Apply, lengths: Sequence[int]) -> str:
    what = f"ctc: an input length is not between 0 and the number of steps, {lengths[0]}"
    return call_message(what, node, *node.inputs)


def _aligned(x: Any, labels: Any) -> tuple[float, Any]:
    """Return the cost of one item and its gradient, by sums over alignments in both directions."""
    steps, path = len(x), np.zeros(2 * len(labels) + 1, "int64")
    path[1::2] = labels
    if not steps:
        return (0.0 if len(path) == 1 else np.inf), x
    top = x.max(1, keepdims=True)
    total = top + np.log(np.exp(x - top).sum(1, keepdims=True))
    logs = (x - total)[:, path]
    skips = np.zeros(len(path), bool)
    skips[2:] = (path[2:] != 0) & (path[2:] != path[:-2])
    back = np.zeros(len(path), bool)
    back[2:] = skips[:1:-1]
    forward = np.array(list(_sums(logs, skips)))
    later = np.array(list(_sums(logs[::-1, ::-1], back)))
    behind = later[::-1, ::-1] - logs
    whole = np.logaddexp.reduce(forward[-1][-2:])
    if whole == -np.inf:
        return np.inf, np.zeros_like(x)
    slope = np.exp(x - total)
    shares = np.exp(np.where(logs == -np.inf, -np.inf, forward + behind) - whole)
    np.subtract.at(slope, (np.arange(steps)[:, None], path[None]), shares)
    return 0.0 - whole, slope


def _sums(logs: Any, skips: Any) -> Iterator[Any]:
    """Yield for each step the logarithms of the probabilities to be at each place of the path."""
    now = np.where(np.arange(logs.shape[1]) < 2, logs[0], -np.inf)
    yield now
    for row in logs[1:]:
        one = np.r_[[-np.inf], now[:-1]]
        two = np.where(skips, np.r_[[-np.inf, -np.inf], now[:-2]][: len(now)], -np.inf)
        now = row + np.logaddexp(np.logaddexp(now, one), two)
        yield now


def ctc(activations: Any, labels: Any, input_lengths: Any) -> Any:
    """Return the connectionist temporal classification loss of sequences with unaligned labels.

    The loss is minus the logarithm of the probability of the labels. This probability is a sum over
    alignments: sequences with one class per step that give the labels if repetitions are removed,
    and then blanks. See Graves et al., 2006, Connectionist temporal classification.

    Parameters
    ----------
    activations
        Scores of shape (steps, items, classes). The function takes their softmax over the classes.
        Class 0 is the blank.
    labels
        Integer matrix with one row of labels for each item. Negative labels are padding.
    input_lengths
        Integer vector: the number of steps of each item.

    Returns
    -------
    Vector with one loss for each item, float32 if the activations are float16. If an item has too
    few steps for its labels, its loss is infinite and its gradient is zero.

    Raises
    ------
    ValueError, IndexError
        In a call, if the operands have different numbers of items, a label is not a class, or an
        input length exceeds the number of steps.

    Examples
    --------
    >>> scores = np.zeros((2, 1, 3))
    >>> ctc(scores, np.array([[1, -1]]), np.array([2])).eval().round(4)  # 3 of 9 alignments
    array([1.0986])
    """
    scores = widened(float_operand(activations))
    labels, lengths = as_tensor_variable(labels), as_tensor_variable(input_lengths)
    if scores.ndim != 3 or labels.ndim != 2 or lengths.ndim != 1:
        what = "ctc takes scores (steps, items, classes), a matrix of labels, a vector of lengths"
        raise TypeError(build_message(what, scores, labels, lengths))
    if not all(dtypes.is_discrete(item.dtype) for item in (labels, lengths)):
        raise TypeError(build_message("ctc: labels and lengths must be integers", labels, lengths))
    op = ConnectionistTemporalClassification()
    return op(scores, cast(labels, "int64"), cast(lengths, "int64"))


def ctc_available() -> bool:
    """Return True: nothing has to be installed.

    Examples
    --------
    >>> ctc_available()
    True
    """
    return True


ctc_present = ctc_available

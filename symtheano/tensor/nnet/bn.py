"""Theano's module of the same name: batch normalization, in training and afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from symtheano import dtypes
from symtheano.names import public
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import cast
from symtheano.tensor.messages import build_message
from symtheano.tensor.nnet.operands import along, float_operand, parameter_like, widened
from symtheano.tensor.reductions import moments
from symtheano.tensor.shapes.axis_numbers import normalize_axis
from symtheano.tensor.shapes.shape import count_as, shape_of

__all__ = ["batch_normalization", "batch_normalization_test", "batch_normalization_train"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)


def batch_normalization(
    inputs: Any, gamma: Any, beta: Any, mean: Any, std: Any, mode: str = "low_mem"
) -> Tensor:
    """Return ``(inputs - mean) * gamma / std + beta``; all operands are broadcast.

    Parameters
    ----------
    inputs
        The activations of a batch.
    gamma, beta
        Scales and shifts.
    mean, std
        Means and standard deviations.
    mode
        ``low_mem`` or ``high_mem``, which are the same here: nothing is stored for the gradient.

    Examples
    --------
    >>> batch_normalization(np.array([1.0, 3.0]), 2.0, 0.5, 2.0, 1.0).eval().tolist()
    [-1.5, 2.5]
    """
    if mode not in ("low_mem", "high_mem"):
        raise ValueError(f"batch_normalization: mode must be low_mem or high_mem, not {mode!r}")
    x = float_operand(inputs)
    gamma, beta, mean, std = (parameter_like(item, x) for item in (gamma, beta, mean, std))
    normalized: Tensor = (x - mean) * (gamma / std) + beta
    return normalized


def batch_normalization_train(
    inputs: Any,
    gamma: Any,
    beta: Any,
    axes: str | int | Sequence[int] = "per-activation",
    epsilon: Any = 1e-4,
    running_average_factor: Any = 0.1,
    running_mean: Any = None,
    running_var: Any = None,
) -> list[Tensor]:
    """Normalize a batch by its own means and variances, and update running statistics.

    See Ioffe and Szegedy, 2015, Batch normalization.

    Parameters
    ----------
    inputs
        The activations: items, channels, other axes.
    gamma, beta
        Scales and shifts. They have length 1 along the normalized axes, or lack these axes.
    axes
        The axes over which statistics are taken: ``"per-activation"`` for the first axis,
        ``"spatial"`` for all axes except the second one, or axis numbers.
    epsilon
        Is added to the variances.
    running_average_factor
        Weight of the batch in the new running statistics.
    running_mean, running_var
        Running statistics, in the shape of ``gamma``. Give both or neither.

    Returns
    -------
    The normalized batch; the means and the reciprocals of the standard deviations, in the shape of
    ``gamma``; and, with running statistics, their new values. The running variance uses the
    unbiased estimate. A batch of one element does not change it.

    Examples
    --------
    >>> x = np.array([[1.0], [3.0]])
    >>> y, mean, invstd = batch_normalization_train(x, np.ones(1), np.zeros(1), epsilon=0)
    >>> y.eval().tolist(), mean.eval().tolist(), invstd.eval().tolist()
    ([[-1.0], [1.0]], [2.0], [1.0])
    """
    name = "batch_normalization_train"
    x = float_operand(inputs)
    over, kept = _axes(name, x, axes)
    if (running_mean is None) != (running_var is None):
        raise TypeError(f"{name}: running_mean and running_var belong together")
    operands = [gamma, beta] if running_mean is None else [gamma, beta, running_mean, running_var]
    parameters = [parameter_like(item, x) for item in operands]
    flat = [item.ndim == len(kept) < x.ndim for item in parameters]
    gamma, beta, *running = (along(name, item, x, kept) for item in parameters)
    wide = widened(x)
    mean, variance = moments.mean(wide, over, keepdims=True), moments.var(wide, over, keepdims=True)
    invstd = scalar.reciprocal(scalar.sqrt(variance + parameter_like(epsilon, wide)))
    out = (wide - mean) * (gamma * invstd) + beta
    results = [mean, invstd]
    if running:
        weight = parameter_like(running_average_factor, x)
        old = weight.constant_like(1) - weight
        count = count_as([shape_of(x)[axis] for axis in over], wide.dtype)
        one = count.constant_like(1)
        unbiased = variance * (count / scalar.maximum(count - one, one))
        # One element has no variance: the running one stays.
        share = scalar.switch(count > one, weight, weight.zeros_like())
        rest = share.constant_like(1) - share
        results += [running[0] * old + mean * weight, running[1] * rest + unbiased * share]
    if flat[0]:
        results = [item.dimshuffle(*kept) for item in results]
    return [_narrowed(item, x, *parameters) for item in (out, *results)]


def _narrowed(result: Any, *operands: Any) -> Any:
    """Return a result in the common dtype of the operands."""
    return cast(result, dtypes.upcast(*(item.dtype for item in operands)))


def batch_normalization_test(
    inputs: Any,
    gamma: Any,
    beta: Any,
    mean: Any,
    var: Any,
    axes: str | int | Sequence[int] = "per-activation",
    epsilon: Any = 1e-4,
) -> Tensor:
    """Normalize by given means and variances, such as the running statistics of training.

    Parameters
    ----------
    inputs
        The activations: items, channels, other axes.
    gamma, beta, mean, var
        Scales, shifts, means and variances. They have length 1 along the axes, or lack these axes.
    axes, epsilon
        As for :func:`batch_normalization_train`.

    Returns
    -------
    ``(inputs - mean) * gamma / sqrt(var + epsilon) + beta``.

    Examples
    --------
    >>> one = np.ones(1)
    >>> batch_normalization_test(np.array([[3.0]]), one, one, one, 4 * one, epsilon=0).eval()
    array([[2.]])
    """
    name = "batch_normalization_test"
    x = float_operand(inputs)
    _, kept = _axes(name, x, axes)
    gamma, beta, mean, var = (
        along(name, parameter_like(item, x), x, kept) for item in (gamma, beta, mean, var)
    )
    normalized: Tensor = (x - mean) * (gamma / scalar.sqrt(var + parameter_like(epsilon, x))) + beta
    return normalized


def _axes(
    name: str, x: Any, axes: str | int | Sequence[int]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the axes over which statistics are taken, and the others."""
    if isinstance(axes, str):
        named = {"per-activation": (0,), "spatial": (0, *range(2, x.ndim))}
        if axes not in named or x.ndim < (2 if axes == "spatial" else 1):
            what = f"{name}: axes must be 'per-activation', 'spatial' or numbers, not {axes!r}"
            raise ValueError(build_message(what, x))
        over: tuple[int, ...] = named[axes]
    else:
        over = normalize_axis(axes if isinstance(axes, int) else tuple(axes), x.ndim)
    if not over:
        raise ValueError(build_message(f"{name} needs at least one axis", x))
    return over, tuple(axis for axis in range(x.ndim) if axis not in over)

"""Layers that users write with a method ``call``: its arguments, and the shape of its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T

Shape = tuple["int | None", ...]

# Lengths for axes of unknown ones, in two trials: what differs between these is unknown, too.
TRIALS = ((2, 5), (3, 7))


def takes_training(call: Callable[..., Any]) -> bool:
    """Return whether a function has an argument ``training``.

    Examples
    --------
    >>> takes_training(lambda x, training=False: x), takes_training(lambda x: x)
    (True, False)
    """
    return any(
        p.name == "training" and p.kind is not Parameter.POSITIONAL_ONLY
        for p in signature(call).parameters.values()
    )


def result_shape(inputs: Sequence[Any], shapes: Sequence[Shape], output: Any) -> Shape:
    """Return the shape of a layer's output, without the axis of samples, from its expression.

    If the type of the expression does not tell all lengths, it is computed for two batches of
    zeros.

    Parameters
    ----------
    inputs
        Symbolic arrays.
    shapes
        Their shapes, without the axis of samples.
    output
        An expression of them.

    Examples
    --------
    >>> x = T.tensor("float32", shape=(None, 3))
    >>> result_shape([x], [(3,)], T.concatenate([x, x], axis=1))
    (6,)
    """
    if output.ndim == 0 or None not in output.type.shape[1:]:
        return tuple(output.type.shape[1:])
    found = []
    for samples, length in TRIALS:
        lengths = [(samples, *(length if n is None else n for n in shape)) for shape in shapes]
        arrays = {x: np.zeros(shape, x.dtype) for x, shape in zip(inputs, lengths, strict=True)}
        computed = symtheano.function(
            list(arrays), T.shape(output), mode=symtheano.Mode("interpret", "fast_compile"),
            on_unused_input="ignore",
        )  # fmt: skip
        found.append([int(n) for n in computed(*arrays.values())][1:])
    return tuple(a if a == b else None for a, b in zip(*found, strict=True))

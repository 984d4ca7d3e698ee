"""Layers with a method ``call``: whether it takes ``training``, and the shape of its result."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import Parameter, signature
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T

Shape = tuple["int | None", ...]

# The numbers of samples, and the lengths used for unknown axes, in two trials. An axis of the
# output whose length differs between the trials has an unknown length, too.
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
    """Return the shape of one sample of a layer's output, from the expression of the output.

    If the type of the expression does not have all lengths, the shape is computed for two batches
    of zeros.

    Parameters
    ----------
    inputs
        The symbolic inputs of the layer.
    shapes
        The shape of one sample of each input, without the batch axis.
    output
        The expression of the output.

    Examples
    --------
    >>> x = T.tensor("float32", shape=(None, 3))
    >>> result_shape([x], [(3,)], T.concatenate([x, x], axis=1))
    (6,)
    """
    if output.ndim == 0 or None not in output.type.shape[1:]:
        return tuple(output.type.shape[1:])
    trial_shapes = []
    for samples, length in TRIALS:
        lengths = [(samples, *(length if n is None else n for n in shape)) for shape in shapes]
        arrays = {x: np.zeros(shape, x.dtype) for x, shape in zip(inputs, lengths, strict=True)}
        computed = symtheano.function(
            list(arrays), T.shape(output), mode=symtheano.Mode("interpret", "fast_compile"),
            on_unused_input="ignore",
        )  # fmt: skip
        trial_shapes.append([int(n) for n in computed(*arrays.values())][1:])
    return tuple(a if a == b else None for a, b in zip(*trial_shapes, strict=True))

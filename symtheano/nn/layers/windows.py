"""Padding and output lengths of windows that move over the axes of a sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.nn.values import Shape

Pairs = tuple[tuple[int, int], ...]


def per_axis(value: Any, axes: int, what: str) -> tuple[int, ...]:
    """Return a positive integer for each axis, from one number for all axes or one for each.

    Examples
    --------
    >>> per_axis(2, 3, "strides")
    (2, 2, 2)
    >>> per_axis((1, 0), 2, "strides")
    Traceback (most recent call last):
    ...
    ValueError: strides must be one positive integer, or one for each of 2 axes, not (1, 0)
    """
    values = tuple(value) if isinstance(value, list | tuple | np.ndarray) else (value,) * axes
    whole = [isinstance(n, int | np.integer) and n >= 1 for n in values]
    if len(values) != axes or not all(whole):
        raise ValueError(
            f"{what} must be one positive integer, or one for each of {axes} axes, not {value!r}"
        )
    return tuple(map(int, values))


def padding_pairs(
    padding: Any,
    lengths: Shape,
    window: tuple[int, ...],
    strides: tuple[int, ...],
    what: str = "padding",
) -> Pairs:
    """Return the number of zeros before and after each axis.

    Parameters
    ----------
    padding
        ``"valid"``: no zeros. ``"same"``: as many zeros as the output needs to have
        ``ceil(length / stride)`` elements; if their number is odd, one more at the end.
        ``"causal"``: ``window - 1`` zeros before the first element. ``"full"``: ``window - 1``
        zeros on both sides. Or a number for all axes, one number for each axis, or a pair (before,
        after) for each axis.
    lengths
        The lengths of the axes. ``"same"`` needs them if a stride is above 1.
    window
        The lengths that the window covers, including dilation.
    strides
        The stride along each axis.
    what
        The argument, as errors name it.

    Examples
    --------
    >>> padding_pairs("same", (8, 8), (3, 3), (2, 1))
    ((0, 1), (1, 1))
    """
    if padding == "valid":
        return ((0, 0),) * len(window)
    if padding == "full":
        return tuple((k - 1, k - 1) for k in window)
    if padding == "causal":
        return tuple((k - 1, 0) for k in window)
    if padding == "same":
        try:
            return tuple(map(same, lengths, window, strides))
        except ValueError as error:
            raise ValueError(f"{what}: {error}") from None
    if isinstance(padding, str):
        lower = padding.lower()
        hint = f"; it is '{lower}'" if lower in ("valid", "same", "causal", "full") else ""
        raise ValueError(
            f"{what} must be 'valid', 'same', 'causal', 'full' or numbers, not '{padding}'{hint}"
        )
    several = list, tuple, np.ndarray
    numbers = tuple(padding) if isinstance(padding, several) else (padding,) * len(window)
    pairs = tuple(tuple(p) if isinstance(p, several) else (p, p) for p in numbers)
    whole = [isinstance(n, int | np.integer) and n >= 0 for pair in pairs for n in pair]
    if len(pairs) != len(window) or not all(whole) or any(len(p) != 2 for p in pairs):
        raise ValueError(
            f"{what} must be a non-negative integer, or one or a pair for each of {len(window)} "
            f"axes, not {padding!r}"
        )
    return tuple((int(before), int(after)) for before, after in pairs)


def check_window(layer: Any, name: str, strides: Any, dilation: Any = 1) -> None:
    """Raise an error if the window, the strides, the distances or the padding of a layer are none.

    Padding that is an array becomes a list.

    Parameters
    ----------
    layer
        The layer.
    name
        The argument that is the window.
    strides, dilation
        The strides and the distances of the window's elements.

    Raises
    ------
    ValueError
        The message names the layer and the argument.
    """
    axes, lengths = layer.axes, getattr(layer, name)
    window = per_axis(lengths, axes, layer.argument(name))
    distances = per_axis(dilation, axes, layer.argument("dilation_rate"))
    moves = per_axis(strides, axes, layer.argument("strides"))
    if isinstance(layer.padding, np.ndarray):
        layer.padding = layer.padding.tolist()
    if layer.padding != "same":
        reach = tuple((k - 1) * d + 1 for k, d in zip(window, distances, strict=True))
        padding_pairs(layer.padding, (None,) * axes, reach, moves, layer.argument("padding"))


def same(length: int | None, window: int, stride: int) -> tuple[int, int]:
    """Return the zeros before and after an axis, for ``ceil(length / stride)`` results."""
    if length is None:
        if stride > 1:
            raise ValueError("'same' with strides above 1 needs axes of known lengths")
        total = window - 1
    else:
        total = max((-(-length // stride) - 1) * stride + window - length, 0)
    return total // 2, total - total // 2


def moved(length: int | None, window: int, stride: int, pair: tuple[int, int]) -> int | None:
    """Return the number of positions of a window, ``(length + zeros - window) // stride + 1``."""
    return None if length is None else (length + sum(pair) - window) // stride + 1

"""The content of a model's file: arrays in the format of safetensors, and a description as JSON.

Whoever writes a file decides what it says, so sizes are compared with what the file holds before
memory is taken, and all errors name the place in the description.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from symtheano.extras import needed
from symtheano.nn.training.data import Array

KEY = "symtheano.nn"
VERSION = 1

DEEPEST = 64
"""How many lists and mappings are in one another at most."""
LONGEST_TEXT = 1 << 16
"""How many characters a name or another text has at most."""
MOST_LAYERS = 10_000
MOST_NODES = 100_000
LARGEST_LENGTH = 1 << 24
"""The largest integer in a network, unless its file has more elements."""

# What the library for the format takes besides the arrays.
_SPARE = 8 << 20
_FLOATS = ("inf", "-inf", "nan")


class DescriptionError(ValueError):
    """Something in a description does not fit; the message begins with its place."""


@contextmanager
def at(place: str) -> Iterator[None]:
    """Have errors say what place of a description they are about.

    Examples
    --------
    >>> with at("network.layers[3]"):
    ...     {}["units"]
    Traceback (most recent call last):
    ...
    symtheano.nn.content.DescriptionError: network.layers[3]: 'units' is missing
    """
    try:
        yield
    except (DescriptionError, MemoryError):
        raise
    except KeyError as error:
        raise DescriptionError(f"{place}: {error} is missing") from None
    except (AttributeError, TypeError) as error:
        raise DescriptionError(f"{place}: a value of the wrong kind: {error}") from None
    except Exception as error:  # whatever a description that somebody changed leads to
        raise DescriptionError(f"{place}: {str(error) or type(error).__name__}") from None


def to_bytes(arrays: Mapping[str, Array], described: Mapping[str, Any]) -> bytes:
    """Return the content of a file."""
    save = needed("safetensors.numpy", "Model.save", "nn").save
    check_limits(described, sum(array.size for array in arrays.values()))
    text = dumps(described)
    bytes_ = sum(array.nbytes for array in arrays.values()) + 4 * len(text)
    require_memory("the content of the file", 2 * bytes_)
    return bytes(save(dict(arrays), metadata={KEY: text}))


def parse(content: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the description and the arrays of a file's content.

    Raises
    ------
    ValueError
        If it is damaged or foreign.
    MemoryError
        If there is not enough memory for the arrays.
    """
    load = needed("safetensors.numpy", "Model.load", "nn").load
    SafetensorError = needed("safetensors", "Model.load", "nn").SafetensorError
    require_memory("the arrays of the file", len(content))
    try:
        arrays = load(content)
        # The first 8 bytes are the length of the header, which is checked by now.
        header = json.loads(content[8 : 8 + int.from_bytes(content[:8], "little")])
    except (SafetensorError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"damaged, or not a file of safetensors: {error}") from None
    metadata = header.get("__metadata__") or {}
    if KEY not in metadata:
        raise ValueError("a file of safetensors, but not of a symtheano model")
    try:
        described = loads(metadata[KEY])
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the description of the model is damaged: {error}") from None
    if not isinstance(described, dict) or described.get("version") != VERSION:
        raise ValueError("written by another version of symtheano.nn")
    check_limits(described, sum(array.size for array in arrays.values()))
    return described, arrays


def require_memory(what: str, size: int) -> None:
    """Raise an error if a number of bytes is not there.

    The library for the format ends the process, or hangs, where it gets no memory.

    Raises
    ------
    MemoryError
        If it is not there.
    """
    try:
        np.empty(size + _SPARE, "uint8")
    except (MemoryError, ValueError):
        raise MemoryError(f"{what}: there is no memory for {size} bytes") from None


def check_limits(described: Mapping[str, Any], elements: int) -> None:
    """Raise an error if a description asks for more than models need.

    Parameters
    ----------
    described
        The description.
    elements
        How many elements all arrays of the file have.

    Raises
    ------
    DescriptionError
        If something is too deep, too long, or too many.
    """
    check_nesting(described)
    network = described.get("network")
    if not isinstance(network, dict):
        raise DescriptionError(f"network: a mapping expected, not {shortened(network)}")
    for name, most in (("layers", MOST_LAYERS), ("nodes", MOST_NODES)):
        items = network.get(name)
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise DescriptionError(f"network.{name}: a list of mappings expected")
        if len(items) > most:
            raise DescriptionError(f"network.{name}: {len(items)} are more than {most}")
        for k, item in enumerate(items):
            largest = max(map(abs, integers(item)), default=0)
            if largest > max(LARGEST_LENGTH, elements):
                raise DescriptionError(
                    f"network.{name}[{k}]: {largest} is more than the file has elements, {elements}"
                )


def check_nesting(described: Any) -> None:
    """Raise an error if data is too deep, or has a text that is too long."""
    level, depth = [described], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise DescriptionError(f"more than {DEEPEST} lists and mappings are in one another")
        for item in level:
            if isinstance(item, str) and len(item) > LONGEST_TEXT:
                raise DescriptionError(f"a text of {len(item)} characters: {shortened(item)}")
        level = [part for item in level for part in parts(item)]


def integers(item: Any) -> Iterator[int]:
    """Yield the integers in data."""
    stack = [item]
    while stack:
        top = stack.pop()
        if isinstance(top, int):
            yield top
        stack += parts(top)


def parts(item: Any) -> list[Any]:
    """Return what is in a list, or the keys and values of a mapping."""
    if isinstance(item, dict):
        return [*item, *item.values()]
    return item if isinstance(item, list) else []


def shortened(value: Any) -> str:
    """Return how a value is shown in messages.

    Examples
    --------
    >>> shortened("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."
    """
    text = repr(value[:200]) if isinstance(value, str) else repr(value)
    return text if len(text) <= 33 else f"{text[:30]}..."


def dumps(described: Any) -> str:
    """Return data as JSON; infinities and NaN, which it does not have, as objects."""
    return json.dumps(finite(described), allow_nan=False)


def loads(text: str) -> Any:
    """Return the data of :func:`dumps`.

    Examples
    --------
    >>> loads(dumps({"best": math.inf}))
    {'best': inf}
    """
    return json.loads(text, object_hook=as_number)


def as_number(item: dict[str, Any]) -> Any:
    """Return the number that an object of :func:`finite` stands for, others as they are."""
    value = item.get("float")
    return float(value) if len(item) == 1 and value in _FLOATS else item


def finite(value: Any) -> Any:
    """Return data without infinite numbers and NaN."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(float(value))}
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value

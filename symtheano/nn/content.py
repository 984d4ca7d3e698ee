"""The content of a model's file: arrays in the format of safetensors, and a description as JSON.

Files may come from anyone. Sizes in the description are therefore compared with the size of the
file before memory is allocated, and errors name the place in the description.
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
"""The largest depth of nested lists and mappings."""
LONGEST_TEXT = 1 << 16
"""The largest number of characters of a name or another text."""
MOST_LAYERS = 10_000
MOST_NODES = 100_000
LARGEST_LENGTH = 1 << 24
"""The largest integer in a network, unless its file has more elements."""

# The number of bytes that the safetensors library needs besides the arrays.
_SPARE = 8 << 20
_FLOATS = ("inf", "-inf", "nan")


class DescriptionError(ValueError):
    """An error in a description. The message begins with the place of the error."""


@contextmanager
def at(place: str) -> Iterator[None]:
    """Return a context manager that adds the place in a description to errors.

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
        raise DescriptionError(f"{place}: a value has the wrong type: {error}") from None
    except Exception as error:  # a changed description may cause any error
        raise DescriptionError(f"{place}: {str(error) or type(error).__name__}") from None


def to_bytes(arrays: Mapping[str, Array], described: Mapping[str, Any]) -> bytes:
    """Return the content of a file with these arrays and this description."""
    save = needed("safetensors.numpy", "Model.save", "nn").save
    check_limits(described, sum(array.size for array in arrays.values()))
    text = dumps(described)
    bytes_ = sum(array.nbytes for array in arrays.values()) + 4 * len(text)
    require_memory("the content of the file", 2 * bytes_)
    return bytes(save(dict(arrays), metadata={KEY: text}))


def parse(content: bytes) -> tuple[dict[str, Any], dict[str, Array]]:
    """Return the description and the arrays from the content of a file.

    Raises
    ------
    ValueError
        If the content is damaged, or is not that of a model.
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
        raise ValueError(f"the file is damaged or not a safetensors file: {error}") from None
    metadata = header.get("__metadata__") or {}
    if KEY not in metadata:
        raise ValueError("this is a safetensors file, but not that of a symtheano model")
    try:
        described = loads(metadata[KEY])
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the description of the model is damaged: {error}") from None
    if not isinstance(described, dict) or described.get("version") != VERSION:
        raise ValueError("the file was written by another version of symtheano.nn")
    check_limits(described, sum(array.size for array in arrays.values()))
    return described, arrays


def require_memory(what: str, size: int) -> None:
    """Raise an error if a number of bytes cannot be allocated.

    The safetensors library would end the process, or hang, if it cannot allocate memory.

    Raises
    ------
    MemoryError
        If the memory cannot be allocated.
    """
    try:
        np.empty(size + _SPARE, "uint8")
    except (MemoryError, ValueError):
        raise MemoryError(f"{what}: cannot allocate memory for {size} bytes") from None


def check_limits(described: Mapping[str, Any], elements: int) -> None:
    """Raise an error if a description exceeds the limits of this module.

    Parameters
    ----------
    described
        The description.
    elements
        The number of elements of all arrays in the file.

    Raises
    ------
    DescriptionError
        If lists are nested too deeply, a text is too long, or there are too many layers or nodes.
    """
    check_nesting(described)
    network = described.get("network")
    if not isinstance(network, dict):
        raise DescriptionError(f"network: it must be a mapping, not {shortened(network)}")
    for name, most in (("layers", MOST_LAYERS), ("nodes", MOST_NODES)):
        items = network.get(name)
        if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
            raise DescriptionError(f"network.{name}: it must be a list of mappings")
        if len(items) > most:
            raise DescriptionError(
                f"network.{name}: {len(items)} items are more than the limit of {most}"
            )
        for k, item in enumerate(items):
            largest = max(map(abs, integers(item)), default=0)
            if largest > max(LARGEST_LENGTH, elements):
                raise DescriptionError(
                    f"network.{name}[{k}]: {largest} is larger than the number of elements in the "
                    f"file, {elements}"
                )


def check_nesting(described: Any) -> None:
    """Raise an error if data are nested too deeply, or have a text that is too long."""
    level, depth = [described], 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise DescriptionError(f"more than {DEEPEST} lists and mappings are nested")
        for item in level:
            if isinstance(item, str) and len(item) > LONGEST_TEXT:
                raise DescriptionError(
                    f"a text of {len(item)} characters is too long: {shortened(item)}"
                )
        level = [part for item in level for part in parts(item)]


def integers(item: Any) -> Iterator[int]:
    """Yield the integers in nested data."""
    stack = [item]
    while stack:
        top = stack.pop()
        if isinstance(top, int):
            yield top
        stack += parts(top)


def parts(item: Any) -> list[Any]:
    """Return the items of a list, or the keys and values of a mapping."""
    if isinstance(item, dict):
        return [*item, *item.values()]
    return item if isinstance(item, list) else []


def shortened(value: Any) -> str:
    """Return a short text for a value, for messages.

    Examples
    --------
    >>> shortened("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxx..."
    """
    text = repr(value[:200]) if isinstance(value, str) else repr(value)
    return text if len(text) <= 33 else f"{text[:30]}..."


def dumps(described: Any) -> str:
    """Return data as JSON. Infinities and NaN, which JSON does not have, become objects."""
    return json.dumps(finite(described), allow_nan=False)


def loads(text: str) -> Any:
    """Return data from the result of :func:`dumps`.

    Examples
    --------
    >>> loads(dumps({"best": math.inf}))
    {'best': inf}
    """
    return json.loads(text, object_hook=as_number)


def as_number(item: dict[str, Any]) -> Any:
    """Return the number for an object of :func:`finite`. Other objects are returned unchanged."""
    value = item.get("float")
    return float(value) if len(item) == 1 and value in _FLOATS else item


def finite(value: Any) -> Any:
    """Return data with objects in the places of infinities and NaN."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(float(value))}
    if isinstance(value, Mapping):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return value

"""Look-up of losses, layers, optimizers and others by name; errors suggest the closest name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from symtheano.names import close
from symtheano.nn.foreign import named

Entry = TypeVar("Entry")


def look_up(what: str, name: str, table: Mapping[str, Entry]) -> Entry:
    """Return an entry of a table of names.

    Parameters
    ----------
    what
        The kind of the entries, such as ``"activation"``. Error messages use it.
    name
        A name. Case, spaces, hyphens and underscores make no difference.
    table
        The entries, by names in lower case with underscores.

    Raises
    ------
    ValueError
        If the table has no such name. The message suggests the closest one and lists all.

    Examples
    --------
    >>> look_up("size", "Very-Large", {"very_large": 9})
    9
    >>> look_up("size", "lange", {"large": 3, "small": 1})
    Traceback (most recent call last):
    ...
    ValueError: unknown size 'lange'; did you mean 'large'? Known: large, small
    """
    if name in table:
        return table[name]
    plain = {key.replace("_", "").lower(): value for key, value in table.items()}
    key = name.replace("_", "").replace("-", "").replace(" ", "").lower()
    if key in plain:
        return plain[key]
    ours = named(name)
    if ours:
        raise ValueError(f"unknown {what} '{name}': it is {ours}")
    similar = close(name, table, 3)
    hint = f"; did you mean '{similar[0]}'? Known: " if similar else "; known: "
    raise ValueError(f"unknown {what} '{name}'{hint}{', '.join(sorted(table))}")


def snake_case(name: str) -> str:
    """Return the name of a class in snake case, as a function would be named.

    Examples
    --------
    >>> [snake_case(name) for name in ("BatchNorm", "Conv2D", "LSTM", "RMSNorm", "LeakyReLU")]
    ['batch_norm', 'conv2d', 'lstm', 'rms_norm', 'leaky_relu']
    """
    words = r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z]{2})(?=[A-Z][a-z])|(?<=[0-9]D)(?=[A-Z])"
    return re.sub(words, "_", name.replace("ReLU", "Relu")).lower()

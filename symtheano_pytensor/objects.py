"""Values that are not arrays, such as generators of random numbers and lists.

Compiled code passes arrays. Where PyTensor has a variable for another kind of object, the compiled
function has an integer: the object's number in a table. Only ops in Python read the table.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

NUMBER_DTYPE = "int64"

_kept: list[Any] = []
_calls = threading.local()


def keep(value: Any) -> int:
    """Return the number of an object that is there as long as the process: a constant."""
    _kept.append(value)
    return -len(_kept)


@contextmanager
def table_of_call() -> Iterator[None]:
    """Provide the table of the objects of one call, which are released at its end."""
    outer = getattr(_calls, "table", None)
    _calls.table = []
    try:
        yield
    finally:
        _calls.table = outer


def number_of(value: Any) -> Any:
    """Return a new number of an object, as a 0-d array. It is valid until the call ends."""
    table = _calls.table
    table.append(value)
    return np.array(len(table) - 1, NUMBER_DTYPE)


def object_of(number: Any) -> Any:
    """Return the object with a number."""
    index = int(number)
    return _kept[-index - 1] if index < 0 else _calls.table[index]

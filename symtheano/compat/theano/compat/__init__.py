"""``theano.compat``: names of Python 2 and 3."""

from __future__ import annotations

import builtins as _builtins
import collections
import itertools
import sys
from collections import OrderedDict, defaultdict
from collections.abc import (
    Callable,
    Iterable,
    Mapping,
    MutableMapping,
    MutableSet,
    Sequence,
    ValuesView,
)
from functools import partial
from io import BytesIO as BytesIO, StringIO as StringIO
from operator import truediv as operator_div
from typing import Any

PY3 = True
imap, izip, ifilter = map, zip, filter
python_all, python_any = _builtins.all, _builtins.any
ffi_type = None


def cmp(x: Any, y: Any) -> int:
    """Return -1, 0 or 1: which of two values is larger."""
    return (x > y) - (x < y)


def exc_message(e: BaseException) -> str:
    """Return the message of an exception."""
    return str(e.args[0]) if e.args else ""


def get_unbound_function(unbound: Any) -> Any:
    """Return the function of a method."""
    return getattr(unbound, "__func__", unbound)


def decode(x: Any) -> str:
    """Return bytes as text."""
    return x.decode() if isinstance(x, bytes) else x


def decode_iter(itr: Any) -> Any:
    """Yield bytes as texts."""
    return (decode(each) for each in itr)


def decode_with(x: Any, encoding: str) -> str:
    """Return bytes of an encoding as text."""
    return x.decode(encoding) if isinstance(x, bytes) else x


class DefaultOrderedDict(OrderedDict[Any, Any]):
    """An ordered dict whose missing values are made by a function."""

    def __init__(self, default_factory: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.default_factory = default_factory

    def __missing__(self, key: Any) -> Any:
        if self.default_factory is None:
            raise KeyError(key)
        self[key] = value = self.default_factory()
        return value


def __getattr__(name: str) -> Any:
    if name == "six":
        from importlib import import_module

        return import_module("six")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

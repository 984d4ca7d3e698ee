"""Converted graphs in symtheano's cache, found by the graphs of PyTensor before its rewrites.

With one, ``pytensor.function`` neither rewrites nor converts the graph.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from pytensor.compile.mode import optdb
from pytensor.configdefaults import config
from pytensor.graph.rewriting.db import RewriteDatabase, RewriteDatabaseQuery

from symtheano.config import config as own_config
from symtheano.function.package import list_directory, package_state
from symtheano.function.stages import open_cache
from symtheano.graph.digest import digest
from symtheano_pytensor.digest import KNOWN_PACKAGES, NoDigestError, described_graph, is_known
from symtheano_pytensor.registry import has_other_converters

_LARGEST = 4 << 20
"""Bytes of a record; the constants of the graph are in it."""

_FLAGS = (
    "floatX", "cast_policy", "optimizer_excluding", "optimizer_including", "optimizer_requiring",
    "optdb__position_cutoff", "optdb__max_use_ratio", "scan__allow_gc",
    "scan__allow_output_prealloc", "tensor__cmp_sloppy", "on_opt_error",
)  # fmt: skip
"""PyTensor's options on which its rewrites depend."""


class Stored(NamedTuple):
    """A converted graph.

    Attributes
    ----------
    inputs, outputs
        Symtheano variables.
    """

    inputs: list[Any]
    outputs: list[Any]


def key_of(fgraph: Any, mode: Any) -> str | None:
    """Return the key of a graph that has not been rewritten; None if there is doubt.

    It depends on the graph, the rewrites of the mode, the versions of PyTensor and PyMC, and the
    files of symtheano and of this package.
    """
    query = mode._optimizer
    if not isinstance(query, RewriteDatabaseQuery) or mode.optdb is not optdb:
        return None
    if query.extra_rewrites or query.subquery or config.optimizer_verbose:
        return None
    if has_other_converters():
        return None
    rewrites = _rewrites()
    if rewrites is None:
        return None
    try:
        graph = described_graph(fgraph)
    except (NoDigestError, RecursionError):
        return None
    flags = [str(getattr(config, name, None)) for name in _FLAGS]
    options = own_config.snapshot()
    parts = (
        *("graphs of PyTensor 1", graph, type(mode.linker).__qualname__, query.position_cutoff),
        *(sorted(map(str, names)) for names in (query.include, query.require, query.exclude)),
        *(flags, rewrites, _versions(), options.floatX, options.cast_policy),
    )
    return digest(repr(parts).encode("utf-8", "surrogatepass"))


def recall(key: str) -> Stored | None:
    """Return the converted graph of a key, if the cache has it."""
    data = open_cache(own_config.snapshot()).recall(key)
    if data is None:
        return None
    try:
        return Stored(*pickle.loads(data))
    except Exception:  # of a record of another program, which is then written again
        return None


def remember(key: str, inputs: Sequence[Any], outputs: Sequence[Any]) -> None:
    """Store the converted graph of a key, unless it is large or can't be pickled."""
    try:
        data = pickle.dumps((list(inputs), list(outputs)), protocol=5)
    except Exception:  # such as for an op that users have defined
        return
    if len(data) <= _LARGEST:
        open_cache(own_config.snapshot()).remember(key, data)


@cache
def _versions() -> str:
    """Return what tells the programs that make a converted graph."""
    own = [list_directory(str(Path(__file__).parent))]
    versions = [getattr(sys.modules.get(name), "__version__", None) for name in KNOWN_PACKAGES]
    state = package_state(list_directory)
    return repr((sys.version, np.__version__, versions, sorted(map(_file_state, own[0])), state))


def _file_state(entry: tuple[str, int, int, bool]) -> tuple[str, int, int]:
    return entry[:3] if entry[0].endswith((".py", ".c")) else ("", 0, 0)


def _rewrites() -> str | None:
    """Return the names of all registered rewrites; None if a program has registered its own."""
    names = []
    for name, rewrite in _registered(optdb, set()):
        function = getattr(rewrite, "fn", rewrite)
        module = getattr(function, "__module__", None) or type(rewrite).__module__
        if not is_known(module):
            return None
        names.append(name)
    return digest(repr(sorted(names)).encode())


def _registered(database: Any, seen: set[int]) -> Iterator[tuple[str, Any]]:
    """Yield the names and rewrites of a database and of those in it."""
    if id(database) in seen:
        return
    seen.add(id(database))
    for name in database._names:
        for item in database.__db__.get(name, ()):
            if isinstance(item, RewriteDatabase):
                yield from _registered(item, seen)
            yield name, item

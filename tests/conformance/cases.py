"""The calls that are made of a row: sizes, edge values, layouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any
from zlib import crc32

import numpy as np

from tests.conformance import draws
from tests.conformance.draws import Array
from tests.conformance.row import Row
from tests.support.layouts import laid_out, layouts, repeated

ORDINARY = (3, 4, 2, 5, 6)

Values = tuple[Array, ...]


@dataclass(frozen=True)
class Case:
    """A call: its special property, and the values of the arguments, which are made on request."""

    what: str
    make: Callable[[], Values]

    @cached_property
    def values(self) -> Values:
        """The arguments of the call."""
        return self.make()


def cases(row: Row, dtype: str) -> list[Case]:
    """Return a row's calls for a dtype; the first is an ordinary one."""
    return [*_sizes(row, dtype), *_edges(row, dtype), *_layouts(row, dtype)]


def lengths(row: Row) -> dict[str, dict[str, int]]:
    """Return lengths of the axes for each case of sizes: ordinary, single, empty ones."""
    names = row.sizes
    ordinary = {
        name: max(size, row.least.get(name, 0)) for name, size in zip(names, ORDINARY, strict=False)
    }
    found = {"ordinary": ordinary}
    if names:
        # Of more axes, the last four: enough for all loops, and convolutions take time.
        longer = {name: 2 * size + 15 for name, size in ordinary.items() if name in names[-4:]}
        found["longer"] = {**ordinary, **longer}
    for short, what in ((1, "single"), (0, "empty")):
        possible = [name for name in names if row.least.get(name, 0) <= short]
        for name in possible:
            found[f"{what} {name}"] = {**ordinary, name: short}
        if len(possible) > 1:
            found[f"{what} axes"] = {**ordinary, **dict.fromkeys(possible, short)}
    return found


def draw(row: Row, dtype: str, sizes: dict[str, int], seed: int = 0) -> Values:
    """Return values of a row's arguments, the same ones each time."""
    random = np.random.default_rng(crc32(f"{row.text} {dtype} {sizes} {seed}".encode()))
    return tuple(
        np.asarray(arg.draw(random, arg.dtype or dtype, arg.lengths(sizes), sizes))
        for arg in row.args.values()
    )


def _sizes(row: Row, dtype: str) -> Iterator[Case]:
    for what, sizes in lengths(row).items():
        yield Case(what, partial(draw, row, dtype, sizes))


def _edges(row: Row, dtype: str) -> Iterator[Case]:
    """Yield the ordinary call with edge values in each argument of the open dtype."""
    for position, (name, arg) in enumerate(row.args.items()):
        if row.edges and arg.edges and arg.dtype is None:
            for edges in draws.edges(dtype):
                what = f"{', '.join(map(str, edges))} in {name}"
                yield Case(what, partial(_with_edges, row, dtype, position, edges))


def _with_edges(row: Row, dtype: str, position: int, edges: list[Any]) -> Values:
    values = list(draw(row, dtype, lengths(row)["ordinary"], 1))
    values[position] = draws.with_edges(np.random.default_rng(2), values[position], edges)
    return tuple(values)


def _layouts(row: Row, dtype: str) -> Iterator[Case]:
    """Yield the ordinary call with all arguments in another layout, for each layout."""
    args = row.args.values()
    like = [np.zeros((1,) * len(arg.axes), arg.dtype or dtype) for arg in args]
    names = dict.fromkeys(name for item in like for name, _ in layouts(item))
    for name in names:
        if name != "contiguous":
            yield Case(name, partial(_laid_out, row, dtype, name))
    if any(arg.draw is draws.number and arg.axes for arg in args):
        yield Case("stride zero", partial(_repeated, row, dtype))


def _laid_out(row: Row, dtype: str, name: str) -> Values:
    return tuple(laid_out(value, name) for value in draw(row, dtype, lengths(row)["ordinary"], 3))


def _repeated(row: Row, dtype: str) -> Values:
    values = draw(row, dtype, lengths(row)["ordinary"], 4)
    return tuple(
        repeated(value, 0) if arg.draw is draws.number and arg.axes else value
        for value, arg in zip(values, row.args.values(), strict=True)
    )

"""What the host runs around launches: its statements in order, and the names that it needs."""

from __future__ import annotations

from collections.abc import Iterator

from symtheano.codegen.passes.cuda.launches import grids_of
from symtheano.codegen.passes.cuda.places import is_grid
from symtheano.loopir import For, Kernel, Statement, While
from symtheano.loopir.names import bodies, walk
from symtheano.loopir.rewrite import Body, names_used


def launches_kernels(s: Statement) -> bool:
    """Return whether a statement is a loop of the host with launches inside."""
    is_loop = isinstance(s, For | While) and not is_grid(s)
    return is_loop and any(map(is_grid, walk([s])))


def of_loop(loop: Statement) -> Iterator[Statement]:
    """Yield a loop of the host, and the statements of its test."""
    yield loop
    if isinstance(loop, While):
        yield from walk(loop.test)


def in_order(body: Body) -> Iterator[Statement]:
    """Yield the statements of a list, of the kernels in it, and of loops that launch some.

    They are in order; a loop comes before its statements.
    """
    for s in body:
        if isinstance(s, Kernel):
            yield from in_order(s.body)
            continue
        yield s
        if isinstance(s, For | While) and launches_kernels(s):
            yield from in_order(s.body)


def bounds(grid: Statement) -> list[str]:
    """Return the names in the bounds of a launch, which the host needs."""
    assert isinstance(grid, For)
    return [name for each in grids_of(grid) for i in (each.start, each.stop) for name in i.names()]


def names_on_host(s: Statement) -> Iterator[str]:
    """Yield the names of the scalars that the host uses in a statement."""
    if is_grid(s):
        yield from bounds(s)
        return
    yield from names_used(s)
    for body in bodies(s):
        for inner in body:
            yield from names_on_host(inner)

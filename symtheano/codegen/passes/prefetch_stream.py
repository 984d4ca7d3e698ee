"""Prefetch of streams: rows that are only added up are asked for two pages ahead.

Processors prefetch neighbouring cache lines themselves, but not beyond the end of a page, and not
far enough for a loop that does little more than read. With a distance of 8 KiB, sums of rows of an
array that no cache holds took 0.8 of the time, with 2 KiB they took longer than without (Zen 5);
0.93 on a Xeon with AVX-512. A Zen 4 took 1.05 to 1.2, so it is not asked (``ST_PREFETCH_STREAM``
in the C text). Where a cache holds the array, nothing was gained or lost, nor in loops that also
store.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import replace
from symtheano.loopir import For, Index, Kernel, Load, Prefetch, Statement, Store
from symtheano.loopir.memory import STACK
from symtheano.loopir.names import definitions, walk
from symtheano.loopir.rewrite import Body, unless_same, with_nested

_AHEAD = 8192
"""Bytes: two pages."""
_LEAST = 64
"""Bytes of an array in a block: with fewer, prefetches are a large part of its instructions."""
_MOST_ARRAYS = 2


def prefetch_stream(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Let blocks of reductions ask for later ones, the first time that a kernel reads an array."""
    if any(isinstance(s, Store) and s.buffer.memory is not STACK for s in _in_loops(kernel.body)):
        context.otherwise("not, loops store what they compute")
        return kernel
    known = {s.buffer.name for s in walk(kernel.body) if isinstance(s, Prefetch)}

    def block(statements: Body, rows: For | None = None) -> Body:
        body: list[Statement] = []
        for s in statements:
            new = s
            if isinstance(s, For) and s.kind == "reduce" and s.step > 1:
                lines = [
                    x
                    for x in _lines(s, target.caches.line)
                    if x.buffer.name not in known and _is_stream(x, s, rows)
                ]
                names = {line.buffer.name for line in lines}
                if lines and len(names) <= _MOST_ARRAYS:
                    context.note(s, "{} lines of {} are asked for {} bytes ahead",
                                 len(lines), ", ".join(sorted(names)), _AHEAD)  # fmt: skip
                    new = replace(s, body=(*lines, *s.body))
            inside = partial(block, rows=s if isinstance(s, For) else rows)
            body.append(with_nested(new, inside) if new is s else new)
            known.update(x.buffer.name for x in walk([s]) if isinstance(x, Load))
        return unless_same(body, statements)

    changed = with_nested(kernel, block)
    context.otherwise("not, no blocks of a reduction read neighbours")
    return changed


def _is_stream(line: Prefetch, loop: For, rows: For | None) -> bool:
    """Return whether the next row is behind this one: in memory, rows of a channel are not."""
    if rows is None:
        return True
    step = line.index.coefficient(rows.index.name)
    if step.constant is None:
        return len(list(step.names())) == 1
    length = (loop.stop - loop.start).constant
    return step == 0 or (length is not None and step.constant < length + loop.step)


def _in_loops(statements: Body) -> Iterator[Statement]:
    for s in walk(statements):
        if isinstance(s, For) and s.step > 1:
            yield from walk(s.body)


def _lines(loop: For, line: int) -> list[Prefetch]:
    """Return the cache lines that a block of a later row, or of this one, will read."""
    inside = {value.name for s in walk(loop.body) for value in definitions(s)}
    lanes = {s.index.name: s.stop.constant for s in loop.body if isinstance(s, For)}
    first: dict[str, Load] = {}
    elements: dict[str, int] = {}
    for s in walk(loop.body):
        if not isinstance(s, Load) or s.buffer.memory is STACK:
            continue
        own = [name for name in lanes if s.index.coefficient(name) == 1]
        count = lanes[own[0]] if len(own) == 1 else None
        if (
            count is None
            or s.index.coefficient(loop.index.name) != 1
            or not inside.isdisjoint({*s.index.names()} - {*own})
        ):
            return []
        first.setdefault(s.buffer.name, s)
        elements[s.buffer.name] = elements.get(s.buffer.name, 0) + count
    prefetches: list[Prefetch] = []
    for name, load in first.items():
        size = np.dtype(load.buffer.dtype).itemsize
        if elements[name] != loop.step or loop.step * size < _LEAST:
            return []
        start = load.index.replace(dict.fromkeys(lanes, Index.of(0)))
        prefetches += [
            Prefetch(load.buffer, start + (_AHEAD + number * line) // size, stream=True)
            for number in range(loop.step * size // line)
        ]
    return prefetches

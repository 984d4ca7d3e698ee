"""Atomics: threads add to elements of rows that they compute, each as it comes.

No order is kept, so a sum of floats may have other bits in each run. There is a thread for each
element that is added, and neighbours among threads have neighbours in a row.
"""

from __future__ import annotations

from symtheano.codegen.passes.cuda.nests import unravelled
from symtheano.codegen.passes.cuda.ranges import Scatter
from symtheano.dataclass import replace
from symtheano.loopir import AtomicAdd, Builder, Kernel, Let, Load, Store
from symtheano.loopir.builder import Names
from symtheano.loopir.index import product
from symtheano.loopir.launch import ATOMIC
from symtheano.loopir.operands import Operand
from symtheano.loopir.rewrite import Body, Copier, names_used


def added_atomically(kernel: Kernel, scatter: Scatter, names: Names) -> Kernel | None:
    """Return a kernel that adds in any order; None if a scatter does not add, or other dtypes."""
    addition = _added(scatter)
    if addition is None:
        return None
    before, value = addition
    lengths = [loop.stop for loop in scatter.loops]
    lengths += [scatter.kept.stop] if scatter.kept else []
    b = Builder(names)
    with b.loop("element", product(tuple(lengths)), kind="independent") as element:
        counters = unravelled(b, b.operand(element), lengths, "i")
        loops = [*scatter.loops, *([scatter.kept] if scatter.kept else [])]
        indices = zip(loops, counters, strict=True)
        copier = Copier(names, {loop.index.name: index for loop, index in indices})
        for s in copier.block(before):
            b.emit(s)
        store = scatter.body[-1]
        assert isinstance(store, Store)
        b.emit(AtomicAdd(store.buffer, copier.index(store.index), copier.operand(value)))
    return replace(kernel, body=b.statements())


def _added(scatter: Scatter) -> tuple[Body, Operand] | None:
    """Return what is computed before, and the number that is added to an element."""
    *before, add, store = scatter.body
    if not isinstance(add, Let) or not isinstance(store, Store) or store.value != add.target:
        return None
    loads = [s for s in before if isinstance(s, Load) and s.buffer == store.buffer]
    if add.op != "add" or store.buffer.dtype not in ATOMIC or len(loads) != 1:
        return None
    (old,) = loads
    rest = tuple(s for s in before if s is not old)
    values = [value for value in add.arguments if value != old.target]
    if len(values) != 1 or any(old.target.name in names_used(s) for s in rest):
        return None
    return (rest, values[0]) if values[0].dtype == store.buffer.dtype else None

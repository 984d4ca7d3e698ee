"""Repetitions: what a loop in order stores as often as a number says is stored segment by segment.

``repeat`` with an array of counts goes on to the next place for each element that it stores. Here,
the places at which repetitions begin are counted first, and then segments are stored, each at its
own places. Other passes share out both (``prefix``, ``segment_search``).
"""

from __future__ import annotations

from symtheano.codegen.passes.trace import Context
from symtheano.codegen.targets import Target
from symtheano.dataclass import dataclass, replace
from symtheano.loopir import (
    Assign,
    Buffer,
    Builder,
    Declare,
    For,
    Kernel,
    Let,
    LetIndex,
    Literal,
    Load,
    Local,
    Statement,
    Store,
    Value,
    View,
)
from symtheano.loopir.names import definitions
from symtheano.loopir.rewrite import Body, Copier, names_used

_SCALAR = Let | LetIndex | Load


def repetitions(kernel: Kernel, target: Target, context: Context) -> Kernel:
    """Count where repetitions begin, and then store them in loops over segments."""
    found = _find(kernel)
    if found is None:
        context.otherwise("not, no loop stores an element as often as a number says")
        return kernel
    context.note(found.loop, "the places at which repetitions begin are counted before")
    return replace(kernel, body=_written(found, context))


@dataclass(frozen=True)
class _Repetitions:
    """A loop over what is repeated.

    Attributes
    ----------
    declare, loop, inner
        The declaration of the place, the loop, and the one over repetitions.
    scalars
        What is computed for each element.
    store
        What is done for each repetition.
    """

    declare: Declare
    loop: For
    inner: For
    scalars: Body
    store: Store


def _find(kernel: Kernel) -> _Repetitions | None:
    """Return what a kernel repeats, if that is all that it does."""
    if len(kernel.body) != 2 or kernel.results:
        return None
    declare, loop = kernel.body
    if not isinstance(declare, Declare) or not isinstance(loop, For) or not loop.body:
        return None
    *scalars, inner = loop.body
    if not isinstance(inner, For) or not all(isinstance(s, _SCALAR) for s in scalars):
        return None
    if not all(_is_plain(each) for each in (loop, inner)) or inner.stop.name is None:
        return None
    stores = [s for s in inner.body if isinstance(s, Store)]
    if len(stores) != 1 or not _goes_on(inner, declare.target):
        return None
    store, own = stores[0], {inner.index.name, declare.target.name}
    reads = {store.value.name} if isinstance(store.value, Value) else set()
    reads |= {name for s in scalars for name in names_used(s)}
    inside = {value.name for s in inner.body for value in definitions(s)}
    if store.index != declare.target.index or not (own | inside).isdisjoint(reads):
        return None
    return _Repetitions(declare, loop, inner, tuple(scalars), store)


def _is_plain(loop: For) -> bool:
    return loop.kind == "serial" and loop.start == 0 and loop.step == 1


def _goes_on(inner: For, place: Value) -> bool:
    """Return whether each iteration stores, and then adds one to the place."""
    one = Literal(1, "int64")
    adds = [s for s in inner.body if isinstance(s, Let)]
    assigns = [s for s in inner.body if isinstance(s, Assign)]
    if len(inner.body) != 3 or len(adds) != 1 or len(assigns) != 1:
        return False
    (add,), (assign,) = adds, assigns
    is_next = add.op == "add" and set(add.arguments) == {place, one}
    return is_next and (assign.target, assign.value) == (place, add.target)


def _written(found: _Repetitions, context: Context) -> tuple[Statement, ...]:
    b, loop, inner = Builder(context.names), found.loop, found.inner
    name = context.names.fresh("begins")
    begins = Buffer(name, "int64", "local", loop.stop + 1)
    b.emit(Local(begins))
    place = b.declare("place", found.declare.initial)
    with b.loop("i", loop.stop) as i:
        copier = Copier(context.names, {loop.index.name: i}, {loop.index.name: b.operand(i)})
        for s in copier.block(found.scalars):
            b.emit(s)
        assert inner.stop.name is not None
        times = copier.operand(Value(inner.stop.name, "int64"))
        b.emit(Store(begins, i, place))
        b.assign(place, b.let("add", "int64", [place, times]))
    b.emit(Store(begins, loop.stop, place))
    with b.loop("i", loop.stop, kind="parallel") as i:
        copier = Copier(context.names, {loop.index.name: i}, {loop.index.name: b.operand(i)})
        for s in copier.block(found.scalars):
            b.emit(s)
        first = b.load(View(begins, (), (), i), [])
        last = b.load(View(begins, (), (), i + 1), [])
        bounds = b.as_index(last), b.as_index(first)
        with b.loop("p", *bounds, kind="independent") as p:
            b.emit(replace(found.store, index=p, value=copier.operand(found.store.value)))
    return b.statements()

"""Why nodes share loops: the choices of a schedule as text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from symtheano.codegen.plan.elements import label_of_op
from symtheano.codegen.plan.fusion.choices import Saved
from symtheano.codegen.plan.memory import MemoryPlan
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.steps import Nest, OpStep
from symtheano.graph.variable import Apply
from symtheano.loopir import Index
from symtheano.loopir.index import product

_FORMS = {
    "inline": "computed wherever they are read",
    "scalar": "numbers between steps",
    "point": "points of loops",
    "reduction": "reductions",
    "op": "steps of their own",
}


def reasons(schedule: Schedule, memory: MemoryPlan, name: Callable[[Any], str]) -> Iterator[str]:
    """Yield what each round of a plan did, line by line: what it saves, and why not more.

    Bytes are those that would be moved if one node had not joined, all else being the same.

    Parameters
    ----------
    schedule, memory
        The steps, and where their results are.
    name
        Returns the name of a value.
    """
    text = _Reasons(schedule, memory, name)
    rounds = {
        "order: factors of an epilogue come before its routine": text.factors(),
        "forms: what each node is": text.forms(),
        "fuse: groups that pass on values become one, the best pair first": text.fused(),
        "siblings: groups that read the same arrays become one, the best pair first": text.fused(
            siblings=True
        ),
        "compute again: what costs less than to store and to load it": text.computed_again(),
        "epilogues: a routine does what follows it, on the rows of its result": text.epilogues(),
        "in place: an output is made in the memory of an input": text.in_place(),
    }
    for title, lines in rounds.items():
        shown = list(lines)
        if shown:
            yield title
            yield from (f"  {line}" for line in shown)


class _Reasons:
    """The rounds of a plan.

    Parameters
    ----------
    schedule, memory
        The steps, and where their results are.
    name
        Returns the name of a value.
    """

    def __init__(self, schedule: Schedule, memory: MemoryPlan, name: Callable[[Any], str]) -> None:
        self.schedule, self.memory, self.name = schedule, memory, name
        nests = [step for step in schedule.steps if isinstance(step, Nest)]
        self.stored = {value for nest in nests for value in nest.stores}

    def factors(self) -> Iterator[str]:
        """Yield what comes before a routine for the sake of what follows it."""
        if self.schedule.order.factors:
            yield self._names(self.schedule.order.factors)

    def forms(self) -> Iterator[str]:
        """Yield what nodes are, and how many parts of loops there are."""
        forms = self.schedule.forms
        for form, meaning in _FORMS.items():
            nodes = [node for node, node_form in forms.items() if node_form == form]
            if nodes:
                yield f"{meaning}: {self._names(nodes)}"

    def _names(self, nodes: Iterable[Apply]) -> str:
        return ", ".join(self.name(node.outputs[0]) for node in nodes)

    def fused(self, siblings: bool = False) -> Iterator[str]:
        """Yield which groups became one, and which did not, with the bytes that this concerns."""
        for choice in self.schedule.choices:
            if siblings != bool(choice.saved.kept):
                value = self.name(choice.node.outputs[0])
                yield f"{choice.number:<2} gets the group of {value}{self._what(choice.saved)}"
        for r in self.schedule.apart:
            if siblings != bool(r.saved.kept):
                yield f"{r.first:<2} does not get {r.second}{self._what(r.saved)}: {r.reason}"

    def _what(self, saved: Saved) -> str:
        """Return what is passed on and read once, with the bytes of each."""
        parts = []
        if saved.kept:
            parts.append(f"passes on {', '.join(map(self.name, saved.kept))}")
        if saved.shared:
            parts.append(f"reads {', '.join(map(self.name, saved.shared))} once")
        amount = self._amount(saved)
        return f" ({' and '.join(parts)}{amount and f': {amount}'})" if parts else ""

    def _amount(self, saved: Saved) -> str:
        """Return how many bytes are not moved; empty if these are none."""
        total = Index.of(0)
        for value in (*saved.kept, *saved.shared):
            total = total + self._bytes(value)
        for value in saved.stores:
            if value not in self.stored:
                total = total + self._bytes(value)
        return f"{total} bytes" if total.terms else ""

    def _bytes(self, value: Any) -> Index:
        size = Index.of(product(self.schedule.views.dims(value)))
        return size * int(value.type.numpy_dtype.itemsize)

    def computed_again(self) -> Iterator[str]:
        """Yield what nests compute that others compute as well."""
        first: dict[Any, int] = {}
        for number, step in enumerate(self.schedule.steps):
            for nest in (step,) if isinstance(step, Nest) else step.feeds.values():
                for member in nest.members:
                    value = member.result
                    if value in first:
                        label, other = label_of_op(member.node.op), first[value]
                        yield f"{number:<2} {self.name(value)}: {label} as in {other}"
                    first.setdefault(value, number)

    def epilogues(self) -> Iterator[str]:
        """Yield which steps have work of a nest that follows them, and why others do not."""
        for number, step in enumerate(self.schedule.steps):
            if isinstance(step, OpStep) and step.epilogue is not None:
                values = ", ".join(self.name(m.result) for m in step.epilogue.members)
                result = self.name(step.node.outputs[0])
                saved = Saved((step.node.outputs[0],), (step.node.outputs[0],))
                yield f"{number:<2} {values}: {result} is not stored ({self._amount(saved)})"
            refused = self.schedule.refused.get(number)
            if refused is not None:
                yield f"{number:<2} has no epilogue: not {refused.number}: {refused.reason}"

    def in_place(self) -> Iterator[str]:
        """Yield which outputs overwrite an input, and why others do not that may."""
        for position, donor in self.memory.donated.items():
            yield f"output {position} is in {self._input(donor)}"
        for position, (donor, reason) in self.memory.refused.items():
            yield f"output {position} is not in {self._input(donor)}: {reason}"

    def _input(self, number: int) -> str:
        return self.schedule.graph.inputs[number].name or f"input {number}"

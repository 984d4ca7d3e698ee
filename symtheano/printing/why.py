"""Why nodes share loops: the choices of a schedule as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from symtheano.codegen.plan.elements import label_of_op
from symtheano.codegen.plan.fusion.choices import Choice, Saved
from symtheano.codegen.plan.memory import MemoryPlan
from symtheano.codegen.plan.schedule import Schedule
from symtheano.codegen.plan.steps import Nest, OpStep
from symtheano.loopir import Index
from symtheano.loopir.index import product


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
        "fuse: a node joins the nest that passes on most bytes to it": text.fused(False),
        "siblings: nests that read the same arrays become one, the best pair first": text.fused(
            True
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

    def fused(self, siblings: bool) -> Iterator[str]:
        """Yield where each node, or nest that is merged without one, went, and what refused it."""
        for choice in self.schedule.choices:
            if (choice.node is None) != siblings:
                continue
            yield f"{choice.number:<2} {self._placed(choice)}"
            for number, saved, reason in choice.refused:
                into = "not into" if choice.source is not None else "not"
                amount = self._amount(saved)
                yield f"     {into} {number}{amount and f' ({amount})'}: {reason}"

    def _placed(self, choice: Choice) -> str:
        value = "" if choice.node is None else self.name(choice.node.outputs[0])
        if choice.source is not None:
            purpose = value and f" for {value}"
            if choice.refused:
                return f"is not merged{purpose}"
            return f"gets nest {choice.source}{purpose}{self._what(choice.saved)}"
        return (
            f"{value} opens a nest" if choice.opened else f"{value} joins{self._what(choice.saved)}"
        )

    def _what(self, saved: Saved) -> str:
        """Return what is passed on and read once, with the bytes of each."""
        parts = []
        if saved.kept:
            parts.append(f"passes on {', '.join(map(self.name, saved.kept))}")
        if saved.shared:
            parts.append(f"reads {', '.join(map(self.name, saved.shared))} once")
        amount = self._amount(saved)
        return f": {' and '.join(parts)}{amount and f' ({amount})'}" if parts else ""

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

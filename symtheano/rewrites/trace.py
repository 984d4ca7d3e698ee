"""The trace: what each rule did, at which line of the user's program."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from symtheano.dataclass import dataclass, field
from symtheano.graph.origin import Origin
from symtheano.graph.variable import Apply, Variable


@dataclass(frozen=True)
class RuleApplication:
    """One application of a rule.

    Attributes
    ----------
    rule, phase
        Names.
    origin
        The user's line that made the node.
    before, after
        The replaced variable and its replacement (interned, so they can be printed at any time).
    cost_before, cost_after
        Approximate cost per element of the expressions, in additions.
    """

    rule: str
    phase: str
    origin: Origin | None
    before: Variable
    after: Variable
    cost_before: int
    cost_after: int


@dataclass
class Trace:
    """All steps of one compilation, in order."""

    steps: list[RuleApplication] = field(default_factory=list)
    made_by: dict[Apply, list[RuleApplication]] = field(default_factory=dict)

    def record(self, step: RuleApplication, nodes: Iterator[Apply] | list[Apply]) -> None:
        """Add a step and the nodes that it made."""
        self.steps.append(step)
        for node in nodes:
            self.made_by.setdefault(node, []).append(step)

    def counts(self) -> Counter[str]:
        """Return how often each rule was applied."""
        return Counter(step.rule for step in self.steps)

    def history(self, variable: Variable) -> list[RuleApplication]:
        """Return the steps that led to a variable of the final graph, in order."""
        steps: list[RuleApplication] = []
        seen: set[Apply] = set()
        stack = [variable.owner] if variable.owner is not None else []
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            for step in self.made_by.get(node, ()):
                if step not in steps:
                    steps.append(step)
                    if step.before.owner is not None:
                        stack.append(step.before.owner)
        return steps[::-1]

    def __len__(self) -> int:
        return len(self.steps)

    def __str__(self) -> str:
        lines = []
        for number, step in enumerate(self.steps, 1):
            place = step.origin.place if step.origin is not None else "?"
            lines.append(f"{number:4d}  {step.phase:<13} {step.rule:<36} {place}")
        return "\n".join(lines)

"""explain: the rules applied to an expression, by line, with their effect on cost."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from symtheano.function import Function
from symtheano.function.modes import get_mode
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.interner import Interner
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import free_inputs, toposort
from symtheano.printing.graph import as_printed, deliver
from symtheano.printing.pp import pp
from symtheano.rewrites.engine import Rewriter, cost
from symtheano.rewrites.rule import Rule
from symtheano.rewrites.trace import RuleApplication
from symtheano.tensor.elemwise import DimShuffle

_WIDTH = 80
_DEPTHS = (4, 8)
_LARGEST = 60


def explain(
    f_or_variable: Any,
    file: Any = None,
    *,
    loops: bool = False,
    program: bool = False,
    show: str = "all",
    device: str | None = None,
) -> str | None:
    """Print the rules that were applied to an expression, or the passes on its program or loops.

    For each output, the formula is printed as written and as it runs, followed by the steps for
    each of the user's lines. A step shows its rule and the replacement. Costs are approximate, in
    additions per element; shared operations are counted once. Expressions deeper than a few levels
    are abbreviated with ``…``. At the end, all applied rules are listed, with the number of
    applications and their reasons.

    With ``loops``, the loops of each kernel are printed as they were written, and after each pass
    that changed them. :mod:`symtheano.codegen.passes` describes the passes. For each pass, lines
    say why it did or did not change a loop, with the numbers that were compared.

    With ``program``, the whole program is printed as it was written, in which every loop is the
    plainest one, and after each pass that changed it. The passes on loops are one of these.

    Parameters
    ----------
    f_or_variable
        A compiled function, or a variable or list of variables, for the default mode. Nothing is
        compiled.
    file
        File to which to print, by default stdout; ``"str"`` returns the text instead.
    loops
        Whether to print the passes on loops instead of the rules.
    program
        Whether to print the passes on the program instead.
    show
        ``all``, or only the ``changes`` that each pass makes, or, with ``loops``, only the
        ``reasons``.
    device
        The device whose passes are printed, such as ``cuda``; by default that of the function.

    Examples
    --------
    >>> x = T.vector("x")
    >>> explain(T.log(1 + T.exp(x)))  # doctest: +ELLIPSIS
    output 1
      written  log(1 + exp(x))
      runs     softplus(x)
    ...
    """
    if loops or program:
        from symtheano.printing.loops import program_text, trace_of_passes, trace_text

        text = program_text if program else trace_text
        return deliver(text(trace_of_passes(f_or_variable, device=device), show), file)
    if isinstance(f_or_variable, Function):
        graph, rules = f_or_variable.user_graph, f_or_variable.mode.rules()
    elif isinstance(f_or_variable, FunctionGraph):
        graph, rules = f_or_variable, get_mode().rules()
    else:
        outputs = as_printed(f_or_variable).outputs
        graph = FunctionGraph(free_inputs(outputs), outputs)
        rules = get_mode().rules()
    account = _Account(graph, rules)
    lines: list[str] = []
    for number, label in enumerate(_labels(f_or_variable, graph)):
        lines += account.of_output(number, label)
    return deliver("\n".join(lines + account.table()), file)


def _labels(subject: Any, graph: FunctionGraph) -> Iterator[str]:
    updates = as_printed(subject).updates
    for number, output in enumerate(graph.outputs):
        if number in updates:
            yield f"new value of {updates[number].describe()}"
        else:
            name = "" if output.name is None else f", {output.describe()}"
            yield f"output {number + 1}{name}"


class _Recorder(Interner):
    """An interner that records how nodes change when their inputs change."""

    def __init__(self) -> None:
        super().__init__()
        self.rebuilt_as: dict[Apply, list[Apply]] = {}

    def apply(self, node: Apply, inputs: Sequence[Variable]) -> Apply:
        interned = super().apply(node, inputs)
        if interned is not node:
            self.rebuilt_as.setdefault(node, []).append(interned)
        return interned


class _Account:
    """One rewriting of a graph, and the part that was already reported."""

    def __init__(self, graph: FunctionGraph, rules: Iterable[Rule]) -> None:
        self.interner = _Recorder()
        self.written = FunctionGraph(graph.inputs, graph.outputs, self.interner).outputs
        rewriter = Rewriter(rules)
        self.rules = {rule.name: rule for rule in rewriter.rules}
        self.runs = rewriter.rewrite_outputs(self.written, self.interner)
        self.trace = rewriter.trace
        self.number = {id(step): number for number, step in enumerate(self.trace.steps, 1)}
        self.steps_on: dict[Variable, list[RuleApplication]] = {}
        for step in self.trace.steps:
            self.steps_on.setdefault(step.before, []).append(step)
        self.added: dict[int, set[Apply]] = {}
        for node, steps in self.trace.made_by.items():
            for step in steps:
                self.added.setdefault(id(step), set()).add(node)
        self._seen: set[Variable] = set()

    def of_output(self, number: int, label: str) -> list[str]:
        """Return the lines about one output."""
        written, runs = self.written[number], self.runs[number]
        lines = [
            *_wrapped(label, ""),
            *_wrapped(pp(written, _DEPTHS[0]), "  written  "),
            *_wrapped(pp(runs, _DEPTHS[0]), "  runs     "),
            f"  cost     {_total(written)} -> {_total(runs)}",
            "",
        ]
        quiet = 0
        by_line: dict[Any, list[str]] = {}
        for step in self._history(written):
            shown = self._step(step)
            quiet += not shown
            if shown:
                by_line.setdefault(step.origin, []).extend(shown)
        for origin, steps in by_line.items():
            place = "somewhere" if origin is None else origin.place
            text = "" if origin is None else origin.text
            lines += [*_wrapped(text, f"  {place}  "), *steps, ""]
        if quiet:
            lines += [f"  and {quiet} step{'s' * (quiet > 1)} that a formula does not show", ""]
        return lines

    def _history(self, written: Variable) -> list[RuleApplication]:
        """Return the steps of a written expression, except those already reported."""
        steps: dict[int, RuleApplication] = {}
        stack = [written]
        while stack:
            variable = stack.pop()
            if variable in self._seen:
                continue
            self._seen.add(variable)
            node = variable.owner
            if node is None:
                continue
            stack.extend(node.inputs)
            for step in self.steps_on.get(node.outputs[0], ()):
                steps[self.number[id(step)]] = step
                stack.append(step.after)
            for rebuilt in self.interner.rebuilt_as.get(node, ()):
                stack.extend(rebuilt.outputs)
        return [steps[number] for number in sorted(steps)]

    def _step(self, step: RuleApplication) -> list[str]:
        """Return the lines about one step, or none if the formula does not change."""
        for depth in _DEPTHS:
            before, after = pp(step.before, depth), pp(step.after, depth)
            if before != after:
                break
        else:
            return []
        old, new = self._costs(step)
        head = f"{self.number[id(step)]:5d}  {step.rule} ({step.phase})"
        return [
            f"{head}, cost {old} -> {new}",
            *_wrapped(before, "            "),
            *_wrapped(after, "         -> "),
        ]

    def _costs(self, step: RuleApplication) -> tuple[int, int]:
        """Return the cost of the nodes that a step removes and of those it adds."""
        added = self.added.get(id(step), set())
        if step.after.owner not in added or step.before.owner is None:
            return step.cost_before, step.cost_after
        kept = {item for node in added for item in node.inputs}
        gone: set[Apply] = set()
        stack = [step.before.owner]
        while stack:
            node = stack.pop()
            if node in gone:
                continue
            gone.add(node)
            if len(gone) > _LARGEST:
                return step.cost_before, step.cost_after
            stack.extend(x.owner for x in node.inputs if x.owner is not None and x not in kept)
        return sum(map(_cost, gone)), sum(map(_cost, added))

    def table(self) -> list[str]:
        """Return the table of the applied rules."""
        counts = self.trace.counts()
        if not counts:
            return ["no rule fired"]
        lines = ["times  rule"]
        for name, count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
            doc = " ".join(self.rules[name].doc.split()).replace("``", "")
            why = re.split(r"(?<=\.) ", doc, maxsplit=1)[0]
            lines += [f"{count:5d}  {name} ({self.rules[name].phase})", *_wrapped(why, " " * 9)]
        return lines


def _total(variable: Variable) -> int:
    return sum(map(_cost, toposort([variable])))


def _cost(node: Apply) -> int:
    """Return a node's cost: zero for views, the cost of the expansion for composite ops."""
    if isinstance(node.op, DimShuffle):
        return 0
    written_out = getattr(node.op, "written_out", None)
    if written_out is None:
        return cost(node)
    parts = toposort([written_out(node.inputs[0])], stop=node.inputs)
    return sum(cost(part) for part in parts if not isinstance(part.op, DimShuffle))


def _wrapped(text: str, head: str) -> list[str]:
    """Return a text after a head, wrapped, with further lines aligned to the first."""
    indent = min(len(head), _WIDTH // 2)
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=head,
        subsequent_indent=" " * indent,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [head.rstrip()]

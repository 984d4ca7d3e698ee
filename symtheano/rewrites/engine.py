"""The engine: applies rules bottom-up to a fixpoint, and records origins and a trace.

The graph is hash-consed, so the normal form of each node is computed once. A rule is applied to a
node whose inputs are in normal form, and its result is normalized in turn. A phase is therefore
linear in the number of nodes and applications.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from symtheano.errors import RewriteError, format_error
from symtheano.graph.arms import has_arms
from symtheano.graph.eager import quiet
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.interner import Interner
from symtheano.graph.op import Op
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import clients, toposort
from symtheano.rewrites.candidates import PhaseRules, names_of, rules_of_phase
from symtheano.rewrites.lengths import not_told
from symtheano.rewrites.required import Followed
from symtheano.rewrites.rule import CARRIED, PHASES, STEP_PHASES, Context, Phase as PhaseName, Rule
from symtheano.rewrites.trace import RuleApplication, Trace
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.variable import TensorConstant

_FIRINGS_PER_NODE = 60
_FIRINGS_AT_LEAST = 2000


class Phase:
    """The rules of one phase, applied to one interner.

    Parameters
    ----------
    name
        Name for the trace.
    rules
        The phase's own rules, and those carried over from earlier phases.
    whole
        The rules about whole graphs.
    resting
        Nodes to which the carried rules are known not to apply.
    of_step
        Function that rewrites the graph of a loop's step.
    """

    def __init__(
        self,
        name: str,
        rules: PhaseRules,
        whole: Sequence[Rule],
        interner: Interner,
        trace: Trace,
        resting: set[Apply],
        of_step: Callable[[FunctionGraph], FunctionGraph],
    ) -> None:
        self.name, self.interner, self.trace = name, interner, trace
        self._resting, self._of_step = resting, of_step
        self._whole, self._all, self._own = whole, rules.every, rules.own
        self.normal: dict[Variable, Variable] = {}
        self._pending: dict[Apply, Sequence[Variable | None]] = {}
        self._pending_rule: dict[Apply, str] = {}
        self._open: set[Apply] = set()
        self._alive: set[Apply] = set()
        self._uses: dict[Variable, int] = {}
        self._clients: dict[Variable, list[tuple[Apply | str, int]]] = {}
        self._context = Context(
            lambda variable: self._uses.get(variable, 0), self._users, self._readers
        )
        self._fired: Counter[str] = Counter()
        self._firings = 0
        self._budget = 0

    def run(self, outputs: Sequence[Variable], nodes: Sequence[Apply]) -> Sequence[Variable]:
        """Return the normal forms of interned ``outputs``, which ``nodes`` compute in this order.

        They are the same object if no rule was applied.
        """
        replacements = [(rule, self._replacements_by(rule, nodes, outputs)) for rule in self._whole]
        if not any(new for _, new in replacements) and self._rests(nodes):
            return outputs
        self._alive.update(nodes)
        self._clients = clients(outputs, nodes)
        self._uses = {variable: len(places) for variable, places in self._clients.items()}
        self._budget = _FIRINGS_AT_LEAST + _FIRINGS_PER_NODE * len(nodes)
        for rule, new in replacements:
            self._replace_in_graph(rule, new)
        if self._pending:  # they may have left nodes that nothing uses
            for output in outputs:
                if output.owner is not None:
                    self._normalize(output.owner)
        else:
            self._normalize_all(nodes)
        return [self._normal_of(output) for output in outputs] if self._firings else outputs

    def _rests(self, nodes: Sequence[Apply]) -> bool:
        """Return whether no rule may apply to a node."""
        return self._resting.issuperset(nodes) and not any(map(self._own.of, nodes))

    def _users(self, variable: Variable) -> list[Op | None]:
        """Return the ops that used a variable at the beginning of the phase, None for an output."""
        return [None if node is None else node.op for node in self._readers(variable)]

    def _readers(self, variable: Variable) -> list[Apply | None]:
        """Return the nodes that used a variable at the beginning of the phase."""
        places = self._clients.get(variable, ())
        return [node if isinstance(node, Apply) else None for node, _ in places]

    def _replacements_by(
        self, rule: Rule, nodes: Sequence[Apply], outputs: Sequence[Variable]
    ) -> Mapping[Variable, Variable]:
        """Return what a rule about whole graphs replaces, and by what."""
        if rule.tracks and all(set(rule.tracks).isdisjoint(names_of(node.op)) for node in nodes):
            return {}
        assert rule.whole is not None
        return rule.whole(nodes, set(outputs), self._of_step)

    def _replace_in_graph(self, rule: Rule, replaced: Mapping[Variable, Variable]) -> None:
        """Apply a rule about whole graphs."""
        changes: dict[Apply, dict[Variable, Variable]] = {}
        for before, after in replaced.items():
            assert before.owner is not None
            changes.setdefault(before.owner, {})[before] = after
        for node, new in changes.items():
            _check_types(rule, node, [new.get(item, item) for item in node.outputs])
            count = len(self.interner)
            interned = self.interner.intern(list(new.values()))
            if interned != list(new):
                created = self.interner.since(count)
                self._budget += _FIRINGS_PER_NODE * len(created)
                self._record(rule, node, interned, created, next(iter(new)))
                interned_of = dict(zip(new, interned, strict=True))
                # What is not given, nothing uses any more.
                self._replace(node, [interned_of.get(item) for item in node.outputs])

    # -- the walk -----------------------------------------------------------------------------

    def _normal_of(self, variable: Variable) -> Variable:
        return variable if variable.owner is None else self.normal[variable]

    def _normalize_all(self, nodes: Sequence[Apply]) -> None:
        """Normalize the nodes of a graph, which are in topological order."""
        normal = self.normal
        for node in nodes:
            if node.outputs[0] not in normal:
                self._step(node)
                if node in self._pending:
                    self._normalize(node)

    def _normalize(self, root: Apply) -> None:
        normal, pending = self.normal, self._pending
        stack = [root]
        while stack:
            node = stack[-1]
            if node.outputs[0] in normal:
                stack.pop()
                continue
            replaced = pending.get(node)
            waiting = [
                item.owner
                for item in (node.inputs if replaced is None else replaced)
                if item is not None and item.owner is not None and item not in normal
            ]
            if waiting:
                self._open.add(node)
                if not self._open.isdisjoint(waiting):
                    raise self._circle(stack, waiting)
                stack.extend(reversed(waiting))
                continue
            if replaced is None:
                self._step(node)
                if node in pending:
                    continue
            else:
                new = pending.pop(node)
                self._settle(node, [v if v is None else self._normal_of(v) for v in new])
                self._pending_rule.pop(node, None)
            self._open.discard(node)
            stack.pop()

    def _circle(self, stack: Sequence[Apply], waiting: Sequence[Apply]) -> RewriteError:
        """Return the error for rules that do not terminate."""
        start = next(node for node in waiting if node in self._open)
        path = stack[stack.index(start) :]
        rules = [self._pending_rule[node] for node in path if node in self._pending_rule]
        names = " and ".join(dict.fromkeys(rules))
        return RewriteError(
            format_error(
                f"phase {self.name} does not terminate: rule {names} repeats in a cycle",
                operands=[(start.outputs[0].describe(), str(start))],
                places=[start.origin],
                hint="exclude one of them by name and report the expression",
            )
        )

    def _step(self, node: Apply) -> None:
        """Rebuild a node on normalized inputs, and apply one rule to it."""
        normal = self.normal
        inputs = [item if item.owner is None else normal[item] for item in node.inputs]
        if inputs != node.inputs:
            rebuilt = self._rebuild(node, inputs)
            if rebuilt is not node:
                self._replace(node, rebuilt.outputs)
                return
        candidates = (self._own if node in self._resting else self._all).of(node)
        replacement = self._fire(node, candidates) if candidates else None
        if replacement is not None:
            self._replace(node, replacement)
            return
        for item in node.outputs:
            normal[item] = item

    def _rebuild(self, node: Apply, inputs: list[Variable]) -> Apply:
        """Return the node's op on other inputs; constants may make types more specific."""
        with origin_scope(node.origin):
            learned = any(
                isinstance(new, TensorConstant) and new is not old
                for new, old in zip(inputs, node.inputs, strict=True)
            )
            if learned and not isinstance(node.op, Elemwise):
                rebuilt: Apply | None
                try:
                    rebuilt = node.op.make_node(*inputs)
                except (TypeError, ValueError, IndexError):
                    # A constant that does not fit: a call that needs the node raises the error.
                    rebuilt = None
                if rebuilt is not None and rebuilt.inputs == inputs:
                    return self.interner.apply(rebuilt, inputs)
            return self.interner.apply(node, inputs)

    def _replace(self, node: Apply, outputs: Sequence[Variable | None]) -> None:
        """Replace a node by ``outputs``, schedule them for normalization, and update use counts.

        None is for an output that is not used.
        """
        self._pending[node] = outputs
        uses = self._uses
        for old, new in zip(node.outputs, outputs, strict=True):
            if new is not None and old is not new:
                uses[new] = uses.get(new, 0) + uses.pop(old, 0)
                if old in self._clients:
                    self._clients[new] = self._clients.get(new, []) + self._clients[old]
                if new.owner is not None:
                    self._acquire(new.owner)
        if not any(uses.get(old, 0) for old in node.outputs):
            self._release(node)

    def _acquire(self, root: Apply) -> None:
        """Increment the use counts of the inputs of a new node."""
        stack = [root]
        while stack:
            node = stack.pop()
            if node in self._alive:
                continue
            self._alive.add(node)
            for item in node.inputs:
                current = self.normal.get(item, item)
                self._uses[current] = self._uses.get(current, 0) + 1
                if current.owner is not None:
                    stack.append(current.owner)

    def _release(self, root: Apply) -> None:
        """Decrement the use counts of the inputs of a node that is not needed any more."""
        stack = [root]
        while stack:
            node = stack.pop()
            if node not in self._alive:
                continue
            self._alive.discard(node)
            for item in node.inputs:
                current = self.normal.get(item, item)
                left = self._uses[current] = self._uses.get(current, 0) - 1
                owner = current.owner
                if left > 0 or owner is None:
                    continue
                if all(self._uses.get(output, 0) <= 0 for output in owner.outputs):
                    stack.append(owner)

    def _settle(self, node: Apply, outputs: Sequence[Variable | None]) -> None:
        for old, new in zip(node.outputs, outputs, strict=True):
            self.normal[old] = old if new is None else new
            if new is None or new is old:
                continue
            late = self._uses.pop(old, 0)  # by nodes made while this node was pending
            if late:
                self._uses[new] = self._uses.get(new, 0) + late
            if new.name is None and new.owner is not None:
                new.name = old.name

    # -- rules --------------------------------------------------------------------------------

    def _fire(self, node: Apply, candidates: Sequence[Rule]) -> list[Variable] | None:
        with origin_scope(node.origin):
            for rule in candidates:
                result = rule.apply(node, self._context)
                if result is None:
                    continue
                results = [result] if isinstance(result, Variable) else list(result)
                outputs = [
                    old if new is None else new
                    for old, new in zip(node.outputs, results, strict=True)
                ]
                _check_types(rule, node, outputs)
                count = len(self.interner)
                interned = self.interner.intern(outputs)
                if all(new is old for new, old in zip(interned, node.outputs, strict=True)):
                    continue
                self._record(rule, node, interned, self.interner.since(count))
                return interned
        return None

    def _record(
        self,
        rule: Rule,
        node: Apply,
        outputs: Sequence[Variable],
        created: Sequence[Apply],
        replaced: Variable | None = None,
    ) -> None:
        self._pending_rule[node] = rule.name
        self._fired[rule.name] += 1
        self._firings += 1
        if self._firings > self._budget:
            (name, count), *_ = self._fired.most_common(1)
            raise RewriteError(
                format_error(
                    f"phase {self.name} does not terminate: rule {name} fired {count} times",
                    places=[node.origin],
                    hint=f"exclude the rule by name ({name!r}) and report the expression",
                )
            )
        old = node.outputs[0] if replaced is None else replaced
        before = cost(node)
        after = sum(cost(item) for item in created)
        self.trace.record(
            RuleApplication(rule.name, self.name, node.origin, old, outputs[0], before, after),
            list(created) or [item.owner for item in outputs if item.owner is not None],
        )


def cost(node: Apply) -> int:
    """Return the approximate cost of a node per element, in additions."""
    return node.op.scalar_op.cost if isinstance(node.op, Elemwise) else 1


def _check_types(rule: Rule, node: Apply, outputs: Sequence[Variable]) -> None:
    for old, new in zip(node.outputs, outputs, strict=True):
        if not old.type.accepts(new.type):
            raise RewriteError(
                format_error(
                    f"rule {rule.name} turned {old.type} into {new.type}",
                    operands=[(old.describe(), str(old.owner)), ("became", str(new.owner))],
                    places=[node.origin],
                    hint=f"a defect of that rule; exclude it by name ({rule.name!r}) meanwhile",
                )
            )


class Rewriter:
    """Runs phases over graphs that share one interner.

    Parameters
    ----------
    rules
        The rules to use, in order; each runs in its own phase and in those that carry it.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.rules = list(rules)
        self.trace = Trace()
        self._steps: dict[FunctionGraph, FunctionGraph] = {}

    def rewrite(self, graph: FunctionGraph, phases: Sequence[str] = PHASES) -> FunctionGraph:
        """Return ``graph`` with its outputs in normal form after every phase, or after some.

        What the nodes of ``graph`` require of lengths, it still requires.
        """
        with quiet():
            graph = _with_own_graphs(graph)
            followed = Followed(graph)
            outputs = self._rewritten(graph.outputs, graph.interner, phases, followed)
            final = graph.with_outputs(outputs)
            lost = followed.lost(final)
        if not lost:
            return final
        # What has to be computed for a length becomes what the graph computes.
        needed = {item: None for _, requirement in lost for item in requirement.variables}
        late = not_told(needed)
        written = [item for item in needed if item in late]
        if _have_loops(toposort(written)):
            # Which loops there are depends on what is read of them: once more, with both.
            self.trace = Trace()
            with quiet():
                every = self._rewritten([*graph.outputs, *written], graph.interner, phases)
            final, normal = graph.with_outputs(every[: -len(written)]), every[-len(written) :]
        elif written:
            normal = Rewriter(self.rules).rewrite_outputs(written, graph.interner)
        else:
            normal = []
        new = dict(zip(written, normal, strict=True))
        return final.requiring([(node, r.replaced(new)) for node, r in lost])

    def rewrite_outputs(
        self, outputs: Sequence[Variable], interner: Interner, phases: Sequence[str] = PHASES
    ) -> list[Variable]:
        """Return interned ``outputs`` in normal form after the given phases."""
        with quiet():
            return self._rewritten(outputs, interner, phases)

    def _rewritten(
        self,
        outputs: Sequence[Variable],
        interner: Interner,
        phases: Sequence[str],
        followed: Followed | None = None,
    ) -> list[Variable]:
        current: Sequence[Variable] = interner.intern(outputs)
        nodes = toposort(current)
        resting: set[Apply] = set()
        ran: set[str] = set()

        def run(name: PhaseName, rules: PhaseRules, whole: Sequence[Rule]) -> None:
            nonlocal current, nodes, resting
            at_rest = resting if ran.issuperset(CARRIED[name]) else set()
            phase = Phase(name, rules, whole, interner, self.trace, at_rest, self._of_step)
            before, current = current, phase.run(current, nodes)
            if followed is not None and phase.normal:
                followed.follow(phase.normal)
            if current is not before:
                nodes = toposort(current)
            resting = set(nodes)

        every = tuple(self.rules)
        for name in PHASES:
            if name not in phases or (name == "loops" and not _have_loops(nodes)):
                continue
            rules = rules_of_phase(every, name)
            if name == "loops":
                left: dict[Rule, Sequence[Variable]] = {}  # the graphs that rules did not change
                before = None
                while current != before:  # each rule changes the loops that others have made
                    before = current
                    for rule in rules.whole:
                        outputs_before = current
                        if left.get(rule) is not outputs_before:
                            run(name, rules, [rule])
                        if current is outputs_before:
                            left[rule] = outputs_before
            elif name in rules.phases or not rules.phases <= ran:
                run(name, rules, rules.whole)
            ran.update((name, *CARRIED[name]))
        return list(current)

    def _of_step(self, graph: FunctionGraph) -> FunctionGraph:
        """Return the graph of a loop's step as rules about loops read it."""
        rewritten = self._steps.get(graph)
        if rewritten is None:
            rewritten = self._steps[graph] = Rewriter(self.rules).rewrite(graph, STEP_PHASES)
        return rewritten


def _with_own_graphs(graph: FunctionGraph) -> FunctionGraph:
    """Return a graph in which calls of graphs and choices have graphs of their own."""
    if any(node.op.keeps_graph for node in graph.nodes):
        from symtheano.rewrites.calls import with_calls

        graph = with_calls(graph)
    if has_arms(graph.nodes):
        from symtheano.rewrites.branches import with_branches

        graph = with_branches(graph)
    return graph


def _have_loops(nodes: Sequence[Apply]) -> bool:
    return any(node.op.region is not None for node in nodes)

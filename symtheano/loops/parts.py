"""A scan in parts, which rules change before they make another one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, cast

from symtheano.dataclass import dataclass, field
from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import ancestors, replace
from symtheano.loops.scan_op import Scan
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import constant
from symtheano.tensor.indexing.subtensor import getitem
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Tensor


def are_apart(expressions: Iterable[Variable], variables: Collection[Variable]) -> bool:
    """Return whether expressions depend on none of some variables."""
    return not any(item in variables for item in ancestors(expressions))


@dataclass(eq=False)
class Rows:
    """A sequence: an array, and the variable for one of its rows."""

    row: Tensor
    array: Tensor


@dataclass(eq=False)
class History:
    """All values of a result.

    Attributes
    ----------
    taps
        The variables for earlier values.
    initial
        The values before the first iteration; None without taps.
    result
        Its next value.
    output
        What the new history replaces; None if nothing uses it.
    """

    taps: dict[int, Tensor]
    initial: Tensor | None
    result: Tensor
    output: Tensor | None = None


@dataclass(eq=False)
class State:
    """The last value of a result.

    Attributes
    ----------
    variable
        The value before an iteration.
    initial
        The value before the first iteration.
    result
        Its next value.
    outputs
        What the last value, or a part of it, replaces: variables with the indices of the part.
    """

    variable: Tensor
    initial: Tensor
    result: Tensor
    outputs: dict[Tensor, tuple[Any, ...]] = field(default_factory=dict)


@dataclass(eq=False)
class Other:
    """A value that is the same in all iterations, and the variable for it."""

    variable: Tensor
    value: Tensor


@dataclass(eq=False)
class Parts:
    """The parts of a node of :class:`Scan`.

    Attributes
    ----------
    steps, step
        The number of iterations; the variable for the number of one.
    sequences, histories, states, others
        The values that iterations read and write.
    until, count
        The condition that ends the loop, and what the number of iterations replaces; or None.
    required
        Requirements of iterations in addition to those of their nodes.
    """

    node: Apply
    steps: Tensor
    step: Tensor
    sequences: list[Rows]
    histories: list[History]
    states: list[State]
    others: list[Other]
    until: Tensor | None
    count: Tensor | None
    required: list[tuple[Apply, Requirement]]

    @staticmethod
    def of(node: Apply, used: Iterable[Variable] | None = None) -> Parts:
        """Return the parts of a node; outputs that are not used replace nothing."""
        op = node.op
        assert isinstance(op, Scan)
        layout, inner, results = op.layout, list(op.region.inputs), list(op.region.outputs)
        outputs: list[Any] = list(node.outputs)
        if used is not None:
            wanted = set(used)
            outputs = [item if item in wanted else None for item in outputs]
        initials = map(layout.initial, range(layout.histories))
        firsts = [None if number is None else node.inputs[number] for number in initials]
        taps = map(dict, layout.tapped(inner))
        histories = list(map(History, taps, firsts, results, outputs))
        before, starts, ends = layout.states_before, layout.initial_states, layout.last_states
        lasts = [{} if item is None else {item: ()} for item in outputs[ends]]
        states = list(map(State, inner[before], node.inputs[starts], results[ends], lasts))
        others = map(Other, inner[before.stop :], node.inputs[starts.stop :])
        rows = map(Rows, inner[layout.rows], node.inputs[layout.rows])
        until, count = (results[-1], outputs[-1]) if layout.until else (None, None)
        return Parts(
            *(node, node.inputs[0], inner[0], list(rows), histories, states, list(others)),
            *(until, count, list(op.region.required)),
        )

    # -- what is in them ---------------------------------------------------------------------------

    @property
    def results(self) -> list[Tensor]:
        """What an iteration computes."""
        ends = [] if self.until is None else [self.until]
        return [*(h.result for h in self.histories), *(s.result for s in self.states), *ends]

    def results_beside(self, state: State) -> list[Tensor]:
        """What an iteration computes beside a state; the same again, if it is a result twice."""
        ends = [] if self.until is None else [self.until]
        states = [item.result for item in self.states if item is not state]
        return [*(item.result for item in self.histories), *states, *ends]

    def iterations(self) -> Tensor:
        """Return the number of iterations: none for a negative number."""
        return scalar.maximum(self.steps, constant(0, dtype="int64"))

    def set_results(self, results: Sequence[Tensor]) -> None:
        """Replace the results that iterations compute."""
        remaining = iter(results)
        for history in self.histories:
            history.result = next(remaining)
        for state in self.states:
            state.result = next(remaining)
        if self.until is not None:
            self.until = next(remaining)

    def substitute(self, new: Mapping[Tensor, Tensor]) -> None:
        """Replace variables in the results of iterations."""
        if not new:
            return
        self.set_results(cast("list[Tensor]", replace(self.results, new)))
        for position, (node, requirement) in enumerate(self.required):
            written = requirement.variables
            now = dict(zip(written, replace(written, new), strict=True))
            self.required[position] = (node, requirement.replaced(now))

    def rename(self) -> None:
        """Read everything through new variables."""
        new: dict[Tensor, Tensor] = {}

        def renamed(variable: Tensor) -> Tensor:
            new[variable] = variable.type(variable.name)
            return new[variable]

        self.step = renamed(self.step)
        for rows in self.sequences:
            rows.row = renamed(rows.row)
        for history in self.histories:
            history.taps = {tap: renamed(variable) for tap, variable in history.taps.items()}
        for state in self.states:
            state.variable = renamed(state.variable)
        for other in self.others:
            other.variable = renamed(other.variable)
        self.substitute(new)

    def reads(self, results: Iterable[Tensor]) -> set[Variable]:
        """Return all variables from which results and requirements of iterations are computed."""
        return set(ancestors([*results, *self._checked()]))

    def _checked(self) -> list[Variable]:
        return [item for _, requirement in self.required for item in requirement.variables]

    def forget(self, variables: Collection[Variable]) -> None:
        """Remove all requirements on some variables."""
        self.required = [
            (node, requirement)
            for node, requirement in self.required
            if are_apart(requirement.variables, variables)
        ]

    def changing(self) -> set[Variable]:
        """Return the variables that are different in each iteration."""
        per_iteration: set[Variable] = {self.step, *(item.row for item in self.sequences)}
        return per_iteration | self.carried()

    def carried(self) -> set[Variable]:
        """Return the variables for values of earlier iterations."""
        variables: set[Variable] = {item.variable for item in self.states}
        for history in self.histories:
            variables.update(history.taps.values())
        return variables

    # -- the new scan ------------------------------------------------------------------------------

    def replacements(self) -> dict[Variable, Variable]:
        """Return what replaces the used outputs."""
        old = self.node.op
        assert isinstance(old, Scan)
        starts = [item.initial for item in self.histories if item.initial is not None]
        op = Scan(
            self.step,
            self.results,
            [item.row for item in self.sequences],
            [list(item.taps.items()) for item in self.histories],
            [item.variable for item in self.states],
            [item.variable for item in self.others],
            *(self.until is not None, old.truncate, old.name, self.required, old.stores),
        )
        assert not op.region.missing(), f"{op}: a rule removed what iterations read"
        outputs = op(
            self.steps,
            *(item.array for item in self.sequences),
            *starts,
            *(item.initial for item in self.states),
            *(item.value for item in self.others),
            return_list=True,
        )
        replacements: dict[Variable, Variable] = {}
        for history, new in zip(self.histories, outputs, strict=False):
            if history.output is not None:
                replacements[history.output] = new
        for state, new in zip(self.states, outputs[len(self.histories) :], strict=False):
            for part, key in state.outputs.items():
                # A value before the last one may be the initial one, whose lengths are not known.
                kind = cast(TensorType, part.type)
                replacements[part] = kind.filter_variable(getitem(new, key))
        if self.count is not None:
            replacements[self.count] = outputs[-1]
        return replacements

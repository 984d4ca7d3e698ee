"""The roles of the inputs and outputs of a scan and of the graph that it runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeVar, cast

_Variable = TypeVar("_Variable")


class InputSource(NamedTuple):
    """Where an input of the graph comes from.

    Attributes
    ----------
    number
        The input of the op.
    is_row
        Whether it is one row of this input.
    """

    number: int
    is_row: bool = False


class Layout(NamedTuple):
    """How many inputs and outputs of each kind there are.

    The inputs of the graph are the number of the iteration, a row of each sequence, the taps of
    each history, the states, and the others. Those of the op are the number of iterations, the
    sequences, the initial values of histories with taps, the initial states, and the others.

    Attributes
    ----------
    taps
        The taps of each history.
    sequences, states, others
        Numbers of them.
    until
        Whether the last output of the graph tells that the loop ends.
    """

    taps: tuple[tuple[int, ...], ...]
    sequences: int
    states: int
    others: int
    until: bool

    @classmethod
    def of(cls, fields: Sequence[object]) -> Layout:
        """Return a layout from its fields, from a file.

        Raises
        ------
        ValueError
            If they are not fields of a layout.
        """
        match fields:
            case ((*taps,), int(sequences), int(states), int(others), bool(until)):
                all_taps = tuple(tuple(item) if isinstance(item, tuple) else item for item in taps)
                if min(sequences, states, others) >= 0 and all(map(_are_taps, all_taps)):
                    return cls(cast("tuple[tuple[int, ...], ...]", all_taps), sequences, states,
                               others, until)  # fmt: skip
        raise ValueError(f"{fields!r} are not the inputs and outputs of a loop")

    @property
    def histories(self) -> int:
        """Number of histories."""
        return len(self.taps)

    @property
    def tells_rows(self) -> bool:
        """Whether there are histories whose number of rows is only known after the loop."""
        return self.until and self.histories > 0

    def rows_before(self, history: int) -> int:
        """Return how many initial values a history has."""
        return -min(self.taps[history], default=0)

    def first_tap(self, history: int) -> int:
        """Return the input of the graph for the first tap of a history."""
        return 1 + self.sequences + sum(map(len, self.taps[:history]))

    @property
    def first_state(self) -> int:
        """The input of the graph for the first state."""
        return self.first_tap(self.histories)

    def tapped(self, inner: Sequence[_Variable]) -> list[list[tuple[int, _Variable]]]:
        """Return for each history its taps, each with the graph's input for it."""
        return [
            [(tap, inner[self.first_tap(k) + n]) for n, tap in enumerate(taps)]
            for k, taps in enumerate(self.taps)
        ]

    @property
    def rows(self) -> slice:
        """The inputs of the graph that are rows of sequences; the op's that are sequences."""
        return slice(1, 1 + self.sequences)

    @property
    def states_before(self) -> slice:
        """The inputs of the graph that are states."""
        return slice(self.first_state, self.first_state + self.states)

    @property
    def initial_states(self) -> slice:
        """The op's inputs that are initial states."""
        return slice(self.initial_state, self.initial_state + self.states)

    def initial(self, history: int) -> int | None:
        """Return the op's input with the initial values of a history, or None."""
        if not self.taps[history]:
            return None
        return 1 + self.sequences + sum(bool(taps) for taps in self.taps[:history])

    @property
    def initial_state(self) -> int:
        """The op's input with the first initial state."""
        return 1 + self.sequences + sum(map(bool, self.taps))

    def sources(self) -> list[InputSource]:
        """Return for each input of the graph where it comes from."""
        sources = [InputSource(0), *(InputSource(1 + k, True) for k in range(self.sequences))]
        for history, taps in enumerate(self.taps):
            initial = self.initial(history)
            sources += [InputSource(initial, True) for _ in taps if initial is not None]
        rest = range(self.initial_state, self.initial_state + self.states + self.others)
        return [*sources, *map(InputSource, rest)]

    def same_types(self) -> list[int | None]:
        """Return for each output of the graph an input of the same type and shape."""
        states = [self.first_state + k for k in range(self.states)]
        taps = [self.first_tap(k) if taps else None for k, taps in enumerate(self.taps)]
        return [*taps, *states, *([None] if self.until else [])]

    @property
    def last_states(self) -> slice:
        """The outputs that are states."""
        return slice(self.histories, self.histories + self.states)


def fixed_inputs(sources: Sequence[InputSource], carried: Iterable[int | None]) -> list[int | None]:
    """Return for each input of a loop's graph the op's input that it is in all iterations, or None.

    Parameters
    ----------
    sources
        Where the inputs come from.
    carried
        For each output of the graph the number of the input that it replaces, or None.

    Examples
    --------
    >>> fixed_inputs([InputSource(0), InputSource(1, True), InputSource(2), InputSource(3)], [2])
    [None, None, None, 3]
    """
    changing = {0, *carried}  # the first one is the number of the iteration
    return [
        None if source.is_row or number in changing else source.number
        for number, source in enumerate(sources)
    ]


def _are_taps(taps: object) -> bool:
    return isinstance(taps, tuple) and all(type(tap) is int and -1_000 < tap < 0 for tap in taps)

"""The rounds in which groups become one: the pair first that saves most bytes.

A pair passes on values from the earlier group to the later one, or reads the same arrays. Two
groups may become one if each member fits (:mod:`.merge`), and if nothing has to run between them.
The steps are in an order at any time: what a step needs comes before it. So only the neighbours of
the two have to be looked at:

- the later group moves to the earlier one if everything that it needs comes before that;
- else the earlier group moves to the later one if everything that needs it comes after that;
- else what the later group needs moves before the earlier one, if this is little, and does not
  need the earlier one.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from heapq import heappop, heappush
from math import prod

from symtheano.codegen.plan.fusion.choices import Choice, Refusal, Saved
from symtheano.codegen.plan.fusion.groups import Group
from symtheano.codegen.plan.fusion.merge import KEPT, LIMITS, joined, uses_reductions
from symtheano.codegen.plan.fusion.sequence import Sequence
from symtheano.codegen.plan.fusion.table import Table, numbers_of, ready_at
from symtheano.codegen.targets import Costs
from symtheano.dataclass import replace
from symtheano.loopir import Index
from symtheano.tensor.variable import Tensor

LATE = "something has to run between"
"""Why two groups do not become one."""

# Later groups that are tried for each array of a group.
_TRIED = 4
# Steps that move before a group, at most, so that another one becomes a part of it.
_MOVED = 32

_STAY: tuple[bool, set[int]] = True, set()


def fuse(table: Table, costs: Costs, listens: bool = False) -> Table:
    """Return the table in which groups that pass on values are one."""
    return _Round(table, costs, listens).run(passing=True)


def merge_siblings(table: Table, costs: Costs, listens: bool = False) -> Table:
    """Return the table in which groups that read the same arrays are one."""
    return _Round(table, costs, listens).run(passing=False)


class _Round:
    """The groups of a round as far as they have been merged.

    Steps have the numbers of the table before. A group that got another one keeps its number.
    """

    def __init__(self, table: Table, costs: Costs, listens: bool) -> None:
        self.table, self.costs, self.listens = table, costs, listens
        self.views = table.operands.views
        self.groups = list(table.steps)
        count = len(self.groups)
        self.parent = list(range(count))
        self.before: list[set[int]] = [set() for _ in range(count)]
        self.complete: list[set[int]] = [set() for _ in range(count)]
        self.after: list[set[int]] = [set() for _ in range(count)]
        self.passed: list[dict[int, dict[Tensor, None]]] = [{} for _ in range(count)]
        self.givers: list[dict[int, None]] = [{} for _ in range(count)]
        self.pinned = {table.position[k] for k in table.checks}
        self.closed: list[set[int]] = [set() for _ in range(count)]
        self.late: list[set[int]] = [set() for _ in range(count)]
        self.order = Sequence(count)
        self.size = cache(self._assumed_bytes)
        self.moves = cache(self._moved_bytes)
        self.heap: list[tuple[int, int, int]] = []
        # The bytes of each pair of a later and an earlier group that waits; other entries are old.
        self.waiting: dict[tuple[int, int], int] = {}
        self.choices: list[Choice] = []
        self.refused: dict[tuple[int, int], tuple[Saved, str]] = {}
        place = table.position
        for number, awaits in enumerate(table.awaits):
            mine = place[number]
            for k in awaits.steps:
                if place[k] != mine:
                    self.complete[mine].add(place[k])
                    self.before[mine].add(place[k])
                    self.after[place[k]].add(mine)
            for value, k in awaits.passed.items():
                if place[k] != mine:
                    self.before[mine].add(place[k])
                    self.after[place[k]].add(mine)
                    self.passed[place[k]].setdefault(mine, {})[value] = None
                    self.givers[mine][place[k]] = None

    # -- the round -------------------------------------------------------------------------------

    def run(self, passing: bool) -> Table:
        """Merge the best pairs, and return the table of the groups."""
        if passing:
            self._merge_passing()
        else:
            self._merge_siblings()
        return self._table()

    def _merge_passing(self) -> None:
        for first, readers in enumerate(self.passed):
            for second in readers:
                self._push(first, second)
        while self.heap:
            amount, second, first = heappop(self.heap)
            if self.waiting.get((second, -first)) == -amount:
                del self.waiting[second, -first]
                self._try(-first, second, passing=True)

    def _merge_siblings(self) -> None:
        for first, second in self._siblings():
            leaves = self._group(first).leaves.keys() & self._group(second).leaves.keys()
            heappush(self.heap, (-sum(map(self.size, leaves)), first, second))
        tried: set[tuple[int, int]] = set()
        while self.heap:
            pair = map(self.find, heappop(self.heap)[1:])
            first, second = sorted(pair, key=self.order.label)
            if first != second and (first, second) not in tried:
                tried.add((first, second))
                self._try(first, second, passing=False)

    def find(self, number: int) -> int:
        """Return the group that has the members of another one now."""
        parent = self.parent
        while parent[number] != number:
            parent[number] = number = parent[parent[number]]
        return number

    def _siblings(self) -> Iterator[tuple[int, int]]:
        """Yield the pairs of groups that read an array, each once."""
        readers: dict[tuple[Tensor, tuple[Index, ...]], list[int]] = {}
        for number, group in enumerate(self.groups):
            if isinstance(group, Group):
                space = in_any_order(group.space)
                for leaf in group.leaves:
                    readers.setdefault((leaf, space), []).append(number)
        pairs: dict[tuple[int, int], None] = {}
        for numbers in readers.values():
            for k, first in enumerate(numbers):
                for second in numbers[k + 1 : k + 1 + _TRIED]:
                    pairs[first, second] = None
        yield from pairs

    def _push(self, first: int, second: int) -> None:
        """Add a pair; where others are as good, the one whose later group comes first is first."""
        amount = sum(map(self.moves, self.passed[first][second]))
        self.waiting[second, first] = amount
        heappush(self.heap, (-amount, second, -first))

    def _try(self, first: int, second: int, passing: bool) -> None:
        """Merge two groups, if they may become one."""
        moved = self._why_not_or_moved(first, second, passing)
        group: Group | str
        if isinstance(moved, str):
            group, moved = moved, _STAY
        else:
            one, other = self._group(first), self._group(second)
            group = joined(one, other, self.table.reads, self.views, self.costs)
        if isinstance(group, str):
            if group in LIMITS:
                self.closed[first].add(second)
                self.closed[second].add(first)
            elif group is LATE:
                self.late[first].add(second)
            if self.listens and (passing or second not in self.passed[first]):
                self.refused[first, second] = self._saved(first, second), group
            return
        if self.listens:
            node = self._group(second).members[0].node
            self.choices.append(Choice(node, first, self._saved(first, second)))
        self._forget_late(first, second)
        self._move(first, second, moved)
        self._merge(first, second, group, passing)

    def _group(self, number: int) -> Group:
        group = self.groups[number]
        assert isinstance(group, Group)
        return group

    def _has_stages(self, number: int) -> bool:
        return uses_reductions(self._group(number), self.table.reads)

    # -- order -----------------------------------------------------------------------------------

    def _why_not_or_moved(
        self, first: int, second: int, passing: bool
    ) -> tuple[bool, set[int]] | str:
        """Return what has to move before two groups can have one place, or why they can't.

        Returns
        -------
        tuple
            Whether this is the place of the first one, and the steps that move before it.
        """
        find, label = self.find, self.order.label
        if any(find(k) == first for k in self.complete[second]):
            return LATE
        if not passing and all(self._has_stages(k) for k in (first, second)):
            return KEPT
        place = label(first)
        before = self.before[second] = {find(k) for k in self.before[second]}
        later = [k for k in before if label(k) > place and k != second]
        if not later:
            return _STAY
        if first in self.pinned:
            return LATE
        end = label(second)
        ends = second not in self.pinned and all(label(find(k)) >= end for k in self.after[first])
        if ends:
            return False, set()
        moved = self._needed_between(first, later)
        return LATE if moved is None else (True, moved)

    def _move(self, first: int, second: int, moved: tuple[bool, set[int]]) -> None:
        """Give two groups one place."""
        if not moved[0]:
            self.order.replace(second, first)
            return
        for k in sorted(moved[1], key=self.order.label):
            self.order.move_before(k, first)
        self.order.remove(second)

    def _forget_late(self, first: int, second: int) -> None:
        """Forget pairs of two groups that did not become one because of what runs between them.

        These are pairs of one of them and what comes before or after both: what runs between such
        a pair may have been the other one. For other pairs it remains.
        """
        label, end = self.order.label, self.order.label(second)
        late = {k for k in map(self.find, self.late[first]) if label(k) <= end}
        self.late[first] = late | {*map(self.find, self.late[second])}
        for giver in self.givers[second]:
            late = self.late[giver]
            if second in late:
                late.remove(second)
                if label(giver) > label(first):
                    late.add(first)

    def _needed_between(self, first: int, needed: list[int]) -> set[int] | None:
        """Return the steps after a group among some and what these need; None if the group is."""
        place = self.order.label(first)
        stack, moved = [*needed], set(needed)
        while stack:
            if len(moved) > _MOVED:
                return None
            for k in map(self.find, self.before[stack.pop()]):
                if k == first:
                    return None
                if k not in moved and self.order.label(k) > place:
                    moved.add(k)
                    stack.append(k)
        return moved

    def _merge(self, first: int, second: int, group: Group, passing: bool) -> None:
        """Put a group in the place of two."""
        self.groups[first], self.parent[second] = group, first
        self.before[first] |= self.before[second]
        self.complete[first] |= self.complete[second]
        self.after[first] |= self.after[second]
        if second in self.pinned:
            self.pinned.add(first)
        passed, givers, waiting = self.passed, self.givers, self.waiting
        passed[first].pop(second, None)
        givers[second].pop(first, None)
        for reader, values in passed[second].items():
            passed[first].setdefault(reader, {}).update(values)
            givers[reader].pop(second)
            givers[reader][first] = None
            waiting.pop((reader, second), None)
            waiting.pop((reader, first), None)
        for giver in givers[second]:
            passed[giver].setdefault(first, {}).update(passed[giver].pop(second))
            givers[first][giver] = None
            waiting.pop((second, giver), None)
            waiting.pop((first, giver), None)
        passed[second], givers[second] = {}, {}
        self.closed[first] |= self.closed[second]
        if passing:
            closed = {*map(self.find, self.closed[first])}
            for reader in passed[first]:
                self._push_again(first, reader, reader in closed)
            for giver in givers[first]:
                self._push_again(giver, first, giver in closed)

    def _push_again(self, first: int, second: int, closed: bool) -> None:
        """Let a pair wait of which one group has grown, unless it waits or can't become one."""
        if closed or second in self.late[first]:
            self.waiting.pop((second, first), None)
        elif (second, first) not in self.waiting:
            self._push(first, second)

    # -- what is saved ---------------------------------------------------------------------------

    def _saved(self, first: int, second: int) -> Saved:
        """Return what is saved if two groups become one."""
        one, other = self._group(first), self._group(second)
        kept = tuple(self.passed[first].get(second, ()))
        stores = tuple([item for item in kept if item not in self.table.memory])
        shared = tuple([item for item in other.leaves if item in one.leaves])
        return Saved(kept, stores, shared)

    def _moved_bytes(self, variable: Tensor) -> int:
        """Return how many bytes are not moved if a value is passed on in registers."""
        return self.size(variable) * (1 if variable in self.table.memory else 2)

    def _assumed_bytes(self, variable: Tensor) -> int:
        """Return the bytes of an array, with an assumed length of axes of unknown length."""
        lengths = [dim.constant for dim in self.views.dims(variable)]
        assumed = [self.costs.length if n is None else n for n in lengths]
        return prod(assumed) * int(variable.type.numpy_dtype.itemsize)

    # -- the table -------------------------------------------------------------------------------

    def _table(self) -> Table:
        """Return the table of the groups, in order."""
        place = {number: position for position, number in enumerate(self.order)}
        steps = tuple([self.groups[number] for number in place])
        now = [place[self.find(k)] for k in range(len(self.groups))]
        position = tuple([now[k] for k in self.table.position])
        find, table = self.find, self.table
        choices = [replace(c, number=now[c.number]) for c in (*table.choices, *self.choices)]
        refused = [
            replace(r, first=now[r.first], second=now[r.second])
            for r in table.refused
            if now[r.first] != now[r.second]
        ]
        refused += [
            Refusal(now[first], now[second], saved, reason)
            for (first, second), (saved, reason) in self.refused.items()
            if find(first) == first and find(second) == second
        ]
        return replace(
            self.table,
            steps=steps,
            position=position,
            number=numbers_of(steps),
            ready=ready_at(self.table.waits, position),
            choices=tuple(choices),
            refused=tuple(refused),
        )


def in_any_order(space: tuple[Index, ...]) -> tuple[Index, ...]:
    """Return lengths of axes in an order that does not depend on that of the axes."""
    return space if len(space) < 2 else tuple(sorted(space, key=str))

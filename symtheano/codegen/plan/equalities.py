"""Equal lengths and their canonical names."""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Sequence

from symtheano.loopir import Index

# Maximum number of terms of a replacement.
_TERMS = 16


class Equalities:
    """Names of lengths, and their replacements.

    Parameters
    ----------
    is_late
        Predicate for names of lengths that depend on data. Such a length never replaces one that is
        known from the beginning.
    """

    def __init__(self, is_late: Callable[[str], bool] | None = None) -> None:
        self._is_late = is_late
        self._equal: dict[str, Index] = {}

    def items(self) -> ItemsView[str, Index]:
        """Return names and their replacements."""
        self._settle(list(self._equal))
        return self._equal.items()

    def add(self, left: Index, right: Index) -> None:
        """Give two lengths the same name; the left one's, if both are possible."""
        left, right = self.canonical(left), self.canonical(right)
        if left == right:
            return
        choices = [(name, other) for name, other in ((right.name, left), (left.name, right))
                   if name is not None and self._may_replace(name, other)]  # fmt: skip
        if self._is_late is not None:
            late = self._is_late
            choices.sort(key=lambda choice: any(map(late, choice[1].names())))
        if choices:
            name, other = choices[0]
            self._equal[name] = other

    def _may_replace(self, name: str, other: Index) -> bool:
        if name in other.names() or len(other.terms) > _TERMS:
            return False
        late = self._is_late
        return late is None or late(name) or not any(map(late, other.names()))

    def canonical(self, index: Index) -> Index:
        """Return an index with equal lengths under one name."""
        replaced = self._replaced(index)
        if not replaced:
            return index
        self._settle(replaced)
        return index.replace(self._equal)

    def _replaced(self, index: Index) -> list[str]:
        return [name for name in index.names() if name in self._equal]

    def _settle(self, names: Sequence[str]) -> None:
        """Substitute replaced names in the replacements."""
        stack = list(names)
        while stack:
            equal = self._equal[stack[-1]]
            replaced = self._replaced(equal)
            waiting = [name for name in replaced if self._replaced(self._equal[name])]
            if waiting:
                stack.extend(waiting)
                continue
            name = stack.pop()
            if replaced:
                self._equal[name] = equal.replace(self._equal)

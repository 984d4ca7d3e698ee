"""OrderedUpdates: new values of shared variables, in insertion order."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from symtheano.graph.shared import SharedVariable


class OrderedUpdates(OrderedDict[Any, Any]):
    """A mapping from shared variables to expressions, checked like the ``updates`` of ``function``.

    Parameters
    ----------
    updates
        A dict, or pairs (shared variable, expression).

    Raises
    ------
    TypeError
        If a key is not a shared variable.
    KeyError
        If updates are added, and a variable has two different new values.

    Examples
    --------
    >>> from symtheano import shared
    >>> w, b = shared(0.0, "w"), shared(0.0, "b")
    >>> sorted(v.name for v in OrderedUpdates([(w, w + 1)]) + {b: b - 1})
    ['b', 'w']
    """

    def __init__(self, updates: Any = (), /, **named: Any) -> None:
        if named:
            raise TypeError("OrderedUpdates: keys must be shared variables, not names")
        super().__init__()
        self.update(updates)

    def __setitem__(self, variable: Any, new: Any) -> None:
        if not isinstance(variable, SharedVariable):
            raise TypeError(
                f"OrderedUpdates: {variable!r} is not a shared variable; only those can be updated"
            )
        super().__setitem__(variable, new)

    def setdefault(self, variable: Any, new: Any = None) -> Any:
        """Return the expression of a variable, after setting it if there was none."""
        if variable not in self:
            self[variable] = new
        return self[variable]

    def update(self, updates: Any = (), /, **named: Any) -> None:
        """Add pairs. A variable with two different new values is an error."""
        pairs: Iterable[Any] = updates.items() if isinstance(updates, Mapping) else updates
        for variable, new in pairs:
            if variable in self and self[variable] is not new:
                raise KeyError(f"OrderedUpdates: {variable.describe()} has two new values")
            self[variable] = new

    def copy(self) -> OrderedUpdates:
        """Return a copy."""
        return OrderedUpdates(self)

    def __add__(self, other: Any) -> OrderedUpdates:
        joined = self.copy()
        joined.update(other)
        return joined

    def __radd__(self, other: Any) -> OrderedUpdates:
        joined = OrderedUpdates(other)
        joined.update(self)
        return joined

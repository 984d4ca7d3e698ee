"""The loss and the metrics of samples: numbers in order, which have names."""

from __future__ import annotations

from collections.abc import ItemsView, KeysView, Mapping, ValuesView
from typing import Any, SupportsIndex, overload


class Measures(tuple[Any, ...]):
    """The loss and the metrics, which is what ``evaluate`` returns.

    It is a tuple, so it is unpacked and indexed as the list that Keras returns, the loss first. The
    numbers also have names, as in a dict. ``dict(measures)`` is a dict.

    Parameters
    ----------
    measures
        The loss and the metrics by name.

    Examples
    --------
    >>> measures = Measures({"loss": 0.25, "accuracy": 0.9})
    >>> measures
    Measures(loss=0.25, accuracy=0.9)
    >>> loss, accuracy = measures
    >>> accuracy, measures[1], measures["accuracy"]
    (0.9, 0.9, 0.9)
    >>> dict(measures)
    {'loss': 0.25, 'accuracy': 0.9}
    """

    _named: dict[str, Any]

    def __new__(cls, measures: Mapping[str, Any]) -> Measures:
        instance = super().__new__(cls, measures.values())
        instance._named = dict(measures)
        return instance

    def keys(self) -> KeysView[str]:
        """Return the names."""
        return self._named.keys()

    def values(self) -> ValuesView[Any]:
        """Return the numbers."""
        return self._named.values()

    def items(self) -> ItemsView[str, Any]:
        """Return pairs of a name and its number."""
        return self._named.items()

    def get(self, name: str, default: Any = None) -> Any:
        """Return the number of a name, or ``default`` if it was not measured."""
        return self._named.get(name, default)

    @overload
    def __getitem__(self, key: str | SupportsIndex) -> Any: ...
    @overload
    def __getitem__(self, key: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, key: Any) -> Any:
        if not isinstance(key, str):
            return super().__getitem__(key)
        if key not in self._named:
            raise KeyError(f"{key!r} was not measured: there are {', '.join(self._named)}")
        return self._named[key]

    def __contains__(self, key: object) -> bool:
        return key in self._named if isinstance(key, str) else super().__contains__(key)

    def __float__(self) -> float:
        """Return the loss, if nothing else was measured."""
        if len(self) > 1:
            raise TypeError(f"these are several numbers: {', '.join(self._named)}")
        return float(self[0])

    def __format__(self, spec: str) -> str:
        """Return the measures as text, or the loss in a format if nothing else was measured."""
        return format(float(self), spec) if spec else repr(self)

    def __repr__(self) -> str:
        return f"Measures({', '.join(f'{name}={value!r}' for name, value in self.items())})"

    def __reduce__(self) -> Any:
        """Return what pickles contain: a plain dict as the argument."""
        return Measures, (self._named,)

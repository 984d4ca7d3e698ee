"""The arrays that an optimizer keeps for one parameter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn.floats import like


class Memory:
    """The arrays that an optimizer keeps for one parameter, by name.

    An optimizer reads the old value of an array, ``memory["velocity"]``, and assigns its new value.
    Each array is a shared variable with the shape and dtype of the parameter. The optimizer
    computes in :attr:`dtype`. It is the dtype of the parameter, except that it is ``float32`` for
    parameters of ``float16``, where squares of small gradients would be zero.

    Parameters
    ----------
    parameter
        The parameter, a shared variable of floats.
    label
        The beginning of the names of the shared variables.

    Attributes
    ----------
    is_complete
        Whether the optimizer has made all updates once, and so has created all arrays.

    Examples
    --------
    >>> w = symtheano.shared(np.ones(2, "float16"), "w")
    >>> memory = Memory(w, "w")
    >>> memory["sum"] = memory["sum"] + 1
    >>> [(old, old.dtype, new.dtype) for old, new in memory.updates()]
    [(w.sum, 'float16', 'float16')]
    """

    def __init__(self, parameter: Any, label: str) -> None:
        self.parameter, self.label = parameter, label
        self.is_complete = False
        self.dtype = "float32" if parameter.dtype == "float16" else str(parameter.dtype)
        self._arrays: dict[str, Any] = {}
        self._new: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        return self.old(name)

    def __setitem__(self, name: str, new: Any) -> None:
        self._new[name] = new

    def old(self, name: str, initial: float = 0.0) -> Any:
        """Return the old value of an array, whose elements are ``initial`` before all updates."""
        if name not in self._arrays:
            value = np.full_like(self.parameter.get_value(borrow=True), initial, order="C")
            self._arrays[name] = symtheano.shared(
                value, f"{self.label}.{name}", shape=self.parameter.type.shape
            )
        return T.cast(self._arrays[name], self.dtype)

    def number(self, value: Any) -> Any:
        """Return a number or a 0-d variable, converted to :attr:`dtype`."""
        return like(value, self)

    def mean(self, name: str, value: Any, decay: Any) -> Any:
        """Set an array to ``decay * old + (1 - decay) * value``, and return this expression."""
        new = self.number(decay) * self[name] + self.number(1 - decay) * value
        self[name] = new
        return new

    def state(self, label: str) -> dict[str, Any]:
        """Return the shared variables, by names that begin with a label."""
        return {f"{label}.{name}": array for name, array in self._arrays.items()}

    def updates(self) -> Iterator[tuple[Any, Any]]:
        """Yield the shared variables to which new values were assigned, with these values."""
        new, self._new = self._new, {}
        for name, value in new.items():
            yield self._arrays[name], T.cast(value, self.parameter.dtype)

"""The loss and the metrics of samples, and errors for programs that expect a list of them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from opcode import opname
from types import FrameType
from typing import Any


class Measures(dict[str, Any]):
    """A dict of the loss and the metrics, by name.

    Keras returns a list, or one number. Where a program unpacks the list, or formats the number, it
    would get the names or nothing, so these are errors that say what to write.

    Examples
    --------
    >>> measures = Measures({"loss": 0.25, "accuracy": 0.9})
    >>> list(measures), measures["accuracy"]
    (['loss', 'accuracy'], 0.9)
    >>> loss, accuracy = measures
    Traceback (most recent call last):
    ...
    TypeError: the measures are a dict, which cannot be unpacked: use ["loss"], ["accuracy"]
    """

    def __iter__(self) -> Iterator[str]:
        """Return an iterator of the names.

        Raises
        ------
        TypeError
            If the caller unpacks the dict, which would give the names instead of the numbers.
        """
        if is_unpacking(sys._getframe(1)):
            raise TypeError(f"the measures are a dict, which cannot be unpacked: use {self._names}")
        return super().__iter__()

    def __missing__(self, name: Any) -> Any:
        """Raise an error that names what was measured."""
        raise KeyError(f"{name!r} was not measured: use {self._names}")

    def __format__(self, spec: str) -> str:
        """Return the dict as text.

        Raises
        ------
        TypeError
            If it is formatted as a number.
        """
        if spec:
            raise TypeError(f"the measures are a dict, not a number: use {self._names}")
        return repr(self)

    def __reduce__(self) -> Any:
        """Return what pickles contain: a plain dict as the argument."""
        return Measures, (dict(self.items()),)

    @property
    def _names(self) -> str:
        """The names as one writes them after the dict, as text."""
        return ", ".join(f'["{name}"]' for name in self.keys())


def is_unpacking(frame: FrameType) -> bool:
    """Return whether a frame is unpacking something, as in ``a, b = x``."""
    at = frame.f_lasti
    code = frame.f_code.co_code
    return 0 <= at < len(code) and opname[code[at]] in ("UNPACK_SEQUENCE", "UNPACK_EX")

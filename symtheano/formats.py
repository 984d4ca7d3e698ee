"""Message formats: the text of a message, with placeholders for the numbers of a call.

A check declares its message as a function of numbers. The function may only format them. Called
with placeholders, it returns a text that compiled code can print, too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NoReturn

from symtheano.dataclass import dataclass

Message = Callable[[Sequence[int]], str]

MOST_VALUES = 24
"""How many integers a message holds at most."""


class _Place(int):
    """Stands for a number: it can be written down, and is equal to no number.

    So a message may have a hint for one value, such as a length of 1, which C does not write.
    """

    def __str__(self) -> str:
        return f"‹value {int.__index__(self)}›"

    __repr__ = __str__

    def __format__(self, spec: str) -> str:
        if spec:
            raise TypeError("a message formats a number, which C could not do")
        return str(self)

    def _refuse(self, *others: object) -> NoReturn:
        raise TypeError("a message computes with a number, which C could not do")

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = _refuse
    __floordiv__ = __truediv__ = __mod__ = __abs__ = __bool__ = _refuse
    __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __hash__ = int.__hash__

    def __eq__(self, other: object) -> bool:
        return self is other


@dataclass(frozen=True)
class Format:
    """A message with placeholders for numbers.

    Attributes
    ----------
    parts
        Texts, and between them the positions of numbers.

    Examples
    --------
    >>> both = Format.of(lambda v: f"{v[1]} is outside 0 to {v[0]} %", 2)
    >>> both.parts
    ('', 1, ' is outside 0 to ', 0, ' %')
    >>> both.filled([3, 7])
    '7 is outside 0 to 3 %'
    >>> both.printf()
    ('"%lld is outside 0 to %lld %%"', (1, 0))
    """

    parts: tuple[str | int, ...]

    @classmethod
    def of(cls, message: Message, count: int) -> Format:
        """Return the format of a message with ``count`` values.

        Raises
        ------
        TypeError
            If the message computes with the values or compares them.
        """
        text = message([_Place(number) for number in range(count)])
        pieces = re.split(r"‹value (\d+)›", text)
        return cls(tuple(int(p) if k % 2 else p for k, p in enumerate(pieces)))

    def filled(self, values: Sequence[int]) -> str:
        """Return the message with the values filled in."""
        return "".join(p if isinstance(p, str) else str(values[p]) for p in self.parts)

    def printf(self) -> tuple[str, tuple[int, ...]]:
        """Return the format as a C string literal, and the values that it needs, in order."""
        shown = "".join("%lld" if isinstance(p, int) else p.replace("%", "%%") for p in self.parts)
        from json import dumps

        literal = dumps(shown, ensure_ascii=False).replace("??", '?""?')  # no trigraphs
        return literal, tuple(p for p in self.parts if isinstance(p, int))

"""Lines: the text of a C function under construction."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from symtheano.codegen.c.text import comment_text, filled
from symtheano.dataclass import dataclass, field
from symtheano.loopir.operands import Place

# Maximum number of the user's lines in the comment above a function.
_MOST_ORIGINS = 3


@dataclass
class Lines:
    """The text of a function under construction.

    Attributes
    ----------
    function
        The function's name.
    is_entry
        Whether it is the entry point, or a piece of it.
    leaves
        Whether a statement may leave the function early, by its label ``done``.
    is_part
        Whether it is the body of a loop that threads share, which returns nothing.
    structs
        How many structs were written for functions that it calls.
    origin
        The user's line of the last comment.
    """

    function: str
    is_entry: bool = False
    leaves: bool = False
    is_part: bool = False
    structs: int = 0
    lines: list[str] = field(default_factory=list)
    indent: str = "    "
    origin: Place | None = None

    def add(self, line: str) -> None:
        self.lines.append(self.indent + line)

    def end_paragraph(self) -> None:
        """Write an empty line, unless the last one is empty."""
        if self.lines and self.lines[-1]:
            self.lines.append("")

    def add_filled(self, head: str, parts: Sequence[str], tail: str) -> None:
        self.lines.extend(filled(head, parts, tail, self.indent))

    def at(self, origin: Place | None) -> None:
        """Write a comment with the user's line, if it has changed."""
        if origin is not None and origin != self.origin:
            self.origin = origin
            self.add(origin_comment(origin))

    @contextmanager
    def block(self, head: str, tail: str = "}") -> Iterator[None]:
        self.add(f"{head} {{" if head else "{")
        self.indent += "    "
        yield
        self.indent = self.indent[:-4]
        self.add(tail)


def origin_comment(origin: Place) -> str:
    """Return the comment with a user's line."""
    return comment_text(f"{origin.place}: {origin.text}" if origin.text else origin.place)


def function_comment(title: str, origins: Iterable[Place]) -> list[str]:
    """Return the comment above a function: what it does, and lines of the user's program."""
    lines = list(dict.fromkeys(map(origin_comment, origins)))
    shown = [comment_text(title)] if title else []
    shown += lines[:_MOST_ORIGINS]
    if len(lines) > _MOST_ORIGINS:
        shown.append(f"/* and {len(lines) - _MOST_ORIGINS} lines more */")
    return shown

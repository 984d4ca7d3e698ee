"""The origin of a node in the user's program: recorded when the node is made, kept in rewriting."""

from __future__ import annotations

import linecache
import os
import re
import sys
import threading
from types import FrameType

from symtheano.dataclass import dataclass

_ASSIGNMENT = re.compile(r"([A-Za-z]\w*)\s*=(?!=)", re.ASCII)
_CALL = re.compile(r"=\s*\w+\(.*\)$")
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


@dataclass(frozen=True)
class Origin:
    """A line of the user's program."""

    filename: str
    line: int
    function: str

    @property
    def text(self) -> str:
        """The source line without indentation; empty if it can't be read."""
        return linecache.getline(self.filename, self.line).strip()

    @property
    def assigned(self) -> str:
        """The name that the line assigns to; empty if it does more or less than that.

        A call of a function without a module's name may return anything, such as a compiled
        function.

        Examples
        --------
        >>> import linecache
        >>> def line(text):
        ...     linecache.cache["lines"] = (len(text), None, [text], "lines")
        ...     return Origin("lines", 1, "f").assigned
        >>> line("h = T.tanh(x)"), line("axis=1)"), line("f(h=3)"), line("f = function([x], 2 * x)")
        ('h', '', '', '')
        """
        text = self.text
        match = _ASSIGNMENT.match(text)
        more = text[-1:] == "," or ";" in text or "function(" in text or _CALL.search(text)
        whole = text.count("(") == text.count(")")
        return match[1] if match is not None and whole and not more else ""

    @property
    def place(self) -> str:
        """``file.py:12``, short enough for a comment and the same on every machine.

        ``In [3], line 2`` for a line of a notebook's cell.
        """
        cell = _cells.get(self.filename)
        if cell is not None:
            return f"{cell}, line {self.line}"
        return f"{os.path.basename(self.filename)}:{self.line}"

    def describe(self) -> str:
        """Return ``path:line`` and the source line."""
        text = self.text
        where = self.place if self.filename in _cells else f"{self.filename}:{self.line}"
        return where + (f"\n      {text}" if text else "")

    def __reduce__(self) -> tuple[object, ...]:
        return origin_at, (self.filename, self.line, self.function)


class _Scope(threading.local):
    active: bool = False
    origin: Origin | None = None


scope = _Scope()
"""The scope of the calling thread. What runs for every variable looks here before it asks
:func:`current_origin`."""
_origins: dict[tuple[str, int, str], Origin] = {}


def current_origin() -> Origin | None:
    """Return the nearest caller's line outside this package, or that of an origin_scope."""
    if scope.active:
        return scope.origin
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_inside(frame.f_code.co_filename):
        frame = frame.f_back
    if frame is None:
        return None
    return origin_at(frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name)


def origin_at(filename: str, line: int, function: str) -> Origin:
    """Return the origin of a line; there is one object per line."""
    key = (filename, line, function)
    origin = _origins.get(key)
    if origin is None:
        origin = _origins.setdefault(key, Origin(*key))
        if "IPython" in sys.modules:
            _note_cell(filename)
    return origin


# Files that hold cells of a notebook, and what these are called there.
_cells: dict[str, str] = {}


def _note_cell(filename: str) -> None:
    """Learn from IPython whether a file holds a cell, and which: ``In [3]``."""
    shell = sys.modules["IPython"].get_ipython()
    numbers = getattr(getattr(shell, "compile", None), "_filename_map", {})
    number = numbers.get(filename)
    if number is not None:
        _cells[filename] = f"In [{number}]"


def outermost_call() -> FrameType | None:
    """Return the frame of the function of this package that the user's program called."""
    inner: FrameType | None = None
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_inside(frame.f_code.co_filename):
        inner, frame = frame, frame.f_back
    return inner


def user_stacklevel() -> int:
    """Return the ``stacklevel`` for a warning of the caller to show the user's line."""
    level = 1
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and _is_inside(frame.f_code.co_filename):
        frame = frame.f_back
        level += 1
    return level


_inside: dict[str, bool] = {}
# Packages that call back what they were given: their lines are not the user's.
_LIBRARIES = (
    "cffi", "click", "joblib", "networkx", "numpy", "rich", "scipy", "sklearn", "sympy",
)  # fmt: skip
_LIBRARY = re.compile(rf"[\\/](?:site|dist)-packages[\\/](?:{'|'.join(_LIBRARIES)})[\\/]")


def _is_inside(filename: str) -> bool:
    """Return whether a file belongs to this package, or to a library that it calls through."""
    is_inside = _inside.get(filename)
    if is_inside is None:
        ours = filename.startswith((_PACKAGE, "<frozen runpy>", "<__array_function__"))
        is_inside = _inside[filename] = ours or _LIBRARY.search(filename) is not None
    return is_inside


def set_scope(active: bool, origin: Origin | None) -> tuple[bool, Origin | None]:
    """Set the scope without a ``with`` block, for code that runs often; return the one before."""
    before = (scope.active, scope.origin)
    scope.active, scope.origin = active, origin
    return before


class origin_scope:
    """Return a context manager: all nodes made inside the block have this origin.

    The rewriting engine and ``grad`` use it, so that rules and pullbacks cannot lose the user's
    line. It is entered for each node that is visited, which a generator would make slower.
    """

    __slots__ = ("_before", "_origin")

    def __init__(self, origin: Origin | None) -> None:
        self._origin = origin

    def __enter__(self) -> None:
        self._before = (scope.active, scope.origin)
        scope.active, scope.origin = True, self._origin

    def __exit__(self, *error: object) -> None:
        scope.active, scope.origin = self._before

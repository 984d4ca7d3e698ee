"""Errors in the form shown to users, without frames of this package."""

from __future__ import annotations

import os
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType
from typing import Any

import click

import symtheano
from symtheano.errors import CompileError, NoCompilerError, SymtheanoError, printable

_PACKAGE = os.path.dirname(symtheano.__file__) + os.sep


class Trouble(click.ClickException):
    """An error with a formatted message."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        """Print the text to stderr."""
        click.echo(printable(f"symtheano: {self.message}"), file=file, err=True)


class UserError(Trouble):
    """An exception raised by the user's file, shown with its traceback without our frames."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(user_traceback(error))

    def show(self, file: Any = None) -> None:
        """Print the traceback to stderr."""
        click.echo(printable(self.message), file=file, err=True)


def user_traceback(error: BaseException) -> str:
    """Return the traceback of an exception without the frames of this package."""
    told = traceback.TracebackException.from_exception(error)
    _leave_out_ours(told)
    return "".join(told.format()).rstrip("\n")


def users_frames(error: BaseException) -> TracebackType | None:
    """Return an exception's traceback starting at the user's first frame."""
    frames = error.__traceback__
    while frames is not None and _is_ours(frames.tb_frame.f_code.co_filename):
        frames = frames.tb_next
    return frames


def _leave_out_ours(told: traceback.TracebackException) -> None:
    """Keep only the user's frames, also in chained exceptions."""
    pending: list[Any] = [told]
    while pending:
        one = pending.pop()
        kept = [frame for frame in one.stack if not _is_ours(frame.filename)]
        # without frames, as for a syntax error, Python prints no heading
        one.stack = traceback.StackSummary.from_list(kept) if kept else None
        further = (one.__cause__, one.__context__, *(getattr(one, "exceptions", None) or ()))
        pending.extend(item for item in further if item is not None)


def _is_ours(filename: str) -> bool:
    return filename.startswith((_PACKAGE, "<frozen runpy>")) or filename.endswith(
        f"{os.sep}runpy.py"
    )


@contextmanager
def formatted() -> Iterator[None]:
    """Convert an error about the user's expression to its message, without a traceback."""
    try:
        yield
    except NoCompilerError as error:
        raise Trouble(f"{error}\n  graph and explain work without") from None
    except (
        *(TypeError, ValueError, IndexError, NotImplementedError, MemoryError),
        *(CompileError, SymtheanoError),
    ) as error:
        raise Trouble(str(error) or type(error).__name__) from None


def check_configuration() -> None:
    """Read the configuration, and report errors in it."""
    try:
        symtheano.config.snapshot()
    except (ValueError, NotImplementedError) as error:
        raise Trouble(str(error)) from None


@contextmanager
def warnings_as_lines() -> Iterator[None]:
    """Print this package's warnings as single lines."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    for text in dict.fromkeys(str(warning.message) for warning in caught):
        click.echo(printable(f"symtheano: warning: {text}"), err=True)

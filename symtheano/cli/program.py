"""Base classes of commands: help with unwrapped examples, and formatted errors."""

from __future__ import annotations

import inspect
import os
import re
import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from io import TextIOWrapper
from typing import Any

import click

from symtheano.cli.trouble import Trouble
from symtheano.errors import CompileError, NoCompilerError, SymtheanoError

_KEEP_LINES = "\b"
"""Click's mark for paragraphs that are not wrapped."""


def _keeping_examples(help: str | None) -> str | None:
    """Mark paragraphs with indented lines as not to be wrapped."""
    paragraphs = re.split(r"\n{2,}", inspect.cleandoc(help or ""))
    kept = (f"{_KEEP_LINES}\n{text}" if "\n  " in text else text for text in paragraphs)
    return "\n\n".join(kept) or None


@contextmanager
def _reader_may_go() -> Iterator[None]:
    """Exit normally if the output is no longer read, as after ``| head``."""
    try:
        try:
            yield
        except click.exceptions.Exit:
            sys.stdout.flush()
            raise
        except SystemExit as ended:
            if isinstance(ended.__context__, BrokenPipeError):  # which rich makes of it
                raise ended.__context__ from None
            raise
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(0) from None


class Command(click.Command):
    """A command whose help does not wrap examples.

    Names and paths that the terminal's encoding does not have are printed with escapes; a program
    that ``run`` executes keeps the stream as Python opens it.
    """

    def __init__(self, name: str | None = None, help: str | None = None, **kwargs: Any) -> None:
        super().__init__(name, help=_keeping_examples(help), **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        if self.name != "run" and isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        return super().invoke(ctx)


class Program(click.Group):
    """A group of commands that also formats internal errors."""

    command_class = Command

    def __init__(self, name: str | None = None, help: str | None = None, **kwargs: Any) -> None:
        super().__init__(name, help=_keeping_examples(help), **kwargs)

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        """Parse the command line; help is printed here."""
        with _reader_may_go():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            with _reader_may_go():
                return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except OSError as error:
            raise Trouble(str(error)) from None
        except Exception as error:
            if isinstance(error, SymtheanoError | NoCompilerError | CompileError):
                raise Trouble(str(error)) from None
            frames = traceback.extract_tb(error.__traceback__)
            where = f"{os.path.basename(frames[-1].filename)}:{frames[-1].lineno}"
            kind = type(error).__name__
            raise Trouble(
                f"this is a defect of symtheano, please report it: {kind}: {error} (at {where})"
            ) from error

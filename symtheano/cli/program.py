"""The kinds of commands: help that keeps examples as written, and defects told in one text."""

from __future__ import annotations

import errno
import inspect
import os
import re
import traceback
from typing import Any

import click

from symtheano.cli.trouble import Trouble
from symtheano.errors import CompileError, NoCompilerError, SymtheanoError

_KEEP_LINES = "\b"
"""What tells click not to wrap a paragraph."""


def _keeping_examples(help: str | None) -> str | None:
    """Mark the paragraphs with indented lines as not to be wrapped."""
    paragraphs = re.split(r"\n{2,}", inspect.cleandoc(help or ""))
    kept = (f"{_KEEP_LINES}\n{text}" if "\n  " in text else text for text in paragraphs)
    return "\n\n".join(kept) or None


class Command(click.Command):
    """A command whose help keeps examples as they are written."""

    def __init__(self, name: str | None = None, help: str | None = None, **kwargs: Any) -> None:
        super().__init__(name, help=_keeping_examples(help), **kwargs)


class Program(click.Group):
    """A group of commands whose own defects are told in one text, too."""

    command_class = Command

    def __init__(self, name: str | None = None, help: str | None = None, **kwargs: Any) -> None:
        super().__init__(name, help=_keeping_examples(help), **kwargs)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except OSError as error:
            # click knows what to do if the reader of a pipe has gone
            if error.errno == errno.EPIPE:
                raise
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

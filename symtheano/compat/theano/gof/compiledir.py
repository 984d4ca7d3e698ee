"""The directory of compiled code."""

from __future__ import annotations

from ..configdefaults import config


def print_compiledir_content() -> None:
    """Print what the cache of compiled code has."""
    from symtheano.config import config as options
    from symtheano.function.stages import open_cache

    for entry in open_cache(options.snapshot()).entries():
        print(entry)


def get_compiledir() -> str:
    """Return the directory."""
    return str(config.compiledir)

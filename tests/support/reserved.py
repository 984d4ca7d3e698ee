"""Loops for whose rows little memory is reserved, so that a few rows need more."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from symtheano import config
from symtheano.loops import growth


@contextmanager
def reserving(bytes_: int) -> Iterator[None]:
    """Reserve no more memory for the rows of a loop that a condition ends.

    With a cache of its own, because caches know functions by their graphs.
    """
    cache = Path(os.environ["SYMTHEANO_CACHE_DIR"]).with_name(f"symtheano-cache-reserving-{bytes_}")
    with pytest.MonkeyPatch.context() as patch, config.change_flags(cache_dir=str(cache)):
        patch.setattr(growth, "_RESERVED", bytes_)
        yield

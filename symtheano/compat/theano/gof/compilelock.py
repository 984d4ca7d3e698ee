"""Locks of the cache of compiled code, which has none: these functions do nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


def get_lock(lock_dir: str | None = None, **kw: Any) -> None:
    """Do nothing."""


def release_lock() -> None:
    """Do nothing."""


def force_unlock() -> None:
    """Do nothing."""


def set_lock_status(use_lock: bool) -> None:
    """Do nothing."""


@contextmanager
def lock_ctx(lock_dir: str | None = None, keep_lock: bool = False, **kw: Any) -> Iterator[None]:
    """Return a context that does nothing."""
    yield

"""Profiles of functions, which ``f.profile`` has if they were made with ``profile=True``."""

from __future__ import annotations

from typing import Any


class ProfileStats:
    """Accepted as the argument ``profile`` of functions, as which it is true.

    Parameters
    ----------
    atexit_print
        Accepted and ignored.
    """

    def __init__(
        self, atexit_print: bool = True, flag_time_thunks: Any = None, **kwargs: Any
    ) -> None:
        self.atexit_print = atexit_print


class ScanProfileStats(ProfileStats):
    """The same for loops."""

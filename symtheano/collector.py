"""Python's collector of cycles, which takes long where many objects are made that all remain."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the collector: the objects of modules and of graphs are many, small, and in use.

    Examples
    --------
    >>> with collector_paused():
    ...     gc.isenabled()
    False
    """
    running, modules = gc.isenabled(), len(sys.modules)
    gc.disable()
    try:
        yield
    finally:
        if running:
            # Otherwise, the next object that is made would have the collector look at all of them:
            # a tenth of a first compilation. Only after imports, of which there are finitely many,
            # since cycles that became garbage meanwhile are now only found by full collections.
            if len(sys.modules) > modules:
                _let_objects_age()
            gc.enable()


def _let_objects_age() -> None:
    """Move all objects to the oldest generation, without looking at them."""
    # What the user has frozen remains so. PyPy's collector has no generations to choose.
    if hasattr(gc, "freeze") and not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()

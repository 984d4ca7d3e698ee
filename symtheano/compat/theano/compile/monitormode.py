"""``theano.compile.monitormode``."""

from __future__ import annotations

from symtheano.compile.monitormode import *
from symtheano.compile.monitormode import MonitorMode as _MonitorMode

from .mode import TheanosNames


class MonitorMode(TheanosNames, _MonitorMode):
    """Theano's mode of this name; names of its optimizers are accepted."""

"""``theano.compile.debugmode``."""

from __future__ import annotations

from symtheano.compile.debugmode import *
from symtheano.compile.debugmode import DebugMode as _DebugMode
from symtheano.printing import debugprint as debugprint

from ..gof.toolbox import BadOptimization as BadOptimization

from .mode import TheanosNames


class DebugMode(TheanosNames, _DebugMode):
    """Theano's mode of this name; names of its optimizers are accepted."""

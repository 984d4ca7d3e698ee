"""``theano.compile.nanguardmode``."""

from __future__ import annotations

from symtheano.compile.nanguardmode import *
from symtheano.compile.nanguardmode import NanGuardMode as _NanGuardMode

from .mode import TheanosNames


class NanGuardMode(TheanosNames, _NanGuardMode):
    """Theano's mode of this name; names of its optimizers are accepted."""

"""``theano.compile.nanguardmode``."""

from __future__ import annotations

from symtheano.compile.nanguardmode import *
from symtheano.compile.nanguardmode import NanGuardMode as NanGuardMode

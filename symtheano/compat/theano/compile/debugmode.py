"""``theano.compile.debugmode``."""

from __future__ import annotations

from symtheano.compile.debugmode import *
from symtheano.compile.debugmode import DebugMode as DebugMode
from symtheano.printing import debugprint as debugprint

from ..gof.toolbox import BadOptimization as BadOptimization

"""``theano.compile.monitormode``."""

from __future__ import annotations

from symtheano.compile.monitormode import *
from symtheano.compile.monitormode import MonitorMode as MonitorMode

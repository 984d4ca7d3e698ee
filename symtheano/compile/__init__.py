"""Theano's package of the same name: functions, and modes that check computations.

These modes run a function with NumPy, node by node: `nanguardmode.py` finds the first node that
computes a NaN, `monitormode.py` calls the user's functions for every node, and `debugmode.py`
compares all modes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.compile.debugmode import DebugMode
from symtheano.compile.monitormode import MonitorMode
from symtheano.compile.nanguardmode import NanGuardMode
from symtheano.errors import UnusedInputError
from symtheano.function import Function, function
from symtheano.function.modes import Mode, get_mode
from symtheano.function.request import In, Out
from symtheano.graph.shared import SharedVariable
from symtheano.names import public
from symtheano.op_from_graph import OpFromGraph
from symtheano.tensor.as_op import as_op
from symtheano.tensor.sharedvar import shared

__all__ = [
    "DebugMode", "Function", "In", "Mode", "MonitorMode", "NanGuardMode", "OpFromGraph", "Out",
    "SharedVariable", "UnusedInputError", "as_op", "function", "get_mode", "shared",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

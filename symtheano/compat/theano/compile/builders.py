"""Ops that are made from expressions."""

from __future__ import annotations

from symtheano.graph.shared import SharedVariable as SharedVariable
from symtheano.graph.type import DisconnectedType as DisconnectedType, NullType as NullType
from symtheano.graph.variable import Variable as Variable
from symtheano.op_from_graph import OpFromGraph as OpFromGraph

from ..gof.graph import io_connection_pattern as io_connection_pattern
from .function_module import orig_function as orig_function
from .pfunc import rebuild_collect_shared as rebuild_collect_shared

"""Ops, under Theano's names."""

from __future__ import annotations

from . import graph as graph, utils as utils
from .external import COp as COp, apply_meth as apply_meth, simple_meth as simple_meth
from .interfaces import CLinkerObject as CLinkerObject, CLinkerOp as CLinkerOp
from .opclass import (
    Op as Op,
    OpenMPOp as OpenMPOp,
    PureOp as PureOp,
    debug_assert as debug_assert,
    debug_error_message as debug_error_message,
    get_debug_values as get_debug_values,
    get_test_value as get_test_value,
    missing_test_message as missing_test_message,
    ops_with_inner_function as ops_with_inner_function,
)

ExternalCOp = COp
"""The name that later versions of Theano's successors have for it."""

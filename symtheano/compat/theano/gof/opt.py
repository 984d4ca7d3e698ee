"""Optimizers of graphs and of nodes, under Theano's names."""

from __future__ import annotations

import logging as logging

from ..configdefaults import config as config

from .fg import InconsistencyError as InconsistencyError
from .merge import MergeFeature as MergeFeature, MergeOptimizer as MergeOptimizer
from .navigators import (
    ChangeTracker as ChangeTracker,
    EquilibriumOptimizer as EquilibriumOptimizer,
    NavigatorOptimizer as NavigatorOptimizer,
    OpKeyOptimizer as OpKeyOptimizer,
    TopoOptimizer as TopoOptimizer,
    Updater as Updater,
    in2out as in2out,
    out2in as out2in,
)
from .optimizers import (
    CheckStackTraceOptimization as CheckStackTraceOptimization,
    FromFunctionLocalOptimizer as FromFunctionLocalOptimizer,
    FromFunctionOptimizer as FromFunctionOptimizer,
    LocalMetaOptimizerSkipAssertionError as LocalMetaOptimizerSkipAssertionError,
    LocalOptGroup as LocalOptGroup,
    LocalOptimizer as LocalOptimizer,
    Optimizer as Optimizer,
    SeqOptimizer as SeqOptimizer,
    check_chain as check_chain,
    check_stack_trace as check_stack_trace,
    copy_stack_trace as copy_stack_trace,
    inherit_stack_trace as inherit_stack_trace,
    inplace_optimizer as inplace_optimizer,
    local_optimizer as local_optimizer,
    optimizer as optimizer,
    pre_constant_merge as pre_constant_merge,
    pre_greedy_local_optimizer as pre_greedy_local_optimizer,
)
from .patterns import OpRemove as OpRemove, OpSub as OpSub, PatternSub as PatternSub

for _kind in list(globals().values()):
    # They are printed, and found by pickles, as classes of this module.
    if isinstance(_kind, type) and _kind.__module__.startswith(f"{__package__}."):
        _kind.__module__ = __name__

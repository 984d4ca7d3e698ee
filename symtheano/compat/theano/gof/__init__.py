"""``theano.gof``: graphs, ops, types, and optimizers of users."""

from __future__ import annotations

from symtheano.graph.type import Generic, generic

from . import destroyhandler, fg, graph, link, null_type, op, opt, optdb, toolbox, type, utils, vm
from .cc import CLinker, DualLinker, HideC, OpWiseCLinker
from .destroyhandler import DestroyHandler
from .fg import CachedConstantError, FunctionGraph, InconsistencyError, MissingInputError
from .graph import Apply, Constant, Variable, view_roots
from .link import Container, Linker, LocalLinker, PerformLinker, WrapLinker, WrapLinkerMany
from .op import COp, Op, OpenMPOp, PureOp, ops_with_inner_function
from .opt import (
    CheckStackTraceOptimization,
    EquilibriumOptimizer,
    LocalOptGroup,
    LocalOptimizer,
    MergeOptimizer,
    NavigatorOptimizer,
    OpKeyOptimizer,
    OpRemove,
    OpSub,
    Optimizer,
    PatternSub,
    SeqOptimizer,
    TopoOptimizer,
    inplace_optimizer,
    local_optimizer,
    optimizer,
)
from .optdb import DB, EquilibriumDB, LocalGroupDB, ProxyDB, Query, SequenceDB
from .params_type import Params, ParamsType
from .toolbox import (
    Bookkeeper,
    Feature,
    History,
    NodeFinder,
    NoOutputFromInplace,
    PrintListener,
    ReplacementDidntRemovedError,
    ReplaceValidate,
    Validator,
)
from .type import CEnumType, EnumList, EnumType, Type
from .utils import MethodNotDefined, hashtype, object2

object2 = object2

"""``theano.compile``: functions, modes, shared variables."""

from __future__ import annotations

from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Variable

from ..configdefaults import config
from . import (
    builders,
    debugmode,
    function_module,
    io,
    mode,
    monitormode,
    nanguardmode,
    ops,
    pfunc as _pfunc_module,
    profiling,
    registry,
    sharedvalue,
)
from .builders import DisconnectedType, NullType, OpFromGraph
from .debugmode import DebugMode
from .function import function, function_dump
from .function_module import (
    AliasedMemoryError,
    Function,
    FunctionMaker,
    Supervisor,
    UnusedInputError,
    alias_root,
    check_equal,
    convert_function_input,
    fgraph_updated_vars,
    get_info_on_inputs,
    infer_reuse_pattern,
    insert_deepcopy,
    orig_function,
    register_checker,
)
from .io import In, Out, SymbolicInput, SymbolicOutput
from .mode import (
    FAST_COMPILE,
    FAST_RUN,
    OPT_FAST_COMPILE,
    OPT_FAST_RUN,
    OPT_FAST_RUN_STABLE,
    OPT_MERGE,
    OPT_NONE,
    OPT_O2,
    OPT_O3,
    OPT_STABILIZE,
    OPT_UNSAFE,
    AddDestroyHandler,
    AddFeatureOptimizer,
    Mode,
    PrintCurrentFunctionGraph,
    get_default_mode,
    get_mode,
    local_useless,
    optdb,
    predefined_linkers,
    predefined_modes,
    predefined_optimizers,
    register_linker,
    register_mode,
    register_optimizer,
)
from .monitormode import MonitorMode
from .nanguardmode import NanGuardMode
from .ops import (
    DeepCopyOp,
    FromFunctionOp,
    Rebroadcast,
    Shape,
    Shape_i,
    SpecifyShape,
    ViewOp,
    as_op,
    deep_copy_op,
    register_deep_copy_op_c_code,
    register_rebroadcast_c_code,
    register_shape_c_code,
    register_shape_i_c_code,
    register_specify_shape_c_code,
    register_view_op_c_code,
    shape_i,
    view_op,
)
from .pfunc import Param, pfunc, rebuild_collect_shared
from .profiling import ProfileStats, ScanProfileStats
from .sharedvalue import shared, shared_constructor

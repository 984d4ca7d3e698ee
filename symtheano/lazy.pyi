"""Names of symtheano that are imported or made on first access, for type checkers.

Written from the package's tables by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

from symtheano import (
    compile as compile, distributed as distributed, ifelse as ifelse, interop as interop, nn as nn,
    printing as printing, scan_module as scan_module, sparse as sparse, updates as updates,
)
from symtheano.codegen.runtime.device_array import DeviceArray as DeviceArray
from symtheano.errors import InconsistencyError as InconsistencyError
from symtheano.function import profile as profile
from symtheano.function.allocators import set_allocator as set_allocator
from symtheano.function.devices import to_device as to_device
from symtheano.function.streams import on_stream as on_stream
from symtheano.graph.clone import clone as clone
from symtheano.loops.checkpoints import scan_checkpoints as scan_checkpoints
from symtheano.loops.scan import (
    foldl as foldl, foldr as foldr, map as map, reduce as reduce, scan as scan,
)
from symtheano.loops.step import until as until
from symtheano.op_from_graph import OpFromGraph as OpFromGraph
from symtheano.printing import (
    debugprint as debugprint, explain as explain, pp as pp, pprint as pprint,
)
from symtheano.sources.parquet import ParquetColumns as ParquetColumns
from symtheano.sparse.indexing import sparse_grad as sparse_grad
from symtheano.tensor import constant as constant, ones as ones, zeros as zeros
from symtheano.tensor.as_op import as_op as as_op
from symtheano.tensor.constant_values import get_scalar_constant_value as get_scalar_constant_value
from symtheano.tensor.random.generator import (
    random_normal as random_normal, random_uniform as random_uniform,
)
from symtheano.updates import OrderedUpdates as OrderedUpdates

__all__: list[str] = [
    "DeviceArray", "InconsistencyError", "OpFromGraph", "OrderedUpdates", "ParquetColumns", "as_op",
    "clone", "compile", "constant", "debugprint", "distributed", "explain", "foldl", "foldr",
    "get_scalar_constant_value", "ifelse", "interop", "map", "nn", "on_stream", "ones", "pp",
    "pprint", "printing", "profile", "random_normal", "random_uniform", "reduce", "scan",
    "scan_checkpoints", "scan_module", "set_allocator", "sparse", "sparse_grad", "to_device",
    "until", "updates", "zeros",
]

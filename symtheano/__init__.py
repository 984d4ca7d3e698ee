"""symtheano: symbolic tensor expressions, compiled to C.

Build expressions with :mod:`symtheano.tensor`, differentiate them with :func:`grad`, and turn the
whole graph into one compiled C function with :func:`function`.

Examples in docstrings use these names: ``import numpy as np``, ``import symtheano``, ``import
symtheano.tensor as T``, and ``from symtheano import nn``.
"""

# Users import from here what is imported here.
# mypy: implicit-reexport

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from symtheano.collector import collector_paused as _collector_paused

with _collector_paused():
    from symtheano import gradient, tensor
    from symtheano.config import config
    from symtheano.function import Function, api, evaluate, function, modes
    from symtheano.function.modes import Mode
    from symtheano.function.request import In, Out
    from symtheano.function.verify import numeric_grad, verify_grad
    from symtheano.gradient import Lop, Rop, grad, subgraph_grad
    from symtheano.graph import eager
    from symtheano.graph.clone import clone_replace
    from symtheano.graph.intern import FunctionGraph
    from symtheano.graph.op import Op
    from symtheano.graph.type import Generic, Type, generic
    from symtheano.graph.variable import Apply, Constant, Variable
    from symtheano.names import MissingName
    from symtheano.tensor.operators import NumPyProtocols
    from symtheano.tensor.sharedvar import shared
    from symtheano.tensor.variable import TensorMixin

__version__ = "0.1.0"

# True to mypy, which reads only literals of ``__all__``, so ``import *`` would lack the names of
# the stub. Without the list, it exports all public names.
MYPY = False

if not MYPY:
    __all__ = [
        "Apply", "Constant", "DeviceArray", "Function", "FunctionGraph", "Generic", "In",
        "InconsistencyError", "Lop", "Mode", "Op", "OpFromGraph", "OrderedUpdates", "Out",
        "ParquetColumns", "Rop", "Type", "Variable",
        "as_op", "bool_", "clone", "clone_replace", "compile", "complex64", "complex128", "config",
        "constant", "debugprint", "dot", "explain", "float16", "float32", "float64", "foldl",
        "foldr", "function", "generic", "get_scalar_constant_value", "grad", "gradient", "ifelse",
        "int8", "int16", "int32", "int64", "map", "on_stream", "ones", "pp", "pprint", "printing",
        "profile", "random_normal", "random_uniform", "reduce", "scan", "scan_checkpoints",
        "scan_module", "set_allocator", "shared", "sparse", "sparse_grad", "subgraph_grad",
        "tensor", "to_device", "uint8", "uint16", "uint32", "uint64", "until", "updates", "zeros",
    ]  # fmt: skip

# Dtypes are written by name, so that ``x.dtype == symtheano.float32``.
bool_ = "bool"
complex64, complex128 = "complex64", "complex128"
float16, float32, float64 = "float16", "float32", "float64"
int8, int16, int32, int64 = "int8", "int16", "int32", "int64"
uint8, uint16, uint32, uint64 = "uint8", "uint16", "uint32", "uint64"

# Names that few programs need are imported on first access: names by module, and modules.
_LATE = {
    "errors": "InconsistencyError",
    "codegen.runtime.device_array": "DeviceArray",
    "function.allocators": "set_allocator",
    "function.devices": "to_device",
    "function.streams": "on_stream",
    "graph.clone": "clone",
    "loops.checkpoints": "scan_checkpoints",
    "loops.scan": "foldl foldr map reduce scan",
    "loops.step": "until",
    "op_from_graph": "OpFromGraph",
    "printing": "debugprint explain pp pprint",
    "sources.parquet": "ParquetColumns",
    "sparse.indexing": "sparse_grad",
    "tensor": "constant ones zeros",
    "tensor.arrays": "_asarray",
    "tensor.as_op": "as_op",
    "tensor.constant_values": "get_scalar_constant_value",
    "tensor.random.generator": "random_normal random_uniform",
    "updates": "OrderedUpdates",
}
_MODULE_OF = {name: module for module, names in _LATE.items() for name in names.split()}
_MODULES = {
    **{
        name: name
        for name in (
            "compile distributed ifelse interop nn printing scan_module sparse updates".split()
        )
    },
    "profile": "function.profile",
}


if TYPE_CHECKING:
    from symtheano import lazy as _lazy
    from symtheano.lazy import *  # noqa: F403 (written from the tables above)

    if not MYPY:
        __all__ += _lazy.__all__
else:

    def __getattr__(name: str) -> Any:
        """Import names that few programs need on first access."""
        if name in _MODULE_OF:
            value = globals()[name] = getattr(import_module(f"symtheano.{_MODULE_OF[name]}"), name)
            return value
        if name in _MODULES:
            return import_module(f"symtheano.{_MODULES[name]}")
        raise MissingName(__name__, name)


def dot(left: Any, right: Any) -> Any:
    """Return the product of two arrays: :func:`symtheano.tensor.dot`, also of sparse matrices.

    Examples
    --------
    >>> x, y = sparse.csr_matrix("x"), tensor.dmatrix("y")
    >>> dot(x, y).type, dot(y, y).type
    (TensorType(float64, matrix), TensorType(float64, matrix))
    """
    if hasattr(left, "__dot__"):
        return left.__dot__(right)
    return right.__rdot__(left) if hasattr(right, "__rdot__") else tensor.dot(left, right)


def _late(place: str) -> Callable[..., Any]:
    """Return a function that imports the one of a later module, when it is called."""
    module, _, name = place.rpartition(".")

    def call(*args: Any, **options: Any) -> Any:
        return getattr(import_module(f"symtheano.{module}"), name)(*args, **options)

    return call


def __dir__() -> list[str]:
    """Return all public names, for completion."""
    return sorted(["__version__", *globals()["__all__"]])


# What earlier modules and their classes have of later ones. Functions that are named are imported
# when they are called.
_BINDINGS: list[tuple[Any, str, Any]] = [
    # Theano programs use these on the module of gradients and on variables.
    (gradient, "verify_grad", verify_grad),
    (gradient, "numeric_grad", numeric_grad),
    (TensorMixin, "eval", evaluate),
    # Pickling, which knows all kinds of nodes.
    (Variable, "__reduce__", "graph.pickling.reduce_variable"),
    (Apply, "__reduce__", "graph.pickling.reduce_apply"),
    (Apply, "__setstate__", "graph.pickling.set_apply_state"),
    # Texts for people.
    (Variable, "_repr_latex_", "printing.html.variable_latex"),
    (Variable, "_repr_html_", "printing.html.variable_html"),
    (Function, "_repr_html_", "printing.html.function_html"),
    (tensor.elemwise.RowDocstring, "describe", "printing.describe.describe"),
    (MissingName, "of_networks", "nn.foreign.where"),
    # Computation.
    (eager, "perform", "interpret.perform"),
    (NumPyProtocols, "numpy_calls", partial(import_module, "symtheano.tensor.numpy_calls")),
    # Kinds of values and modes, by name.
    (tensor.sharedvar.MAKERS, "scipy.sparse", "sparse.shared"),
    (tensor.sharedvar.MAKERS, "numpy.random._", "tensor.random.state.randomstate_constructor"),
    (tensor.sharedvar.LATE, "to_device", "function.devices.to_device"),
    (api.DISTRIBUTIONS, "mpi", "distributed.DataParallel"),
    (modes.LATE, "NanGuardMode", "compile.nanguardmode.NanGuardMode"),
    (modes.LATE, "DebugMode", "compile.debugmode.DebugMode"),
    (modes.LATE, "DEBUG_MODE", "compile.debugmode.DebugMode"),
]
for _owner, _name, _value in _BINDINGS:
    _bound = _late(_value) if isinstance(_value, str) else _value
    if isinstance(_owner, dict):
        _owner[_name] = _bound
    else:
        setattr(_owner, _name, _bound)

# Theano programs use these on the tensor module.
tensor.lend(
    "gradient",
    "Lop Rop consider_constant grad grad_not_implemented grad_undefined hessian jacobian",
)
tensor.lend("function.verify", "numeric_grad verify_grad")

"""symtheano: symbolic tensor expressions, compiled to C.

Build expressions with :mod:`symtheano.tensor`, differentiate them with :func:`grad`, and turn the
whole graph into one compiled C function with :func:`function`.
"""

# Users import from here what is imported here.
# mypy: implicit-reexport

from importlib import import_module
from typing import TYPE_CHECKING, Any

from symtheano import gradient, tensor
from symtheano.config import config
from symtheano.function import Function, evaluate, function, modes
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
from symtheano.scalar.row import ScalarOp
from symtheano.tensor.operators import NumPyProtocols
from symtheano.tensor.sharedvar import shared
from symtheano.tensor.variable import TensorMixin

__version__ = "0.1.0"

# True to mypy, which reads only literals of ``__all__``, so ``import *`` would lack the names of
# the stub. Without the list, it exports all public names.
MYPY = False

if not MYPY:
    __all__ = [
        "Apply", "Constant", "Function", "FunctionGraph", "Generic", "In", "InconsistencyError",
        "Lop", "Mode", "Op", "OpFromGraph", "OrderedUpdates", "Out", "Rop", "Type", "Variable",
        "as_op", "bool_", "clone", "clone_replace", "compile", "complex64", "complex128", "config",
        "constant", "debugprint", "dot", "explain", "float16", "float32", "float64", "foldl",
        "foldr", "function", "generic", "get_scalar_constant_value", "grad", "gradient", "ifelse",
        "int8", "int16", "int32", "int64", "map", "ones", "pp", "pprint", "printing", "profile",
        "random_normal", "random_uniform", "reduce", "scan", "scan_checkpoints", "scan_module",
        "shared", "sparse", "sparse_grad", "subgraph_grad", "tensor", "uint8", "uint16", "uint32",
        "uint64", "until", "updates", "zeros",
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
    "graph.clone": "clone",
    "loops.checkpoints": "scan_checkpoints",
    "loops.scan": "foldl foldr map reduce scan",
    "loops.step": "until",
    "op_from_graph": "OpFromGraph",
    "printing": "debugprint explain pp pprint",
    "sparse.indexing": "sparse_grad",
    "tensor": "constant ones zeros",
    "tensor.arrays": "_asarray",
    "tensor.as_op": "as_op",
    "tensor.known": "get_scalar_constant_value",
    "tensor.random.generator": "random_normal random_uniform",
    "updates": "OrderedUpdates",
}
_MODULE_OF = {name: module for module, names in _LATE.items() for name in names.split()}
_MODULES = {
    **{
        name: name
        for name in "compile ifelse interop nn printing scan_module sparse updates".split()
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
            found = globals()[name] = getattr(import_module(f"symtheano.{_MODULE_OF[name]}"), name)
            return found
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


def _shared_sparse(*arguments: Any) -> Any:
    from symtheano import sparse

    return sparse.shared(*arguments)


def _shared_generator(*arguments: Any) -> Any:
    from symtheano.tensor.random.state import randomstate_constructor

    return randomstate_constructor(*arguments)


def _perform(node: Apply, values: list[Any]) -> list[Any]:
    from symtheano.interpret import perform

    return perform(node, values)


def _mode(module: str, name: str) -> Mode:
    made: Mode = getattr(import_module(f"symtheano.compile.{module}"), name)()
    return made


def _of_networks(name: str) -> str | None:
    found: str | None = import_module(f"{__name__}.nn.foreign").where(name)
    return found


def _describe(row: ScalarOp) -> str:
    from symtheano.printing.describe import describe

    return describe(row)


def _numpy_calls() -> Any:
    from symtheano.tensor import numpy_calls

    return numpy_calls


def _reduce_variable(self: Variable) -> tuple[object, ...]:
    from symtheano.graph.pickling import reduce_variable

    return reduce_variable(self)


def _reduce_apply(self: Apply) -> tuple[object, ...]:
    from symtheano.graph.pickling import reduce_apply

    return reduce_apply(self)


def _set_apply_state(self: Apply, state: Any) -> None:
    from symtheano.graph.pickling import set_apply_state

    set_apply_state(self, state)


def _variable_latex(self: Variable) -> str:
    from symtheano.printing.html import variable_latex

    return variable_latex(self)


def _variable_html(self: Variable) -> str:
    from symtheano.printing.html import variable_html

    return variable_html(self)


def _function_html(self: Any) -> str:
    from symtheano.printing.html import function_html

    return function_html(self)


def __dir__() -> list[str]:
    """Return all public names, for completion."""
    return sorted(["__version__", *globals()["__all__"]])


# Theano programs use these on the tensor module and on variables. They are defined in later layers,
# so they are added here.
tensor.lend(
    "gradient",
    "Lop Rop consider_constant grad grad_not_implemented grad_undefined hessian jacobian",
)
tensor.lend("function.verify", "numeric_grad verify_grad")
gradient.verify_grad = verify_grad  # type: ignore[attr-defined]
gradient.numeric_grad = numeric_grad  # type: ignore[attr-defined]
NumPyProtocols.numpy_calls = staticmethod(_numpy_calls)
TensorMixin.eval = evaluate  # type: ignore[attr-defined]
tensor.sharedvar.MAKERS["scipy.sparse"] = _shared_sparse
tensor.sharedvar.MAKERS["numpy.random._"] = _shared_generator
tensor.elemwise.RowDocstring.describe = _describe
eager.perform = _perform
MissingName.of_networks = staticmethod(_of_networks)  # type: ignore[method-assign]
Variable.__reduce__ = _reduce_variable  # type: ignore[assignment]
Apply.__reduce__ = _reduce_apply  # type: ignore[assignment]
Apply.__setstate__ = _set_apply_state  # type: ignore[attr-defined]
Variable._repr_latex_ = _variable_latex  # type: ignore[attr-defined]
Variable._repr_html_ = _variable_html  # type: ignore[attr-defined]
Function._repr_html_ = _function_html  # type: ignore[attr-defined]
modes.LATE.update(
    NanGuardMode=lambda: _mode("nanguardmode", "NanGuardMode"),
    DebugMode=lambda: _mode("debugmode", "DebugMode"),
    DEBUG_MODE=lambda: _mode("debugmode", "DebugMode"),
)

"""NumPy functions that are called with symbolic arrays call functions of this package.

NumPy calls ``__array_ufunc__`` and ``__array_function__`` of its operands. If this package has a
function of the same name and meaning, it is called. Otherwise an error explains what to do.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from types import FrameType
from typing import Any

import numpy as np

from symtheano.graph.variable import Variable
from symtheano.tensor.messages import build_message

# NumPy functions, by the module of this package with a function of the same name and semantics.
_SAME = {
    "tensor": "all allclose amax amin angle any append argmax argmin argpartition argsort argwhere "
    "array_equal array_split atleast_1d atleast_2d atleast_3d average bincount broadcast_arrays "
    "broadcast_to choose column_stack compress concat concatenate corrcoef count_nonzero cov "
    "cumprod cumsum diag diag_indices_from diagflat diagonal diff digitize dot dsplit dstack "
    "einsum empty_like expand_dims extract fix flatnonzero flip fliplr flipud full_like geomspace "
    "hsplit hstack i0 imag inner interp isclose isin ix_ kron lexsort linspace logspace max mean "
    "median meshgrid min moveaxis nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax "
    "nanmean nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar nonzero "
    "ones_like outer pad partition percentile permute_dims prod ptp quantile ravel "
    "ravel_multi_index real repeat reshape roll rollaxis rot90 searchsorted select shape size sort "
    "squeeze stack std sum swapaxes take take_along_axis tensordot tile trace transpose tril "
    "tril_indices_from triu triu_indices_from unique unravel_index unstack var vdot vsplit vstack "
    "where zeros_like convolve correlate cross cumulative_prod cumulative_sum gradient iscomplex "
    "isneginf isposinf isreal matrix_transpose polyfit polyval sinc trapezoid vander",
    "tensor.nlinalg": "cond det eig eigh eigvals inv lstsq matrix_power matrix_rank multi_dot norm "
    "pinv qr slogdet svd tensorinv tensorsolve",
    "tensor.slinalg": "cholesky solve",
    "tensor.fft": "fft fft2 fftn fftshift hfft ifft ifft2 ifftn ifftshift ihfft",
}
_IN_NUMPY = {"tensor": "numpy", "tensor.fft": "numpy.fft"}
_MODULE_OF = {
    f"{_IN_NUMPY.get(module, 'numpy.linalg')}.{name}": module
    for module, names in _SAME.items()
    for name in names.split()
}

# Functions whose arguments differ here, or that return properties of an array.
_OTHERS: dict[str, Callable[..., Any]] = {
    "numpy.ndim": lambda a: a.ndim,
    "numpy.copy": lambda a: a.copy(),
    "numpy.astype": lambda x, dtype: x.astype(dtype),
    "numpy.iscomplexobj": lambda x: x.dtype.startswith("complex"),
    "numpy.isrealobj": lambda x: not x.dtype.startswith("complex"),
    "numpy.clip": lambda a, a_min=None, a_max=None: _clip(a, a_min, a_max),
    "numpy.round": lambda a, decimals=0: import_module("symtheano.tensor").round(a, decimals),
    "numpy.around": lambda a, decimals=0: import_module("symtheano.tensor").round(a, decimals),
    "numpy.linalg.cross": lambda x1, x2, axis=-1: _standard().cross(x1, x2, axis=axis),
    "numpy.linalg.vecdot": lambda x1, x2, axis=-1: _standard().vecdot(x1, x2, axis=axis),
}


def _standard() -> Any:
    return import_module("symtheano.tensor.linalg.standard")


# Signatures of NumPy functions written in C, which Python can't determine.
_ARGUMENTS: dict[str, Callable[..., None]] = {
    "numpy.concatenate": lambda arrays, /, axis=0: None,
    "numpy.dot": lambda a, b: None,
    "numpy.inner": lambda a, b, /: None,
    "numpy.vdot": lambda a, b, /: None,
    "numpy.where": lambda condition, x=None, y=None, /: None,
    "numpy.lexsort": lambda keys, axis=-1: None,
    "numpy.bincount": lambda x, /, weights=None, minlength=0: None,
    "numpy.empty_like": lambda prototype, /, dtype=None, order="K", subok=True, shape=None: None,
}
_REDUCTIONS = {"add": "sum", "multiply": "prod", "maximum": "max", "minimum": "min",
               "logical_and": "all", "logical_or": "any"}  # fmt: skip


_REDUCE = "_wrapreduction"
"""The function of NumPy's module ``fromnumeric`` in which ``np.sum`` and ``np.prod`` are computed.

NumPy does not ask the elements of a list or tuple whether they have a function of their own. It
converts each to an array, and reduces an array of objects by their operators.
"""


def as_array_of(x: Any, caller: FrameType) -> np.ndarray[Any, Any]:
    """Return a 0-d variable as an object for a reduction of NumPy, which is ``caller``.

    Raises
    ------
    TypeError
        If something else asks, or the variable is an array.

    Examples
    --------
    >>> n = T.matrix("x").shape[0]
    >>> int(np.prod((n, 3)).eval({"x": np.ones((2, 5))}))
    6
    """
    module = str(caller.f_globals.get("__name__"))
    reduces = caller.f_code.co_name == _REDUCE and module.endswith(".fromnumeric")
    if not reduces or x.ndim:
        raise _no_array(x)
    item = np.empty((), dtype=object)
    item[()] = x
    return item


def _no_array(x: Any) -> TypeError:
    """Return the error for the conversion of a symbolic array to a NumPy array."""
    return TypeError(
        build_message(
            f"{x.describe()} is symbolic and can't become a NumPy array: its value is not known "
            "while the graph is built",
            x,
            hint="use symtheano.tensor's functions (stack([x, y]) for np.array([x, y])), or eval() "
            "for a value now",
        )
    )


# -- ufuncs ----------------------------------------------------------------------------------------


def call_ufunc(ufunc: Any, method: str, operands: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Apply the row of the scalar table that corresponds to a ufunc.

    Raises
    ------
    TypeError
        If there is none, or if ``out`` is given.
    """
    name = f"np.{ufunc.__name__}"
    if options.get("out") is not None:
        raise _refused(
            f"{name}: a symbolic result can't be stored in an array (out=, or a += x)",
            operands,
            "write a = a + x, which makes a new variable",
        )
    if method != "__call__":
        ours = _REDUCTIONS.get(ufunc.__name__) if method == "reduce" else None
        hint = f"use symtheano.tensor.{ours}" if ours else None
        raise _refused(f"{name}.{method} does not take symbolic arrays", operands, hint)
    if options:
        keywords = ", ".join(f"{key}=" for key in options)
        hint = "use switch(condition, x, y) for where=, cast(x, dtype) for dtype="
        raise _refused(f"{name} does not take {keywords} with symbolic arrays", operands, hint)
    if ufunc is np.equal or ufunc is np.not_equal:
        ours = "eq" if ufunc is np.equal else "neq"
        hint = f"use symtheano.tensor.{ours}(x, y); == tests whether they are the same object"
        raise _refused(f"{name} does not take symbolic arrays", operands, hint)
    function = _function_of(ufunc)
    if function is None:
        raise _refused(f"{name} has no symbolic form", operands, _NO_FORM)
    return function(*operands)


_NO_FORM = "write it with functions of symtheano.tensor, wrap it by as_op, or eval() its operands"


@cache
def _function_of(ufunc: Any) -> Any:
    name = ufunc.__name__
    packages = (np, sys.modules.get("scipy.special"))
    if not any(getattr(package, name, None) is ufunc for package in packages):
        return None
    return getattr(import_module("symtheano.tensor"), name, None)


# -- functions -------------------------------------------------------------------------------------


def call_function(function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
    """Call the function of this package that corresponds to a NumPy function.

    Raises
    ------
    TypeError
        If there is none, or it does not have one of the arguments.
    """
    name = f"{function.__module__}.{function.__name__}"
    label = name.replace("numpy", "np", 1)
    operands = [item for item in (*args, *kwargs.values()) if isinstance(item, Variable)]
    ours = _counterpart(name)
    if any(isinstance(getattr(item, "format", None), str) for item in operands):
        hint = "use the functions of symtheano.sparse, or make it dense: x.toarray()"
        raise _refused(f"{label} does not take sparse matrices", operands, hint)
    if ours is None:
        raise _refused(f"{label} has no symbolic form", operands, _NO_FORM)
    bound = _signature(name, function).bind(*args, **kwargs)
    leading: list[Any] = []
    options: dict[str, Any] = {}
    for parameter in bound.signature.parameters.values():
        if parameter.name not in bound.arguments:
            continue
        value = bound.arguments[parameter.name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            leading.extend(value)
        elif parameter.kind is parameter.VAR_KEYWORD:
            options.update(value)
        elif parameter.default is parameter.empty or parameter.kind is parameter.POSITIONAL_ONLY:
            leading.append(value)
        elif not _is_default(value, parameter.default):
            options[parameter.name] = value
    unknown = [key for key in options if key not in _keywords(ours)]
    if unknown:
        keywords = ", ".join(f"{key}=" for key in unknown)
        new = "functions of symtheano.tensor make new variables" if "out" in unknown else None
        raise _refused(f"{label} does not take {keywords} with symbolic arrays", operands, new)
    return ours(*leading, **options)


def _counterpart(name: str) -> Any:
    if name in _OTHERS:
        return _OTHERS[name]
    module = _MODULE_OF.get(name)
    if module is None:
        return None
    return getattr(import_module(f"symtheano.{module}"), name.rpartition(".")[2])


@cache
def _signature(name: str, function: Any) -> inspect.Signature:
    try:
        return inspect.signature(function)
    except ValueError:
        return inspect.signature(_ARGUMENTS[name])


@cache
def _keywords(ours: Any) -> frozenset[str]:
    parameters = inspect.signature(ours).parameters.values()
    kinds = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
    return frozenset(p.name for p in parameters if p.kind in kinds)


def _is_default(value: Any, default: Any) -> bool:
    plain = (bool, int, float, str, tuple, type(None))
    return value is default or (type(value) is type(default) in plain and value == default)


def _clip(a: Any, least: Any, most: Any) -> Any:
    tensor: Any = import_module("symtheano.tensor")
    if least is not None:
        a = tensor.maximum(a, least)
    return a if most is None else tensor.minimum(a, most)


def _refused(what: str, operands: Sequence[Any], hint: str | None) -> TypeError:
    variables = [item for item in operands if isinstance(item, Variable)]
    return TypeError(build_message(what, *variables, hint=hint))

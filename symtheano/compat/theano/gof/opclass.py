"""Ops of users: with ``perform``, with C code, or with ``make_thunk``."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from symtheano.graph.eager import get_test_value as _get_test_value
from symtheano.graph.op import Op as _Op
from symtheano.graph.variable import Apply, Variable

from ..configdefaults import config
from . import thunks
from .graph import NoParams, run_params
from .interfaces import CLinkerObject as CLinkerObject, CLinkerOp as CLinkerOp
from .utils import MetaObject, MethodNotDefined


class _OpMeta(MetaObject):
    """Makes all ops of symtheano instances of Theano's class, which is a subclass of theirs."""

    def __instancecheck__(cls, instance: object) -> bool:
        return isinstance(instance, _Op) if cls in _GENERAL else super().__instancecheck__(instance)

    def __subclasscheck__(cls, subclass: type) -> bool:
        return issubclass(subclass, _Op) if cls in _GENERAL else super().__subclasscheck__(subclass)


class Op(_Op, CLinkerOp, metaclass=_OpMeta):
    """The base class of ops.

    A call of a function runs ``make_thunk`` if a class has one, else the C code if it has some and
    there is a compiler, else ``perform``.
    """

    add_tag_trace = staticmethod(lambda thing, user_line=None: thing)

    def get_params(self, node: Apply) -> Any:
        """Return the parameters of a node: what ``params_type`` takes of the op's attributes.

        Raises
        ------
        MethodNotDefined
            If there is no ``params_type`` that is a :class:`ParamsType`.
        AttributeError
            If the op lacks an attribute.
        """
        kind = getattr(self, "params_type", None)
        if kind is None or not hasattr(kind, "get_params"):
            raise MethodNotDefined("get_params", type(self), type(self).__name__)
        missing = [name for name in kind.fields if not hasattr(self, name)]
        if missing:
            names = ", ".join(missing)
            raise AttributeError(
                f"{type(self).__name__}: missing attributes {names} for ParamsType"
            )
        return kind.get_params(self)

    def do_constant_folding(self, node: Apply) -> bool:
        """Accepted; ops of users are not computed during compilation."""
        return True

    # -- how it runs ------------------------------------------------------------------------------

    def prepare_node(self, node: Apply, storage_map: Any, compute_map: Any, impl: str) -> None:
        """Called before a thunk is made."""

    def make_thunk(
        self,
        node: Apply,
        storage_map: Any,
        compute_map: Any,
        no_recycling: Any,
        impl: str | None = None,
    ) -> Callable[[], Any]:
        """Return a function without arguments that computes a node.

        Parameters
        ----------
        storage_map, compute_map
            For each variable a list with its value, and one that says whether it was computed.
        impl
            ``c`` or ``py``; None for C code if there is some.
        """
        if impl == "c" or (impl is None and config.cxx):
            self.prepare_node(node, storage_map=storage_map, compute_map=compute_map, impl="c")
            try:
                return self.make_c_thunk(node, storage_map, compute_map, no_recycling)
            except (NotImplementedError, MethodNotDefined):
                if impl == "c":
                    raise
        self.prepare_node(node, storage_map=storage_map, compute_map=compute_map, impl="py")
        return self.make_py_thunk(node, storage_map, compute_map, no_recycling)

    def make_c_thunk(
        self, node: Apply, storage_map: Any, compute_map: Any, no_recycling: Any
    ) -> Callable[[], Any]:
        """Return a function without arguments that runs the C code of a node.

        Raises
        ------
        MethodNotDefined, NotImplementedError
            If there is none.
        CompileError
            If the compiler refuses it.
        """
        return thunks.c_thunk(node, storage_map, compute_map)

    def make_py_thunk(
        self,
        node: Apply,
        storage_map: Any,
        compute_map: Any,
        no_recycling: Any,
        debug: bool = False,
    ) -> Callable[[], Any]:
        """Return a function without arguments that runs ``perform``."""
        return thunks.python_thunk(node, storage_map, compute_map)

    def run_node(self, node: Apply, inputs: list[Any], output_storage: list[list[Any]]) -> None:
        """Compute a node with its thunk, which is made in the first call."""
        thunks.run(node, inputs, output_storage)


class PureOp(Op):
    """The base class of ops without C code; :class:`Op` is the same."""


_GENERAL: tuple[type, ...] = (Op, PureOp)


class OpenMPOp(Op):
    """An op whose C code has several threads.

    Parameters
    ----------
    openmp
        Whether it has; by default the flag ``openmp``.
    """

    def __init__(self, openmp: bool | None = None) -> None:
        self.openmp = config.openmp if openmp is None else openmp

    def c_compile_args(self) -> Sequence[str]:
        """Return the flag that makes threads."""
        return ["-fopenmp"] if self.openmp else []

    def c_headers(self) -> Sequence[str]:
        """Return the header of OpenMP."""
        return ["omp.h"] if self.openmp else []

    def update_self_openmp(self) -> None:
        """Accepted; whether the compiler has OpenMP is found out when it compiles."""


ops_with_inner_function: dict[type, str] = {}
"""Accepted; ops whose attribute with this name is a function."""


# -- values of variables while a graph is built ---------------------------------------------------


def get_test_value(v: Any) -> Any:
    """Return the test value of a variable, or of a value as a constant.

    Raises
    ------
    AttributeError
        If there is none.
    """
    return _get_test_value(v if isinstance(v, Variable) else Op.as_array(v))


def missing_test_message(msg: str) -> None:
    """Tell of a missing test value, as the flag ``compute_test_value`` says."""
    action = config.compute_test_value
    if action == "raise":
        raise AttributeError(msg)
    if action == "warn":
        warnings.warn(msg, stacklevel=2)


def debug_error_message(msg: str) -> None:
    """Tell of a wrong test value, as the flag ``compute_test_value`` says."""
    if config.compute_test_value in ("raise", "ignore"):
        raise ValueError(msg)
    warnings.warn(msg, stacklevel=2)


def debug_assert(condition: object, msg: str = "debug_assert failed") -> None:
    """Tell if a condition on test values is false, as the flag ``compute_test_value`` says."""
    if not condition:
        if config.compute_test_value in ("raise", "ignore"):
            raise AssertionError(msg)
        warnings.warn(msg, stacklevel=2)


def get_debug_values(*args: Any) -> list[Any]:
    """Return a list with the test values of variables, empty if one has none."""
    if config.compute_test_value == "off":
        return []
    values = []
    for place, item in enumerate(args):
        try:
            values.append(get_test_value(item))
        except (AttributeError, ValueError):  # noqa: PERF203
            name = getattr(item, "name", None)
            named = f"('{name}')" if name is not None else ""
            missing_test_message(f"Argument {place}{named} has no test value")
            return []
    return values if len(values) == 1 else [tuple(values)]

"""PyTensor's functions with fewer steps in a call, and the class that makes them."""

from __future__ import annotations

import copyreg
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pytensor.compile import executor
from pytensor.compile.maker import FunctionMaker
from pytensor.configdefaults import config

from symtheano import Function

_copied = threading.local()


class SymtheanoFunction(executor.Function):  # type: ignore[misc]
    """A function of PyTensor that calls compiled code directly where it can.

    It does so if inputs are trusted (``trust_input``), nothing is updated and all arguments are
    passed by position. Other calls are those of PyTensor's class.
    """

    __slots__ = ("_arguments", "_direct", "_single", "_stored")

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        compiled = getattr(self.vm, "jit_fn", None)
        required = [container.required for container in self.input_storage]
        self._arguments = sum(required)
        first = required[: self._arguments]
        direct = isinstance(compiled, Function) and all(first) and not self._has_updates
        self._direct: Any = compiled if direct and not self.return_none else None
        self._stored = tuple(item.storage for item in self.input_storage[self._arguments :])
        self._single = self.unpack_single

    def __call__(self, *args: Any, **options: Any) -> Any:
        """Return the outputs, as PyTensor's functions do."""
        direct = self._direct
        if (
            direct is None
            or options
            or not self.trust_input
            or len(args) != self._arguments
            or self.profile
        ):
            return super().__call__(*args, **options)
        results = (
            direct(*args, *[item[0] for item in self._stored]) if self._stored else direct(*args)
        )
        return results[0] if self._single else results

    @property
    def compiled(self) -> Function:
        """The function of symtheano.

        Raises
        ------
        NotImplementedError
            If values that are not arrays are passed or returned.
        """
        compiled = getattr(self.vm, "jit_fn", None)
        if not isinstance(compiled, Function):
            raise NotImplementedError(f"{self.name or 'the function'} passes values in Python")
        return compiled

    def copy(self, *args: Any, **options: Any) -> Any:
        """Return a copy with storage of its own; its code is not compiled again."""
        same_graph = not (args[2:3] == (True,) or options.get("delete_updates"))
        with _copying(self.vm.jit_fn if same_graph else None):
            return super().copy(*args, **options)


@contextmanager
def _copying(compiled: Any) -> Iterator[None]:
    _copied.function = compiled
    try:
        yield
    finally:
        _copied.function = None


def function_to_copy() -> Callable[..., Any] | None:
    """Return the compiled function of the function that is being copied, if there is one."""
    return getattr(_copied, "function", None)


# A function is pickled as PyTensor's are: its graph and its values.
copyreg.pickle(SymtheanoFunction, executor._pickle_Function)


class SymtheanoMaker(FunctionMaker):  # type: ignore[misc]
    """Rewrites graphs without PyTensor's C code, and makes :class:`SymtheanoFunction` objects.

    PyTensor computes constants in C while it rewrites, which starts a compiler for each op.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("function_class", SymtheanoFunction)
        with config.change_flags(cxx=""):
            super().__init__(*args, **options)

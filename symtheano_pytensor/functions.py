"""PyTensor's functions with fewer steps in a call, and the class that makes them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pytensor.compile import executor
from pytensor.compile.maker import FunctionMaker
from pytensor.configdefaults import config

from symtheano import Function
from symtheano.collector import collector_paused
from symtheano_pytensor.stored import Stored, key_of, recall

_copied = threading.local()
_TRUST = executor.Function.trust_input


class SymtheanoFunction(executor.Function):  # type: ignore[misc]
    """A function of PyTensor that calls compiled code directly where it can.

    It does so if inputs are trusted (``trust_input``), nothing is updated and all arguments are
    passed by position. Other calls are those of PyTensor's class. A function of arguments only,
    with a list of results, then has a class of its own, whose calls are those of the compiled
    function.
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
        self._choose_class()

    @property
    def trust_input(self) -> bool:
        """Whether arguments are not checked."""
        return bool(_TRUST.__get__(self))

    @trust_input.setter
    def trust_input(self, value: bool) -> None:
        _TRUST.__set__(self, value)
        if hasattr(self, "_single"):
            self._choose_class()

    def _choose_class(self) -> None:
        """Let calls be those of the compiled function if they need nothing else."""
        direct = self._direct
        whole = direct is not None and not (self._stored or self._single or self.maker.profile)
        names = [item.name for item in self.maker.inputs]
        if self.trust_input and whole and names == [item.name for item in direct.inputs]:
            body = {"__slots__": (), "__call__": staticmethod(direct), "__doc__": self.__doc__}
            self.__class__ = type("SymtheanoFunction", (SymtheanoFunction,), body)
        else:
            self.__class__ = SymtheanoFunction

    def __reduce__(self) -> Any:
        # A function is pickled as PyTensor's are: its graph and its values.
        return executor._pickle_Function(self)

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
        if args[2:3] == (True,) or options.get("delete_updates"):
            _ = self.maker.fgraph
            return super().copy(*args, **options)
        with _copying(self.vm.jit_fn), self.maker.making():
            copied = super().copy(*args, **options)
        copied.maker.postpone_as(self.maker)
        return copied


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


class SymtheanoMaker(FunctionMaker):  # type: ignore[misc]
    """Rewrites graphs without PyTensor's C code, and makes :class:`SymtheanoFunction` objects.

    PyTensor computes constants in C while it rewrites, which starts a compiler for each op.

    If the converted graph is stored, it is not rewritten until someone asks for :attr:`fgraph`.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        options.setdefault("function_class", SymtheanoFunction)
        self._postponed: tuple[Any, ...] | None = None
        self._key: str | None = None
        self._stored: Stored | None = None
        with collector_paused(), self.making(), config.change_flags(cxx=""):
            super().__init__(*args, **options)

    @property
    def fgraph(self) -> Any:
        """The rewritten graph."""
        if self._postponed is not None and not self._making:
            postponed, self._postponed = self._postponed, None
            with config.change_flags(cxx=""):
                super().prepare_fgraph(*postponed)
        return self._graph

    @fgraph.setter
    def fgraph(self, graph: Any) -> None:
        self._graph = graph

    @contextmanager
    def making(self) -> Iterator[None]:
        """Let the graph be as it is while PyTensor makes or copies a function."""
        before, self._making = getattr(self, "_making", False), True
        try:
            yield
        finally:
            self._making = before

    def prepare_fgraph(
        self,
        inputs: Any,
        outputs: Any,
        additional_outputs: Any,
        fgraph: Any,
        mode: Any,
        profile: Any,
    ) -> None:
        """Rewrite a graph, unless its converted form is stored."""
        arguments = (inputs, outputs, additional_outputs, fgraph, mode, profile)
        self._key = None if profile else key_of(fgraph, mode)
        self._stored = None if self._key is None else recall(self._key)
        if self._stored is None:
            super().prepare_fgraph(*arguments)
        else:
            self._postponed = arguments

    def postpone_as(self, other: SymtheanoMaker) -> None:
        """Rewrite the graph, a copy of that of another maker, when the other would."""
        if other._postponed is not None:
            mode, profile = other._postponed[-2:]
            self._postponed = (self.inputs, self.outputs, [], self._graph, mode, profile)

    def create(self, *args: Any, **options: Any) -> Any:
        """Return a function of PyTensor."""
        self.linker.key, self.linker.stored = self._key, self._stored
        # What is stored is for the first function; a later one may be made in another process.
        self._key = self._stored = None
        if self.linker.stored is None and function_to_copy() is None:
            _ = self.fgraph
        with collector_paused(), self.making():
            return super().create(*args, **options)

    def __getstate__(self) -> dict[str, Any]:
        _ = self.fgraph
        self.linker.key = self.linker.stored = None
        return self.__dict__

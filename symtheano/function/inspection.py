"""What a compiled function shows of its stages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from symtheano.config import config
from symtheano.function.stages import Stages
from symtheano.graph.intern import FunctionGraph

if TYPE_CHECKING:
    from typing_extensions import Self

    from symtheano.codegen.frame import Lowered
    from symtheano.codegen.runtime.link import Linked
    from symtheano.function.memory import Memory
    from symtheano.rewrites.trace import Trace


class Inspection:
    """Graphs, loops, C text and memory of a function."""

    stages: Stages
    _linked: Linked | None

    if TYPE_CHECKING:

        def _settle(self) -> None: ...

        def _values(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]: ...

    @property
    def user_graph(self) -> FunctionGraph:
        """The graph as it was written."""
        return self.stages.user_graph

    @property
    def graph(self) -> FunctionGraph:
        """The graph after rewriting."""
        return self.stages.graph

    @property
    def trace(self) -> Trace:
        """The trace of the rules."""
        return self.stages.rewriter.trace

    @property
    def lowered(self) -> Lowered:
        """The LoopIR program of the function, and the messages of its checks."""
        return self.stages.built.lowered

    @property
    def c_source(self) -> str | None:
        """The C text of the function; None under the interpreter."""
        self._settle()
        return None if self._linked is None else self.stages.built.source.text

    @property
    def c_messages(self) -> str | None:
        """The text of a C function that writes error messages; None under the interpreter.

        It is meant for C programs that contain ``c_source``.
        """
        self._settle()
        if self._linked is None:
            return None
        from symtheano.codegen.c.messages import messages_text

        return messages_text(self._linked.record.entry, self.lowered.sites)

    @property
    def memory(self) -> Memory:
        """The memory that calls need, as a :class:`symtheano.function.memory.Memory`."""
        from symtheano.function.memory import Memory

        return Memory(self.lowered, self.graph, self._values)

    @property
    def maker(self) -> Self:
        """The function itself, for Theano programs that use ``f.maker.fgraph``."""
        return self

    @property
    def fgraph(self) -> FunctionGraph:
        """The graph after rewriting."""
        if config.theano_semantics:  # programs of Theano ask variables by whom they are used
            for variable, uses in self.graph.clients().items():
                variable.__dict__["clients"] = uses
        return self.graph

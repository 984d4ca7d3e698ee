"""Construction of functions: linked, compiled in the background, or interpreted."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from symtheano.collector import collector_paused
from symtheano.config import Options, config
from symtheano.dataclass import replace
from symtheano.errors import NoCompilerError
from symtheano.function.available import dispatcher_module, warn_of_interpreter, warn_of_no_compiler
from symtheano.function.compiled import Function
from symtheano.function.modes import Mode
from symtheano.function.request import Distribution, Request
from symtheano.function.stages import Stages
from symtheano.graph.origin import Origin
from symtheano.graph.stacks import LEAST_STACK, require_stack
from symtheano.graph.walk import ancestors, toposort

if TYPE_CHECKING:
    from symtheano.codegen.runtime.link import Linked


ARRANGING: list[Callable[[Request], Request]] = []
"""Functions that change requests before they are compiled; later packages add theirs."""


class FunctionRecipe(NamedTuple):
    """How functions are made: linked, compiled in the background, or interpreted.

    Attributes
    ----------
    mode, options
        The mode and the configuration.
    allow
        Whether arguments may be converted to less precise dtypes.
    origin
        The user's line.
    distribution
        How functions run in several processes, or None.
    """

    mode: Mode
    options: Options
    allow: bool | None
    origin: Origin | None = None
    distribution: Distribution | None = None

    def make(self, request: Request, name: str | None, profile: bool = False) -> Function:
        """Return the function for a normalized request."""
        with collector_paused():
            for arrange in ARRANGING:
                request = arrange(request)
            return self._steady(request)._function(request, name, profile)

    def restore(self, request: Request, name: str | None, profile: bool) -> Function:
        """Return a function that was pickled; the compiled code comes from this machine's cache."""
        here = config.snapshot()
        local = ("cc", "blas", "threads", "cache_dir", "cache_size", "first_tier")
        options = replace(self.options, **{name: getattr(here, name) for name in local})
        return self._replace(options=options).make(request, name, profile)

    def _steady(self, request: Request) -> FunctionRecipe:
        """Return the recipe for code that does not change, if other processes take part in calls.

        Code of a first tier may end a call, which then begins again, and processes would change to
        the C, or to kernels that are compiled in the background, at different calls.
        """
        if not ARRANGING:
            return self
        nodes = toposort(request.all_outputs, request.inputs)
        if not any(node.op.unconditional for node in nodes):
            return self
        options = replace(self.options, first_tier="none", deterministic="more")
        return self._replace(options=options)

    def _function(self, request: Request, name: str | None, profile: bool) -> Function:
        kind: Callable[..., Function] = Function
        if self.distribution is not None:
            kind = partial(DistributedFunction, self.distribution)
        if _has_sparse(request):
            from symtheano.function.sparse import SparseFunction, opened

            if self.distribution is not None:
                raise NotImplementedError("function: distribute= does not support sparse matrices")
            ends = opened(request)
            request, kind = ends.request, partial(SparseFunction, ends)
        stages = Stages(request, self.mode, self.options, name, profile, self.origin)
        interpreted = self.options.first_tier == "interpreter"
        interpreted = interpreted and not profile and self.mode.linker != "interpret"
        linked = _cached(stages) if interpreted else _link(stages)
        if interpreted and linked is None:
            return self._begun(kind, stages, name)
        # The driver of a device measures the time of steps itself.
        direct = linked is not None and (self.options.device == "cpu" or not profile)
        dispatcher = stages.dispatcher if direct else None
        # Only the dispatcher measures the time of steps.
        module = dispatcher_module(dispatcher, wait=profile)
        quick = kind is Function and module is not None
        kind = _dispatched(module) if quick else kind
        function = kind(self, stages, linked, self.allow, name, profile, self.origin)
        if not quick:
            function._coming = dispatcher
            function._advance()
        return function

    def _begun(self, kind: Callable[..., Function], stages: Stages, name: str | None) -> Function:
        """Return a function that runs in the interpreter until it is compiled."""
        from symtheano.codegen.native.later import Later

        # The interpreter's program, made before two threads could make it.
        stages.check_types()
        function = kind(self, stages, None, self.allow, name, False, self.origin)
        function._coming = Later(stages.link)
        return function


class DistributedFunction(Function):
    """A compiled function that runs in several processes, which begin it together."""

    def __init__(self, distribution: Distribution, *args: Any) -> None:
        self._distribution = distribution
        super().__init__(*args)
        self._beginning: Distribution | None = distribution

    def _threads(self) -> int:
        return self.stages.options.threads or self._distribution.threads()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        beginning = self._beginning
        if beginning is not None:
            beginning.begin(self)
            self._beginning = None
        return super().__call__(*args, **kwargs)


def _has_sparse(request: Request) -> bool:
    """Return whether there are sparse matrices; False if the sparse package is not loaded."""
    if "symtheano.sparse.variable" not in sys.modules:
        return False
    from symtheano.sparse.variable import SparseMixin

    everything = ancestors([*request.inputs, *request.all_outputs, *request.shared])
    return any(isinstance(item, SparseMixin) for item in everything)


def _link(stages: Stages) -> Linked | None:
    """Return the compiled file; None if the graph runs in the interpreter."""
    if stages.mode.linker == "interpret":
        return None
    if stages.options.theano_semantics and stages.uncompiled is not None:
        return None  # in Theano, functions of values that are not arrays need no other mode
    require_stack(LEAST_STACK)
    try:
        return stages.link()
    except NoCompilerError as error:
        warn_of_no_compiler(str(error))
        return None
    except NotImplementedError as error:
        # Programs of Theano do not know what is compiled here.
        if not stages.options.theano_semantics or stages.options.device != "cpu":
            raise
        warn_of_interpreter("a function", error)
        return None


def _cached(stages: Stages) -> Linked | None:
    """Return the compiled file if no compiler needs to run for it."""
    require_stack(LEAST_STACK)
    with suppress(NoCompilerError):
        return stages.find()
    return None


@cache
def _dispatched(dispatcher: Any) -> Any:
    """Return the class of functions that use the dispatcher."""
    body = {"__module__": Function.__module__, "__doc__": Function.__doc__}
    return dispatcher.adopt(type("Function", (dispatcher.Dispatcher, Function), body))

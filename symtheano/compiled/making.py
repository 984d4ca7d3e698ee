"""Construction of functions: linked, compiled in the background, or interpreted."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from symtheano.compiled.function import Function, dispatcher_module, warn_of_no_compiler
from symtheano.config import Options, config
from symtheano.errors import NoCompilerError
from symtheano.graph.origin import Origin, origin_scope
from symtheano.graph.walk import ancestors
from symtheano.modes import Mode
from symtheano.request import Request
from symtheano.stages import Stages

if TYPE_CHECKING:
    from symtheano.codegen.link import Linked


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the garbage collector, because a graph has many small objects that are all alive."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def make_function(
    request: Request,
    mode: Mode,
    options: Options,
    allow: bool | None,
    name: str | None,
    profile: bool = False,
    origin: Origin | None = None,
) -> Function:
    """Return the function for a normalized request."""
    kind: Callable[..., Function] = Function
    if _has_sparse(request):
        from symtheano.compiled.sparse import SparseFunction, opened

        ends = opened(request)
        request, kind = ends.request, partial(SparseFunction, ends)
    stages = Stages(request, mode, options, name, profile)
    tiered = options.tiered and not profile and mode.linker != "interpret"
    linked = _found(stages) if tiered else _link(stages)
    if tiered and linked is None:
        return _begun(kind, stages, allow, name, origin)
    dispatcher = None if linked is None else stages.dispatcher
    # Only the dispatcher measures the time of steps.
    module = dispatcher_module(dispatcher, wait=profile)
    quick = kind is Function and module is not None
    made = (_dispatched(module) if quick else kind)(stages, linked, allow, name, profile, origin)
    if not quick:
        made._coming = dispatcher
        made._advance()
    return made


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
    from symtheano.codegen.threads import LEAST_STACK, require_stack

    require_stack(LEAST_STACK)
    try:
        return stages.link()
    except NoCompilerError as error:
        warn_of_no_compiler(str(error))
        return None


def _found(stages: Stages) -> Linked | None:
    """Return the compiled file if no compiler needs to run for it."""
    from symtheano.codegen.threads import LEAST_STACK, require_stack

    require_stack(LEAST_STACK)
    with suppress(NoCompilerError):
        return stages.find()
    return None


def _begun(
    kind: Callable[..., Function],
    stages: Stages,
    allow: bool | None,
    name: str | None,
    origin: Origin | None,
) -> Function:
    """Return a function that runs in the interpreter until it is compiled in the background."""
    from symtheano.codegen.later import Later

    # The interpreter's program, made before two threads could make it.
    stages.check_types()
    made = kind(stages, None, allow, name, False, origin)

    def compiled() -> Linked | None:
        with origin_scope(origin):
            return stages.link()

    made._coming = Later(compiled)
    return made


@cache
def _dispatched(dispatcher: Any) -> Any:
    """Return the class of functions that use the dispatcher."""
    body = {"__module__": Function.__module__, "__doc__": Function.__doc__}
    return dispatcher.adopt(type("Function", (dispatcher.Dispatcher, Function), body))


def restored(
    request: Request,
    mode: Mode,
    options: Options,
    allow: bool | None,
    name: str | None,
    profile: bool,
    origin: Origin | None = None,
) -> Function:
    """Return a function that was pickled; the compiled code comes from this machine's cache."""
    here = config.snapshot()
    local = ("cc", "blas", "threads", "cache_dir", "cache_size", "tiered")
    options = replace(options, **{name: getattr(here, name) for name in local})
    with collector_paused():
        return make_function(request, mode, options, allow, name, profile, origin)

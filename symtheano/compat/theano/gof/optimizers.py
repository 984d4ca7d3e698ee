"""Optimizers of users: whole graphs, single nodes, and what they consist of.

Those that are registered run beside our rules (``symtheano/compat/rules.py``); each can also be
applied to a :class:`~symtheano.compat.theano.gof.fg.FunctionGraph` by itself.
"""

from __future__ import annotations

import logging
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any

from ..configdefaults import config as config
from symtheano.graph.op import Op
from symtheano.graph.origin import origin_scope
from symtheano.graph.variable import Apply, Variable

from .destroyhandler import DestroyHandler

_logger = logging.getLogger("theano.gof.opt")
_numbers = count()


class LocalMetaOptimizerSkipAssertionError(AssertionError):
    """Not raised; for programs that catch it."""


def _on_error() -> str:
    """Return what to do about errors of optimizers: ``warn``, ``raise``, ``ignore`` or ``pdb``."""
    return str(config.on_opt_error)


def report(error: Exception, what: object, node: object = None) -> None:
    """Log an error of an optimizer, or raise it, as the option ``on_opt_error`` says."""
    if _on_error() != "ignore":
        _logger.error("Optimization failure due to: %s", what)
        if node is not None:
            _logger.error("node: %s", node)
        _logger.error("TRACEBACK:\n%s", "".join(traceback.format_exception(error)))
    if isinstance(error, AssertionError) or _on_error() == "raise":
        raise error


class _Numbered:
    """An object that is hashed by a number, in the order in which objects were first hashed."""

    _optimizer_idx: int

    def __hash__(self) -> int:
        if "_optimizer_idx" not in self.__dict__:
            self._optimizer_idx = next(_numbers)
        return self._optimizer_idx

    def __eq__(self, other: object) -> bool:
        return self is other

    def _label(self) -> str:
        name = getattr(self, "__name__", None) or getattr(self, "name", None)
        return name or f"<{type(self).__name__} instance>"


# -- optimizers of graphs ------------------------------------------------------------------------


class Optimizer(_Numbered):
    """The base class of optimizers of graphs: subclasses have ``apply``."""

    name: str | None = None

    def apply(self, fgraph: Any) -> Any:
        """Change a graph."""

    def optimize(self, fgraph: Any, *args: Any, **kwargs: Any) -> Any:
        """Add the features that are needed, and change a graph."""
        self.add_requirements(fgraph)
        return self.apply(fgraph, *args, **kwargs)

    def __call__(self, fgraph: Any) -> Any:
        return self.optimize(fgraph)

    def add_requirements(self, fgraph: Any) -> None:
        """Add the features that are needed."""

    def print_summary(self, stream: Any = None, level: int = 0, depth: int = -1) -> None:
        """Print what it is."""
        text = f"{' ' * level}{type(self).__name__} {self.name} id={id(self)}"
        print(text, file=stream or sys.stdout)

    @staticmethod
    def print_profile(stream: Any, prof: Any, level: int = 0) -> None:
        """Print what ``apply`` has returned, if that is anything."""
        if prof is not None:
            print(f"{'    ' * level} {prof[0]}", file=stream)

    def __str__(self) -> str:
        return self._label()


class FromFunctionOptimizer(Optimizer):
    """An optimizer that is a function of a graph."""

    def __init__(
        self, fn: Callable[[Any], Any], requirements: Iterable[Callable[[Any], Any]] = ()
    ) -> None:
        self.fn = fn
        self.apply = fn
        self.requirements = tuple(requirements)
        self.__name__ = getattr(fn, "__name__", type(fn).__name__)

    def add_requirements(self, fgraph: Any) -> None:
        """Add the features that are needed."""
        for requirement in self.requirements:
            requirement(fgraph)


def optimizer(f: Callable[[Any], Any]) -> FromFunctionOptimizer:
    """Return the optimizer that is a function of a graph (a decorator)."""
    return FromFunctionOptimizer(f)


def _with_destroy_handler(fgraph: Any) -> None:
    fgraph.attach_feature(DestroyHandler())


def inplace_optimizer(f: Callable[[Any], Any]) -> FromFunctionOptimizer:
    """Return an optimizer that inserts ops that write into their inputs (a decorator)."""
    return FromFunctionOptimizer(f, (_with_destroy_handler,))


class SeqOptimizer(Optimizer, list[Any]):
    """Optimizers that are applied one after the other."""

    __hash__ = Optimizer.__hash__

    @staticmethod
    def warn(exc: Exception, self: Any, optimizer: Any) -> None:
        """Report an error."""
        report(exc, optimizer)

    def __init__(self, *opts: Any, failure_callback: Callable[..., Any] | None = None) -> None:
        given = opts[0] if len(opts) == 1 and isinstance(opts[0], list | tuple) else opts
        list.__init__(self, given)
        self.failure_callback = failure_callback

    def apply(self, fgraph: Any) -> Any:
        """Apply all of them."""
        results = []
        for item in self:
            try:
                results.append(item.optimize(fgraph))
            except AssertionError:  # noqa: PERF203
                raise
            except Exception as error:
                if self.failure_callback is None:
                    raise
                self.failure_callback(error, self, item)
        return self, results

    def __eq__(self, other: object) -> bool:
        return self is other

    def __str__(self) -> str:
        return f"SeqOpt({[str(item) for item in self]})"

    def print_summary(self, stream: Any = None, level: int = 0, depth: int = -1) -> None:
        """Print what it consists of."""
        super().print_summary(stream, level, depth)
        for item in self if depth else ():
            item.print_summary(stream, level=level + 2, depth=depth - 1)


# -- optimizers of nodes -------------------------------------------------------------------------


class LocalOptimizer(_Numbered):
    """The base class of optimizers of nodes: subclasses have ``transform``."""

    name: str | None = None

    def tracks(self) -> Sequence[Any] | None:
        """Return the ops, or their classes, to which it applies; None for any."""
        return None

    def transform(self, node: Apply) -> Any:
        """Return new variables for the outputs of a node, or False.

        A dict has new variables by those that they replace.
        """
        raise NotImplementedError(f"{type(self).__name__} has no transform")

    def add_requirements(self, fgraph: Any) -> None:
        """Add the features that are needed."""

    def print_summary(self, stream: Any = None, level: int = 0, depth: int = -1) -> None:
        """Print what it is."""
        print(f"{' ' * level}{self._label()} id={id(self)}", file=stream or sys.stdout)

    def __str__(self) -> str:
        return self._label()


class FromFunctionLocalOptimizer(LocalOptimizer):
    """An optimizer that is a function of a node."""

    def __init__(
        self,
        fn: Callable[[Apply], Any],
        tracks: Sequence[Any] | None = None,
        requirements: Iterable[Callable[[Any], Any]] = (),
    ) -> None:
        self.transform = fn
        self._tracks = tracks
        self.requirements = tuple(requirements)
        self.__name__ = getattr(fn, "__name__", type(fn).__name__)
        self.__doc__ = fn.__doc__

    def add_requirements(self, fgraph: Any) -> None:
        """Add the features that are needed."""
        for requirement in self.requirements:
            requirement(fgraph)

    def tracks(self) -> Sequence[Any] | None:
        """Return the ops, or their classes, to which it applies; None for any."""
        return self._tracks


def local_optimizer(
    tracks: Sequence[Any] | None,
    inplace: bool = False,
    requirements: Iterable[Callable[[Any], Any]] = (),
) -> Callable[[Callable[[Apply], Any]], FromFunctionLocalOptimizer]:
    """Return a decorator that makes an optimizer from a function of a node.

    Parameters
    ----------
    tracks
        Ops, or classes of ops, to which it applies; None for any.
    inplace
        Whether it inserts ops that write into their inputs.
    requirements
        Functions that add features to a graph.

    Raises
    ------
    ValueError
        If ``tracks`` is empty, or has anything else.
    """

    def decorate(function: Callable[[Apply], Any]) -> FromFunctionLocalOptimizer:
        where = f"local_optimizer: {function.__module__}.{function.__name__}"
        if tracks is not None and not tracks:
            raise ValueError(f"{where}: use None instead of an empty list to apply to all nodes")
        for item in tracks or ():
            if not isinstance(item, Op) and not (isinstance(item, type) and issubclass(item, Op)):
                raise ValueError(f"{where}: tracks are op classes or instances, not {item!r}")
        needed = (*requirements, *((_with_destroy_handler,) if inplace else ()))
        return FromFunctionLocalOptimizer(function, tracks, needed)

    return decorate


def applies_to(item: LocalOptimizer, node: Apply) -> bool:
    """Return whether an optimizer tracks the op of a node."""
    tracks = item.tracks()
    return tracks is None or any(
        isinstance(node.op, track) if isinstance(track, type) else node.op == track
        for track in tracks
    )


class LocalOptGroup(LocalOptimizer):
    """Optimizers of nodes of which the first one that applies is used.

    Parameters
    ----------
    apply_all_opts
        Whether all are tried again on what one has made, until none applies.
    profile
        Accepted and ignored.
    """

    def __init__(
        self, *optimizers: Any, apply_all_opts: bool = False, profile: Any = False
    ) -> None:
        given = optimizers[0] if len(optimizers) == 1 else optimizers
        self.opts = tuple(given) if isinstance(given, list | tuple) else (given,)
        self.apply_all_opts, self.profile = apply_all_opts, profile
        self.reentrant = any(getattr(item, "reentrant", True) for item in self.opts)
        self.retains_inputs = all(getattr(item, "retains_inputs", False) for item in self.opts)

    def tracks(self) -> Sequence[Any] | None:
        """Return the ops, or their classes, to which one of them applies; None for any."""
        tracks = [item.tracks() for item in self.opts]
        return None if None in tracks else [item for part in tracks for item in part or ()]

    def transform(self, node: Apply) -> Any:
        """Return what replaces the outputs of a node, or False."""
        result: Any = False
        while True:
            new = self._first(node)
            if not new:
                return result
            result = new
            made = list(new.values()) if isinstance(new, dict) else list(new)
            if not self.apply_all_opts or made[0] is None or made[0].owner is None:
                return result
            node = made[0].owner

    def _first(self, node: Apply) -> Any:
        for item in self.opts:
            if applies_to(item, node):
                new = item.transform(node)
                if new:
                    return new
        return False

    def add_requirements(self, fgraph: Any) -> None:
        """Add the features that are needed."""
        for item in self.opts:
            item.add_requirements(fgraph)

    def __str__(self) -> str:
        inner = ",".join(map(str, self.opts))
        return getattr(self, "__name__", None) or f"LocalOptGroup({inner})"


# -- small functions -----------------------------------------------------------------------------


def check_chain(r: Any, *chain: Any) -> bool:
    """Return whether a variable is computed by the ops of a chain, each from the next one's result.

    An item is an op, a class of ops, or None for a variable that nothing computes.
    """
    variable: Any = r.outputs[0] if isinstance(r, Apply) else r
    for place, item in enumerate(chain):
        owner = variable.owner
        if item is None or owner is None:
            if item is not None or owner is not None:
                return False
        elif not (isinstance(owner.op, item) if isinstance(item, type) else owner.op == item):
            return False
        if place + 1 < len(chain):
            if owner is None:
                return False
            variable = owner.inputs[0]
    return variable is not None


def copy_stack_trace(from_var: Any, to_var: Any) -> Any:
    """Return ``to_var``, whose variables now come from the line of ``from_var``."""
    sources = from_var if isinstance(from_var, list) else [from_var]
    origin = next((item.origin for item in sources if item.origin is not None), None)
    for item in to_var if isinstance(to_var, list) else [to_var]:
        if origin is not None:
            item.origin = origin
    return to_var


@contextmanager
def inherit_stack_trace(from_var: Any) -> Iterator[None]:
    """Return a context in which new variables come from the line of ``from_var``."""
    first = from_var[0] if isinstance(from_var, list) else from_var
    with origin_scope(first.origin):
        yield


def check_stack_trace(
    f_or_fgraph: Any, ops_to_check: Any = "last", bug_print: str = "raise"
) -> bool:
    """Return whether nodes of a function or graph know their lines."""
    fgraph = getattr(getattr(f_or_fgraph, "maker", None), "fgraph", f_or_fgraph)
    nodes = [item.owner for item in fgraph.outputs if item.owner is not None]
    if ops_to_check != "last":
        kinds = ops_to_check if isinstance(ops_to_check, list | tuple) else [ops_to_check]
        nodes = [node for node in fgraph.toposort() if any(_is_kind(node.op, k) for k in kinds)]
    return all(node.origin is not None for node in nodes)


def _is_kind(op: Any, kind: Any) -> bool:
    if kind == "all":
        return True
    if isinstance(kind, type):
        return isinstance(op, kind)
    return bool(kind(op)) if not isinstance(kind, Op) and callable(kind) else op == kind


def pre_constant_merge(vars: Sequence[Variable]) -> Sequence[Variable]:
    """Return the variables; equal constants are one when a function is made."""
    return vars


def pre_greedy_local_optimizer(list_optimizations: Sequence[Any], out: Variable) -> Variable:
    """Return a variable to which optimizers of nodes were applied, from its inputs up."""
    from symtheano.graph.walk import toposort

    new: dict[Variable, Variable] = {}
    for node in toposort([out]):
        rebuilt = node.clone_with_new_inputs([new.get(item, item) for item in node.inputs])
        results: Sequence[Variable] = rebuilt.outputs
        for item in list_optimizations:
            found = item.transform(rebuilt) if applies_to(item, rebuilt) else None
            if found:
                results = found
                if found[0].owner is None:
                    break
                rebuilt = found[0].owner
        new.update(zip(node.outputs, results, strict=True))
    return new.get(out, out)


class CheckStackTraceOptimization(Optimizer):
    """Does nothing: all nodes know their lines."""

"""function(): a graph becomes something to call."""

from __future__ import annotations

import gc
import time
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.config import Options, config
from symtheano.errors import NoCompilerError, format_error
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.walk import leaves, replace
from symtheano.interpret import interpret
from symtheano.modes import Mode, get_mode
from symtheano.request import Request
from symtheano.tensor.variable import TensorConstant

if TYPE_CHECKING:
    from symtheano.rewrites.trace import Trace

_LARGE_CONSTANT = 64


def function(
    inputs: Any = (),
    outputs: Any = None,
    mode: str | Mode | None = None,
    updates: Any = None,
    givens: Any = None,
    no_default_updates: bool | Sequence[Any] = False,
    accept_inplace: bool = False,
    name: str | None = None,
    rebuild_strict: bool = True,
    allow_input_downcast: bool | None = None,
    profile: bool | None = None,
    on_unused_input: str | None = None,
) -> Function:
    """Compile expressions into a callable.

    Parameters
    ----------
    inputs
        Variables whose values a call gives, in order.
    outputs
        A variable, a list, a dict of variables by name, or None.
    mode
        ``FAST_RUN``, ``FAST_COMPILE``, ``INTERPRET`` or a :class:`Mode`; default from ``config``.
    updates
        New values of shared variables after each call: a dict or pairs (shared, expression). All
        expressions see the old values. If a call fails no shared variable has changed.
    givens
        Replacements in the graph: a dict or pairs (variable, expression).
    no_default_updates
        Ignore ``default_update`` of all shared variables, or of those listed.
    name
        Name of the function, and of its C entry point.
    allow_input_downcast
        True converts inputs of any dtype, False none that may lose precision; None in addition
        lets Python floats become floatX.
    on_unused_input
        ``raise``, ``warn`` or ``ignore``.

    Returns
    -------
    A :class:`Function`; called, it returns one array, a list or a dict, as ``outputs`` was given.

    Raises
    ------
    MissingInputError
        If the outputs need a variable that is no input.
    UnusedInputError
        If an input is not used.
    TypeError
        If an update does not have the type of its shared variable.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> x = T.vector("x")
    >>> f = function([x], T.exp(x).sum())
    >>> float(f([0.0, 0.0]))
    2.0
    """
    started = time.perf_counter()
    options = config.snapshot()
    request = Request.read(inputs, outputs, updates, givens, no_default_updates)
    request.check_inputs(on_unused_input or options.on_unused_input)
    allow = options.allow_input_downcast if allow_input_downcast is None else allow_input_downcast
    chosen = get_mode(options.mode if mode is None else mode)
    with _collector_paused():
        made = Function(request, chosen, options, allow, name)
    made.times["total"] = time.perf_counter() - started
    return made


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause the garbage collector: a graph is a million small objects, none of them garbage."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


class Function:
    """A compiled function.

    Attributes
    ----------
    name
        Its name.
    user_graph, graph
        The graph as it was written, and after rewriting.
    trace
        What the rules did.
    c_source
        The C, or None under the interpreter.
    times
        Seconds that each part of compiling took.
    """

    def __init__(
        self,
        request: Request,
        mode: Mode,
        options: Options,
        allow_downcast: bool | None,
        name: str | None,
    ) -> None:
        self.name = name
        self.mode = mode
        self.trust_input = False
        self._request, self._options, self._allow = request, options, allow_downcast
        self.inputs: list[Any] = request.inputs
        self.shared: list[Any] = request.shared
        started = time.perf_counter()
        cut = {v: v.type.make_variable(v.name) for v in request.inputs if v.owner is not None}
        graph_inputs = [cut.get(v, v) for v in request.inputs]
        self.user_graph = FunctionGraph(
            [*graph_inputs, *request.shared], replace(request.all_outputs, cut)
        )
        from symtheano.rewrites.engine import Rewriter

        self._rewriter = Rewriter(mode.rules())
        rewritten = self._rewriter.rewrite(self.user_graph)
        self.graph, self._constants = _lift_large_constants(rewritten)
        self.times: dict[str, float] = {"rewrite": time.perf_counter() - started}
        self._compiled: Any = None
        self._run = self._make_run()

    @property
    def trace(self) -> Trace:
        """What the rules did."""
        return self._rewriter.trace

    @property
    def c_source(self) -> str | None:
        """The C text of the function; None under the interpreter."""
        return None if self._compiled is None else self._compiled.source.text

    @property
    def maker(self) -> Function:
        """Theano's programs look for ``f.maker.fgraph``."""
        return self

    @property
    def fgraph(self) -> FunctionGraph:
        """The graph after rewriting."""
        return self.graph

    # -- making -----------------------------------------------------------------------------------

    def _make_run(self) -> Callable[[list[Any]], list[Any]]:
        if self.mode.linker == "interpret":
            return self._interpret
        from symtheano.codegen.build import build

        try:
            self._compiled = build(
                self.graph,
                type(self._rewriter)(self._rewriter.rules),
                self._options,
                self._donors(),
                self.name or "function",
            )
        except NoCompilerError as error:
            warnings.warn(f"{error}\nFunctions run on the interpreter until then.", stacklevel=5)
            return self._interpret
        self.times.update(self._compiled.times)
        return self._compiled  # type: ignore[no-any-return]

    def _interpret(self, values: list[Any]) -> list[Any]:
        results = interpret(self.graph, values)
        taken: list[Any] = []
        for result in results:
            lent = any(np.may_share_memory(result, other) for other in (*values, *taken))
            own = result.flags.owndata and result.flags.c_contiguous and result.flags.writeable
            taken.append(result if own and not lent else np.array(result, order="C"))
        return taken

    def _donors(self) -> list[int | None]:
        first = len(self._request.inputs)
        places = {shared: first + k for k, shared in enumerate(self.shared)}
        return [
            *[None] * len(self._request.outputs),
            *(places[target] for target, _ in self._request.updates),
        ]

    # -- calling ----------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Compute the outputs for input values given in order or by name.

        Raises
        ------
        TypeError
            For a wrong number of inputs, an unknown name, or a value that does not fit.
        ShapeError, IndexError, ValueError
            Where the values' shapes or indices do not fit each other.
        """
        bound = self._bind(args, kwargs)
        values = [self._accept(v, x) for v, x in zip(self.inputs, bound, strict=True)]
        state = [_lendable(shared.container.value) for shared in self.shared]
        results = self._run([*self._apart(values, state), *state, *self._constants])
        count = len(self._request.outputs)
        for (target, _), value in zip(self._request.updates, results[count:], strict=True):
            target.container.value = value
        return self._request.shape_of_result(results[:count])

    def _bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        if not kwargs and len(args) == len(self.inputs):
            return list(args)
        bound = dict(enumerate(args))
        positions = {variable.name: k for k, variable in enumerate(self.inputs)}
        for key, value in kwargs.items():
            if key not in positions:
                raise TypeError(f"{self._label()} has no input named {key!r}")
            if positions[key] in bound:
                raise TypeError(f"{self._label()} got two values for input {key!r}")
            bound[positions[key]] = value
        missing = [v.describe() for k, v in enumerate(self.inputs) if k not in bound]
        if missing or len(bound) > len(self.inputs):
            names = ", ".join(variable.describe() for variable in self.inputs)
            raise TypeError(
                f"{self._label()} takes {len(self.inputs)} inputs ({names}), got "
                f"{len(args) + len(kwargs)}"
                + (f"; missing: {', '.join(missing)}" if missing else "")
            )
        return [bound[k] for k in range(len(self.inputs))]

    def _accept(self, variable: Any, value: Any) -> Any:
        if self.trust_input:
            return value
        try:
            array = variable.type.filter(value, allow_downcast=self._allow)
        except TypeError as error:
            raise TypeError(
                format_error(
                    f"{self._label()}: bad value for input {variable.describe()}: {error}",
                    places=[variable.origin],
                )
            ) from None
        return _lendable(array)

    def _apart(self, values: list[Any], state: Sequence[Any]) -> list[Any]:
        """Copy inputs that share memory with a variable which is written in place."""
        if not self._request.updates:
            return values
        return [
            np.array(value) if any(np.may_share_memory(value, own) for own in state) else value
            for value in values
        ]

    def _label(self) -> str:
        return f"function {self.name}" if self.name else "function"

    def get_shared(self) -> list[Any]:
        """Return the shared variables that the function uses."""
        return list(self.shared)

    def __repr__(self) -> str:
        return f"<{self._label()}: {len(self.inputs)} inputs, {len(self.graph.nodes)} nodes>"


def _lendable(array: Any) -> Any:
    """Return an array that compiled code can read: contiguous, aligned, in native byte order."""
    flags = array.flags
    if flags.c_contiguous and flags.aligned and array.dtype.isnative:
        return array
    return np.array(array, dtype=array.dtype.newbyteorder("="), order="C")


def _lift_large_constants(graph: FunctionGraph) -> tuple[FunctionGraph, list[Any]]:
    """Turn large constants into inputs, so that the code does not hold their numbers."""
    found = [
        item
        for item in leaves(graph.outputs)
        if isinstance(item, TensorConstant) and item.data.size > _LARGE_CONSTANT
    ]
    if not found:
        return graph, []
    stand_ins = {item: item.type.make_variable(item.name or "table") for item in found}
    outputs = replace(graph.outputs, stand_ins)
    inputs = [*graph.inputs, *stand_ins.values()]
    return FunctionGraph(inputs, outputs, graph.interner), [item.data for item in found]


def evaluate(variable: Any, inputs: Mapping[Any, Any] | None = None, **options: Any) -> Any:
    """Return the value of a variable for values of its inputs, compiling on first use.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> x = T.scalar("x")
    >>> float((x * 2).eval({x: 3.0}))
    6.0
    """
    values = dict(inputs or {})
    by_name = {item.name: item for item in leaves([variable]) if item.name is not None}
    given = {by_name[k] if isinstance(k, str) else k: v for k, v in values.items()}
    compiled = getattr(variable.tag, "compiled", None)
    if compiled is None or set(compiled.inputs) != set(given):
        compiled = function(list(given), variable, **options)
        variable.tag.compiled = compiled
    return compiled(*[given[item] for item in compiled.inputs])

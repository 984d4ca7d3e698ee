"""function(): compile a graph to a callable."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from symtheano.config import config
from symtheano.dataclass import replace
from symtheano.errors import format_error, memory_for
from symtheano.function.compiled import Asked, Function
from symtheano.function.making import FunctionRecipe
from symtheano.function.modes import Mode, get_mode
from symtheano.function.request import Distribution, Request
from symtheano.graph.eager import quiet
from symtheano.graph.origin import current_origin
from symtheano.graph.variable import Variable
from symtheano.graph.walk import leaves
from symtheano.keywords import explained
from symtheano.tensor.messages import build_message

DISTRIBUTIONS: dict[str, Callable[[], Distribution]] = {}
"""Functions that return distributions, by name; later packages add theirs."""


def distribution_of(choice: str | Distribution) -> Distribution:
    """Return a distribution, given itself or its name.

    Raises
    ------
    ValueError
        If there is none of this name.
    """
    if not isinstance(choice, str):
        return choice
    if choice not in DISTRIBUTIONS:
        names = ", ".join(map(repr, DISTRIBUTIONS))
        raise ValueError(build_message(f"function: distribute={choice!r} is not one of {names}"))
    return DISTRIBUTIONS[choice]()


@explained({"update": "updates", "given": "givens"})
def function(
    inputs: Any = (),
    outputs: Asked = None,  # type: ignore[assignment]
    mode: str | Mode | None = None,
    updates: Any = None,
    givens: Any = None,
    no_default_updates: bool | Sequence[Any] = False,
    accept_inplace: bool = False,
    name: str | None = None,
    rebuild_strict: bool = True,
    allow_input_downcast: bool | None = None,
    profile: Any = None,
    on_unused_input: str | None = None,
    device: str | None = None,
    distribute: str | Distribution | None = None,
) -> Function[Asked]:
    """Compile expressions into a callable.

    Parameters
    ----------
    inputs
        Variables whose values are passed in a call, in this order. An item can be an :class:`In`,
        with a default value and options.
    outputs
        A variable, a list of variables, a dict of variables by name, or None. Variables may be
        wrapped in :class:`Out`.
    mode
        ``FAST_RUN``, ``FAST_COMPILE``, ``INTERPRET`` or a :class:`Mode`; by default
        ``config.mode``.
    updates
        New values of shared variables after each call: a dict, or pairs (shared variable,
        expression). All expressions use the old values. If a call fails, no shared variable
        changes.
    givens
        Replacements in the graph: a dict or pairs (variable, expression).
    no_default_updates
        True to ignore the ``default_update`` of all shared variables, or a list of shared variables
        whose ``default_update`` is ignored.
    accept_inplace
        Accepted for compatibility with Theano; user graphs contain no in-place ops.
    name
        Name of the function, and of its C entry point.
    rebuild_strict
        If False, ``givens`` may replace variables by expressions of another type.
    allow_input_downcast
        Whether inputs may lose precision when they are converted. True allows any conversion. False
        allows none with a loss. None (default) allows only that of Python floats to floatX.
    profile
        Whether to measure calls; see ``Function.profile``.
    on_unused_input
        What to do about an input that is not used: ``raise``, ``warn`` or ``ignore``.
    device
        Where it runs: ``cpu``, ``cuda``, ``cuda:1`` ..., or ``emulated``; by default
        ``config.device``. On a device, arguments may be arrays that are there, shared variables
        stay there, and so do results that are ``Out(..., borrow=True)``; others are NumPy arrays.
    distribute
        ``"mpi"``: each of the processes that ``mpiexec`` has started calls the function with its
        own part of a batch. Gradients that :func:`grad` has made by shared variables that the
        function updates, and costs among the outputs, become means over the whole batch. A
        :class:`symtheano.distributed.DataParallel` has options. See ``docs/distributed.md``.

    Returns
    -------
    A :class:`Function`. Calling it returns one array, a list or a dict, according to ``outputs``.

    Raises
    ------
    MissingInputError
        If the outputs depend on a variable that is not an input.
    UnusedInputError
        If an input is not used.
    TypeError
        If an update does not have the type of its shared variable.
    DeviceError
        If the device is not there.

    Examples
    --------
    >>> x = T.vector("x")
    >>> f = function([x], T.exp(x).sum())
    >>> float(f([0.0, 0.0]))
    2.0
    """
    started = time.perf_counter()
    options = config.snapshot()
    if device is not None:
        options = replace(options, device=device)
    plan = None if distribute is None else distribution_of(distribute)
    with memory_for("function"), quiet():
        request = Request.read(
            inputs, outputs, updates, givens, no_default_updates, rebuild_strict, plan
        )
    request.check_inputs(on_unused_input or options.on_unused_input)
    allow = options.allow_input_downcast if allow_input_downcast is None else allow_input_downcast
    chosen = get_mode(mode, options)
    wanted = options.profile if profile is None else bool(profile)
    with memory_for("function"), quiet():
        recipe = FunctionRecipe(chosen, options, allow, current_origin(), plan)
        compiled = recipe.make(request, name, wanted)
    compiled.times["total"] = time.perf_counter() - started
    return compiled


def evaluate(variable: Any, inputs: Mapping[Any, Any] | None = None, **options: Any) -> Any:
    """Return the value of a variable for given values of its inputs.

    The function is compiled on the first use.

    Examples
    --------
    >>> x = T.scalar("x")
    >>> float((x * 2).eval({x: 3.0}))
    6.0
    """
    values: Any = {} if inputs is None else inputs
    if not isinstance(values, Mapping):
        what = f"eval: the values of inputs are a dict, not {type(values).__name__}"
        hint = "x.eval({y: 1.0}) gives y the value 1"
        raise TypeError(format_error(what, places=[variable.origin], hint=hint))
    by_name = {item.name: item for item in leaves([variable]) if item.name is not None}
    for key in values:
        if isinstance(key, str) and key not in by_name:
            raise TypeError(
                format_error(
                    f"eval: {variable.describe()} does not depend on {key!r}",
                    places=[variable.origin],
                    hint=f"it depends on {', '.join(sorted(by_name)) or 'nothing'}",
                )
            )
        if not isinstance(key, str | Variable):
            raise TypeError(f"eval: keys must be variables or their names, got {key!r}")
    by_variable = {by_name[k] if isinstance(k, str) else k: v for k, v in values.items()}
    compiled = getattr(variable.tag, "compiled", None)
    if compiled is None or set(compiled.inputs) != set(by_variable) or options:
        compiled = function(list(by_variable), variable, **options)
        if not options:
            variable.tag.compiled = compiled
    return compiled(*[by_variable[item] for item in compiled.inputs])

"""Test values: the value of an expression, for example inputs, while it is being built.

With ``config.compute_test_value``, every op that is called is also computed, from the values in
``tag.test_value`` of its inputs. A shape that does not fit is then an error in the user's line.
Nodes made by the compiler, or from placeholders without values, are computed when they are needed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from threading import local
from typing import ParamSpec, TypeVar
from weakref import WeakSet

from symtheano.config import config
from symtheano.errors import MisfitError, MissingTestValueError, format_error, format_misfit
from symtheano.graph.claims import Value
from symtheano.graph.op import Op
from symtheano.graph.origin import current_origin, user_stacklevel
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Apply, Constant, Variable

P = ParamSpec("P")
R = TypeVar("R")

perform: Callable[[Apply, list[Value]], list[Value]] | None = None
"""Function that runs one node on values, with checks; set by ``symtheano/__init__.py``."""

_ABSENT = object()


class _Scope(local):
    quiet: bool = False


_scope = _Scope()
# Nodes that had no test value when they were made. They get none later.
_without: WeakSet[Apply] = WeakSet()


def active() -> bool:
    """Return whether ops that are called now are also computed."""
    return config.compute_test_value != "off" and not _scope.quiet


@contextmanager
def quiet() -> Iterator[None]:
    """Compute nothing inside the block, because its inputs have no values."""
    before, _scope.quiet = _scope.quiet, True
    try:
        yield
    finally:
        _scope.quiet = before


def quietly(build: Callable[P, R]) -> Callable[P, R]:
    """Return ``build`` with nothing computed while it runs, and its results computed afterwards."""

    @wraps(build)
    def built(*args: P.args, **kwargs: P.kwargs) -> R:
        if not active():
            return build(*args, **kwargs)
        with quiet():
            result = build(*args, **kwargs)
        for item in result if isinstance(result, list | tuple) else [result]:
            if isinstance(item, Variable) and item.owner is not None:
                compute(item.owner)
        return result

    return built


def get_test_value(variable: Variable) -> Value:
    """Return the test value of a variable: that of its tag, or its value if it has one.

    Raises
    ------
    MissingTestValueError
        If there is none. It is a ``ValueError`` and an ``AttributeError``.
    TypeError
        If ``tag.test_value`` is not a value of the variable's type.

    Examples
    --------
    >>> x = T.vector("x")
    >>> x.tag.test_value = [1.0, 2.0]
    >>> get_test_value(x), int(get_test_value(T.constant(3)))
    (array([1., 2.]), 3)
    """
    value = _stored_value(variable)
    if value is _ABSENT and variable.owner is not None:
        _compute_late(variable.owner)
        value = _stored_value(variable)
    if value is _ABSENT:
        raise MissingTestValueError(
            format_error(
                f"{variable.describe()} has no test value",
                operands=[(variable.describe(), str(variable.type))],
                places=[variable.origin],
                hint="set its tag.test_value",
            )
        )
    return value


def compute(node: Apply) -> None:
    """Compute a new node if all of its inputs have test values.

    ``config.compute_test_value`` determines what happens if a value is missing.

    Raises
    ------
    MissingTestValueError
        If it is ``raise``.
    Exception
        Whatever the op raises for the values of its inputs.
    """
    if not active():
        return
    try:
        if node.outputs and _stored_value(node.outputs[0]) is _ABSENT:
            _run(node)
    except MissingTestValueError as error:
        _without.add(node)
        _report(node, error)


Op.compute_test_value = staticmethod(compute)


def _stored_value(variable: Variable) -> Value:
    """Return the value that a variable has without computing anything."""
    if isinstance(variable, Constant):
        return variable.data
    if variable._tag is not None and hasattr(variable._tag, "test_value"):
        value = variable._tag.test_value
        return value if variable.owner is not None else _filtered(variable, value)
    if isinstance(variable, SharedVariable):
        return variable.get_value(borrow=True)
    return _ABSENT


def _filtered(variable: Variable, value: object) -> Value:
    try:
        return variable.type.filter(value)
    except TypeError as error:
        name = variable.describe()
        raise MisfitError(
            format_misfit(
                f"compute_test_value: bad test value of {name}",
                error,
                value,
                wanted=(name, str(variable.type)),
                places=[current_origin(), variable.origin],
            )
        ) from None


def _run(node: Apply) -> None:
    """Compute a node and keep its results as test values."""
    values = [get_test_value(item) for item in node.inputs]
    assert perform is not None
    with quiet():
        inlined = node.op.inlined(node.inputs)
        if inlined is None:
            results = perform(node, values)
        else:
            results = [get_test_value(item) for item in inlined]
    for output, result in zip(node.outputs, results, strict=True):
        output.tag.test_value = result


def _compute_late(last: Apply) -> None:
    """Compute a node that was made in silence, after what it needs; no recursion."""
    waiting = [last]
    while waiting:
        node = waiting[-1]
        if _stored_value(node.outputs[0]) is not _ABSENT:
            waiting.pop()
            continue
        absent = [item for item in node.inputs if _stored_value(item) is _ABSENT]
        if node in _without or any(item.owner is None for item in absent):
            _without.update(waiting)
            return
        if absent:
            waiting.extend(item.owner for item in absent)
        else:
            _run(waiting.pop())


def _report(node: Apply, error: MissingTestValueError) -> None:
    absent = [(k, item) for k, item in enumerate(node.inputs) if _stored_value(item) is _ABSENT]
    mode = config.compute_test_value
    if mode == "ignore" or not absent:
        return
    position, item = absent[0]
    message = format_error(
        f"compute_test_value: input {position} ({item.describe()}) of {node.op} has no test value",
        operands=[(item.describe(), str(item.type))],
        places=[node.origin, item.origin],
        hint="set its tag.test_value, or config.compute_test_value = 'ignore'",
    )
    if mode == "warn":
        warnings.warn(message, stacklevel=user_stacklevel())
        return
    if mode == "pdb":
        import pdb

        pdb.post_mortem(error.__traceback__)
    raise MissingTestValueError(message) from None

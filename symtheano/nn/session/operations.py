"""Operations, which a session runs for their effects: assignments, steps of optimizers, groups."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn.session.deferred import Conditions, Deferred, record
from symtheano.nn.session.graph import Graph, get_default_graph

Updates = Mapping[Any, Any]


class Operation:
    """An operation of the default graph, which a session runs for its effects.

    Fetching an operation returns None, unless it has a result.

    Parameters
    ----------
    name
        The name of the operation. A number is appended if the name is taken.
    updates
        A function of the conditions of a run. It returns a mapping from shared variables to the
        expressions of their new values.
    result
        An array whose value is returned if the operation is fetched, or None.
    after
        Functions without arguments that are called after the run.
    """

    def __init__(
        self,
        name: str,
        updates: Callable[[Conditions], Updates] = lambda conditions: {},
        result: Any = None,
        after: Sequence[Callable[[], None]] = (),
    ) -> None:
        graph = get_default_graph()
        self.name, self.updates, self.result = graph.unique(name), updates, result
        self.after = tuple(after)
        graph.operations.append(self)

    def __repr__(self) -> str:
        return f"<operation {self.name}>"


def assign(variable: Any, value: Any) -> Operation:
    """Return an operation that sets a variable. Fetching it returns the new value.

    Parameters
    ----------
    variable
        The variable to set.
    value
        The new value: an expression with the shape of the variable, or a number for all elements.
        Floats are not converted to integers.

    Raises
    ------
    TypeError
        If ``variable`` is not a variable, or the dtype of the value does not fit.

    Examples
    --------
    >>> count = nn.Variable(0, "count")
    >>> session, step = nn.Session(), nn.assign_add(count, 1)
    >>> [int(session.run(step)) for _ in range(3)]
    [1, 2, 3]
    """
    if not hasattr(variable, "get_value"):
        raise TypeError(f"assign takes a variable first, not {variable!r}")
    new = record(converted, value, variable)
    return Operation(f"assign {variable}", lambda conditions: {variable: conditions(new)}, new)


def assign_add(variable: Any, value: Any) -> Operation:
    """Return an operation that adds a value to a variable. Fetching it returns the new value."""
    return assign(variable, variable + value)


def assign_sub(variable: Any, value: Any) -> Operation:
    """Return an operation that subtracts a value from a variable.

    Fetching the operation returns the new value.
    """
    return assign(variable, variable - value)


def converted(value: Any, variable: Any) -> Any:
    """Return an expression, converted to the dtype and the shape of a variable."""
    value = T.as_tensor_variable(value)
    if not np.can_cast(value.dtype, variable.dtype, "same_kind"):
        raise TypeError(
            f"assign: {variable} is {variable.dtype}, but the value is {value.dtype}; use nn.cast"
        )
    new = T.cast(value, variable.dtype)
    if new.ndim < variable.ndim:
        new = T.zeros_like(variable) + new
    return T.specify_shape(new, variable.get_value(borrow=True).shape) if new.ndim else new


def group(*operations: Operation) -> Operation:
    """Return an operation that runs several operations at once.

    All of them compute new values from the same old values.
    """
    for one in operations:
        if not isinstance(one, Operation):
            raise TypeError(f"group takes operations, not {one!r}")
    return Operation(
        "group",
        lambda conditions: merged([(one, one.updates(conditions)) for one in operations]),
        after=[call for one in operations for call in one.after],
    )


def no_op() -> Operation:
    """Return an operation that does nothing."""
    return Operation("no_op")


def merged(pairs: Sequence[tuple[Operation, Updates]]) -> dict[Any, Any]:
    """Return the updates of several operations.

    Raises
    ------
    ValueError
        If two of them set a variable to different expressions.
    """
    all_updates: dict[Any, Any] = {}
    for one, updates in pairs:
        for variable, new in updates.items():
            if all_updates.setdefault(variable, new) is not new:
                raise ValueError(
                    f"two operations of one run set {variable}, the second one is {one!r}; run "
                    "them in separate runs"
                )
    return all_updates


def global_variables_initializer() -> Operation:
    """Return an operation that resets all variables of the default graph to their initial values.

    Variables have their initial values from the beginning, so a program needs this operation only
    to begin again. The parameters of layers and the states of optimizers are reset, too.
    """
    graph = get_default_graph()

    def reset() -> None:
        for variable, initial in graph.variables.items():
            variable.set_value(initial())

    return Operation("global_variables_initializer", after=[reset])


def gradients(ys: Any, xs: Any) -> list[Any]:
    """Return the gradients of the sum of all elements of ``ys`` with respect to each of ``xs``.

    Parameters
    ----------
    ys
        An array, or a list of arrays.
    xs
        A list of the arrays to differentiate with respect to, such as variables and placeholders.

    Returns
    -------
    A list with a gradient for each of ``xs``, with the shape of that array.

    Examples
    --------
    >>> x = nn.placeholder("float32")
    >>> (slope,) = nn.gradients(x**3, [x])
    >>> nn.Session().run(slope, {x: [1, 2]})
    array([ 3., 12.], dtype=float32)
    """
    costs = list(ys) if isinstance(ys, list | tuple) else [ys]
    wrt = list(xs) if isinstance(xs, list | tuple) else [xs]
    all_gradients = record(gradients_of, costs, wrt)
    return [record(operator.getitem, all_gradients, k) for k in range(len(wrt))]


def gradients_of(costs: list[Any], wrt: list[Any]) -> list[Any]:
    """Return the gradients of the sum of all elements of expressions."""
    total = sum((cost.sum() for cost in costs[1:]), costs[0].sum())
    return list(symtheano.grad(total, wrt))


def minimize(optimizer: Any, loss: Any, var_list: Any = None) -> Operation:
    """Return an operation that takes one step of an optimizer.

    Running it also updates the running statistics of the layers that the loss depends on.

    Parameters
    ----------
    optimizer
        The optimizer.
    loss
        The loss, a 0-d array. Layers in it compute what they compute in training. The penalties of
        layers are not added: add ``y.penalty`` to the loss, where y is the output of the last
        layer.
    var_list
        The variables to change. None: all trainable variables that the loss depends on.
    """
    if not (is_symbolic(loss) or isinstance(loss, Deferred)):
        raise TypeError(f"minimize: the loss must be a symbolic array, not {loss!r}")
    graph = get_default_graph()
    alone = isinstance(var_list, symtheano.Variable)
    chosen = None if var_list is None else [var_list] if alone else list(var_list)

    def updates(conditions: Conditions) -> Updates:
        return step(graph, optimizer, conditions.in_training()(loss), chosen)

    if isinstance(loss, Deferred):
        return Operation("minimize", updates)
    step_updates = step(graph, optimizer, loss, chosen)
    return Operation("minimize", lambda conditions: step_updates)


def step(graph: Graph, optimizer: Any, cost: Any, chosen: list[Any] | None) -> Updates:
    """Return the updates of one step: parameters, state, running statistics."""
    if not is_symbolic(cost):
        raise TypeError(f"minimize: the loss must be a symbolic array, not {cost!r}")
    if cost.ndim:
        raise ValueError(
            f"minimize: the loss must be 0-d, but has {cost.ndim} axes; use nn.reduce_mean or "
            "nn.reduce_sum"
        )
    needed = ancestors([cost])
    variables = [v for v in graph.trainable if v in needed] if chosen is None else chosen
    if not variables:
        raise ValueError("minimize: the loss does not depend on a trainable variable of the graph")
    updates = dict(optimizer.updates(cost, variables))
    for variable in variables:
        if variable in graph.constraints:
            updates[variable] = graph.constraints[variable](updates[variable])
    for value in graph.values:
        if value.train in needed:
            updates.update(value.own_updates)
    for variable in optimizer.state.values():
        graph.add_variable(variable, variable.get_value().copy, False)
    return updates


def is_symbolic(item: Any) -> bool:
    """Return whether something is a symbolic array."""
    return isinstance(item, symtheano.Variable)


def ancestors(outputs: Sequence[Any], stop: Sequence[Any] = ()) -> set[Any]:
    """Return all variables that expressions depend on, including the expressions themselves.

    The search does not go beyond the variables of ``stop``.
    """
    boundary, seen, stack = set(stop), set(outputs), list(outputs)
    while stack:
        variable = stack.pop()
        if variable.owner is not None and variable not in boundary:
            new = [v for v in variable.owner.inputs if v not in seen]
            seen.update(new)
            stack += new
    return seen

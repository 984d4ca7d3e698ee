"""What a session runs for its effects, and functions by the names that they have in TensorFlow."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano.nn.losses.crossentropy import categorical_crossentropy
from symtheano.nn.session.deferred import Conditions, Deferred, record
from symtheano.nn.session.graph import Graph, get_default_graph

Updates = Mapping[Any, Any]


class Operation:
    """Something that is run for its effects; fetching it returns None.

    It belongs to the default graph, whose ``operations`` it is added to.

    Parameters
    ----------
    name
        What it does, which a number is added to if the graph has another one of this name.
    updates
        Returns new values by shared variables, for the conditions of a run.
    result
        What fetching it returns instead of None.
    after
        Functions that are called after the run.
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
    """Return the operation that sets a variable; fetching it returns the new value.

    Parameters
    ----------
    variable
        The variable.
    value
        Its new value, an expression of its shape, or a number for all elements. Floats are not
        converted to integers.

    Raises
    ------
    TypeError
        If ``variable`` is none, or the dtype of the value does not fit.

    Examples
    --------
    >>> from symtheano import nn
    >>> count = nn.Variable(0, "count")
    >>> session, step = nn.Session(), nn.assign_add(count, 1)
    >>> [int(session.run(step)) for _ in range(3)]
    [1, 2, 3]
    """
    if not hasattr(variable, "get_value"):
        raise TypeError(f"assign: a variable expected, not {variable!r}")
    new = record(converted, value, variable)
    return Operation(f"assign {variable}", lambda given: {variable: given(new)}, new)


def assign_add(variable: Any, value: Any) -> Operation:
    """Return the operation that adds to a variable; fetching it returns the new value."""
    return assign(variable, variable + value)


def assign_sub(variable: Any, value: Any) -> Operation:
    """Return the operation that subtracts from a variable; fetching it returns the new value."""
    return assign(variable, variable - value)


def converted(value: Any, variable: Any) -> Any:
    """Return an expression with the dtype of a variable, and at least as many axes."""
    value = T.as_tensor_variable(value)
    if not np.can_cast(value.dtype, variable.dtype, "same_kind"):
        raise TypeError(f"assign: {variable} is {variable.dtype}, not {value.dtype}; use nn.cast")
    new = T.cast(value, variable.dtype)
    if new.ndim < variable.ndim:
        new = T.zeros_like(variable) + new
    return T.specify_shape(new, variable.get_value(borrow=True).shape) if new.ndim else new


def group(*operations: Operation) -> Operation:
    """Return the operation that does what all of these do, each from the same old values."""
    for one in operations:
        if not isinstance(one, Operation):
            raise TypeError(f"group: operations expected, not {one!r}")
    return Operation(
        "group",
        lambda conditions: merged([(one, one.updates(conditions)) for one in operations]),
        after=[call for one in operations for call in one.after],
    )


def no_op() -> Operation:
    """Return an operation that does nothing."""
    return Operation("no_op")


def merged(found: Sequence[tuple[Operation, Updates]]) -> dict[Any, Any]:
    """Return the updates of several operations.

    Raises
    ------
    ValueError
        If two of them set a variable to different expressions.
    """
    all_updates: dict[Any, Any] = {}
    for one, updates in found:
        for variable, new in updates.items():
            if all_updates.setdefault(variable, new) is not new:
                raise ValueError(
                    f"two operations of one run set {variable}, the second one is {one!r}; run "
                    "them one after the other"
                )
    return all_updates


def global_variables_initializer() -> Operation:
    """Return the operation that gives all variables of the default graph their initial values.

    They have them from the beginning, so it is needed only to begin again. Layers' parameters and
    the state of optimizers are variables, too.
    """
    graph = get_default_graph()

    def reset() -> None:
        for variable, initial in graph.variables.items():
            variable.set_value(initial())

    return Operation("global_variables_initializer", after=[reset])


def gradients(ys: Any, xs: Any) -> list[Any]:
    """Return the gradients of the sum of all elements of ``ys`` with respect to each of ``xs``.

    Examples
    --------
    >>> from symtheano import nn
    >>> x = nn.placeholder("float32")
    >>> (slope,) = nn.gradients(x**3, [x])
    >>> nn.Session().run(slope, {x: [1, 2]})
    array([ 3., 12.], dtype=float32)
    """
    costs = list(ys) if isinstance(ys, list | tuple) else [ys]
    wrt = list(xs) if isinstance(xs, list | tuple) else [xs]
    found = record(gradients_of, costs, wrt)
    return [record(operator.getitem, found, k) for k in range(len(wrt))]


def gradients_of(costs: list[Any], wrt: list[Any]) -> list[Any]:
    """Return gradients of expressions."""
    total = sum((cost.sum() for cost in costs[1:]), costs[0].sum())
    return list(symtheano.grad(total, wrt))


def minimize(optimizer: Any, loss: Any, var_list: Any = None) -> Operation:
    """Return the operation of one step of an optimizer.

    Running it also updates the running statistics of the layers that the loss depends on.

    Parameters
    ----------
    optimizer
        An optimizer.
    loss
        A 0-d array. Outputs of layers in it are those of training. Penalties of layers are part of
        it only if it contains them, as ``y.penalty``.
    var_list
        The variables to change; by default all trainable ones that the loss depends on.
    """
    graph = get_default_graph()
    alone = isinstance(var_list, symtheano.Variable)
    chosen = None if var_list is None else [var_list] if alone else list(var_list)

    def updates(conditions: Conditions) -> Updates:
        return step(graph, optimizer, conditions.in_training()(loss), chosen)

    if isinstance(loss, Deferred):
        return Operation("minimize", updates)
    found = step(graph, optimizer, loss, chosen)
    return Operation("minimize", lambda conditions: found)


def step(graph: Graph, optimizer: Any, cost: Any, chosen: list[Any] | None) -> Updates:
    """Return the updates of one step: parameters, state, running statistics."""
    if cost.ndim:
        raise ValueError(
            f"minimize: the loss has {cost.ndim} axes; take nn.reduce_mean or nn.reduce_sum of it"
        )
    needed = ancestors([cost])
    variables = [v for v in graph.trainable if v in needed] if chosen is None else chosen
    if not variables:
        raise ValueError("minimize: the loss depends on no trainable variable of the graph")
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


def ancestors(outputs: Sequence[Any], stop: Sequence[Any] = ()) -> set[Any]:
    """Return all variables that expressions depend on, themselves included."""
    given, seen, stack = set(stop), set(outputs), list(outputs)
    while stack:
        variable = stack.pop()
        if variable.owner is not None and variable not in given:
            new = [v for v in variable.owner.inputs if v not in seen]
            seen.update(new)
            stack += new
    return seen


def reduce(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a reduction with TensorFlow's arguments."""

    def call(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
        axes = tuple(axis) if isinstance(axis, list) else axis
        return function(x, axis=axes, keepdims=keepdims)

    return call


def cross_entropy(labels: Any, logits: Any) -> Any:
    """Return the cross entropy of each sample, for integers or rows of probabilities."""
    return categorical_crossentropy(logits, labels, from_logits=True, reduction=None)


def binary_cross_entropy(labels: Any, logits: Any) -> Any:
    """Return the cross entropy of each element, which is finite for all logits."""
    return T.nnet.softplus(logits) - labels * logits


def swapped(x: Any) -> Any:
    """Return an array with the last two axes exchanged."""
    x = T.as_tensor_variable(x)
    return x.dimshuffle(*range(x.ndim - 2), x.ndim - 1, x.ndim - 2)


OPERATIONS: dict[str, Callable[..., Any]] = {
    "abs": T.abs,
    "add": T.add,
    "argmax": T.argmax,
    "argmin": T.argmin,
    "cast": T.cast,
    "ceil": T.ceil,
    "clip_by_value": T.clip,
    "concat": lambda values, axis: T.concatenate(values, axis=axis),
    "cos": T.cos,
    "cumsum": lambda x, axis=0: T.cumsum(x, axis=axis),
    "divide": T.true_div,
    "equal": T.eq,
    "exp": T.exp,
    "expand_dims": T.expand_dims,
    "floor": T.floor,
    "gather": lambda x, indices, axis=0: T.take(x, indices, axis=axis),
    "greater": T.gt,
    "greater_equal": T.ge,
    "less": T.lt,
    "less_equal": T.le,
    "log": T.log,
    "log_softmax": lambda x, axis=-1: T.nnet.logsoftmax(x, axis=axis),
    "logical_and": T.and_,
    "logical_not": T.invert,
    "logical_or": T.or_,
    "matmul": lambda a, b, transpose_a=False, transpose_b=False: T.matmul(
        swapped(a) if transpose_a else a, swapped(b) if transpose_b else b
    ),
    "maximum": T.maximum,
    "minimum": T.minimum,
    "mod": T.mod,
    "multiply": T.mul,
    "not_equal": T.neq,
    "one_hot": lambda x, depth, dtype="float32": T.extra_ops.to_one_hot(x, depth, dtype=dtype),
    "ones_like": T.ones_like,
    "pow": T.pow,
    "reduce_all": reduce(T.all),
    "reduce_any": reduce(T.any),
    "reduce_logsumexp": reduce(T.logsumexp),
    "reduce_max": reduce(T.max),
    "reduce_mean": reduce(T.mean),
    "reduce_min": reduce(T.min),
    "reduce_prod": reduce(T.prod),
    "reduce_sum": reduce(T.sum),
    "relu": T.nnet.relu,
    "round": T.round,
    "rsqrt": lambda x: T.inv(T.sqrt(x)),
    "sigmoid": T.nnet.sigmoid,
    "sigmoid_cross_entropy_with_logits": binary_cross_entropy,
    "sign": T.sgn,
    "sin": T.sin,
    "softmax": lambda x, axis=-1: T.nnet.softmax(x, axis=axis),
    "softmax_cross_entropy_with_logits": cross_entropy,
    "softplus": T.nnet.softplus,
    "sparse_softmax_cross_entropy_with_logits": cross_entropy,
    "sqrt": T.sqrt,
    "square": T.sqr,
    "squeeze": T.squeeze,
    "stack": T.stack,
    "stop_gradient": symtheano.gradient.disconnected_grad,
    "subtract": T.sub,
    "tanh": T.tanh,
    "tensordot": T.tensordot,
    "tile": T.tile,
    "transpose": lambda x, perm=None: T.transpose(x, perm),
    "where": T.where,
    "zeros_like": T.zeros_like,
}
"""Functions by name: of symbolic arrays, placeholders of any shape and outputs of layers."""


def __getattr__(name: str) -> Any:
    """Return a function of the table that takes anything from which arrays are computed."""
    if name not in OPERATIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function = OPERATIONS[name]

    def call(*args: Any, **options: Any) -> Any:
        return record(function, *args, **options)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Return ``{name}`` of arrays, placeholders or outputs of layers."
    globals()[name] = call
    return call

"""The traversal from results to inputs. The results of pullbacks are checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symtheano import dtypes
from symtheano.errors import describe_value, format_error
from symtheano.graph.arms import arms_of, boundary, has_arms, needed
from symtheano.graph.origin import current_origin, origin_scope
from symtheano.graph.type import DisconnectedType, NullType
from symtheano.graph.variable import Apply, Variable
from symtheano.graph.walk import toposort
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.elemwise import gradient_like
from symtheano.tensor.messages import label
from symtheano.tensor.variable import TensorMixin


def backward(
    start: Mapping[Variable, Any],
    wrt: Sequence[Variable],
    constants: Iterable[Variable] = (),
    fixed: Iterable[Variable] = (),
) -> dict[Variable, Any]:
    """Return the gradient of every variable on the paths; None means zero.

    Parameters
    ----------
    start
        Initial gradients. Gradients from other paths are added to them.
    wrt
        Variables whose gradients are required.
    constants
        Variables whose gradient is not propagated.
    fixed
        Variables of ``start`` whose gradient is exactly the given one.
    """
    stop, final = set(constants), set(fixed)
    nodes = toposort(start, stop)
    on_path = _reaches(nodes, wrt, stop)
    # What only an arm needs is differentiated in the arm, so that it is computed only there.
    outside = needed([*start, *wrt], stop) if has_arms(nodes) else None
    sums = {item: g for item, g in start.items() if not isinstance(g.type, DisconnectedType)}
    for node in reversed(nodes):
        if node not in on_path:
            continue
        output_grads = [
            _MISSING if item in stop else sums.get(item, _MISSING) for item in node.outputs
        ]
        if all(item is _MISSING for item in output_grads):
            continue
        with origin_scope(node.origin):
            if outside is not None and node.op.has_arms:
                pulled = _pull_arms(node, output_grads, outside, stop, on_path, wrt)
            else:
                pulled = list(zip(node.inputs, _pull_live(node, output_grads), strict=True))
        for item, contribution in pulled:
            if contribution is not _MISSING and item not in final:
                _accumulate(sums, item, contribution, node)
    return sums


def as_variable(value: Any) -> Any:
    """Return a value as a symbolic array, or a sparse matrix as a symbolic one.

    Raises
    ------
    AsTensorError
        If it can't be converted to an array.

    Examples
    --------
    >>> as_variable(2.0)
    TensorConstant{2.0}
    """
    # Sparse matrices have a format, arrays do not: the sparse package is loaded only for them.
    if isinstance(getattr(value, "format", None), str):
        from symtheano.sparse.csm import as_sparse_variable

        return as_sparse_variable(value)
    return as_tensor_variable(value)


def check_whole(what: str, variables: Iterable[Any]) -> None:
    """Reject computed sparse matrices: other nodes use their components instead.

    Raises
    ------
    NotImplementedError
        If one of the variables is such a matrix.
    """
    for item in variables:
        if item.owner is None or not isinstance(getattr(item, "format", None), str):
            continue
        from symtheano.sparse.csm import CSM

        if isinstance(item.owner.op, CSM):
            raise NotImplementedError(
                format_error(
                    f"{what} can't be a computed sparse matrix: other operations use the "
                    "components of the matrix instead",
                    operands=[(label(item), str(item.type))],
                    places=[current_origin(), item.origin],
                    hint="use the inputs of its computation, or its elements: csm_data(matrix)",
                )
            )


_MISSING: Any = object()


def _reaches(nodes: Sequence[Apply], wrt: Sequence[Variable], stop: set[Variable]) -> set[Apply]:
    """Return the nodes on paths from ``wrt``."""
    live: set[Variable] = set(wrt)
    on_path: set[Apply] = set()
    for node in nodes:
        if any(item in live for item in node.inputs):
            on_path.add(node)
            live.update(item for item in node.outputs if item not in stop)
    return on_path


def _pull_arms(
    node: Apply,
    output_grads: Sequence[Any],
    outside: set[Variable],
    stop: set[Variable],
    on_path: set[Apply],
    wrt: Sequence[Variable],
) -> list[tuple[Variable, Any]]:
    """Return the gradients of what both arms of a node are computed from.

    They are chosen by the condition of the node, each computed in its arm.
    """
    live = set(wrt)
    sides: list[dict[Variable, Any]] = []
    for arm in arms_of(node):
        start: dict[Variable, Any] = {}
        for item, output, g in zip(arm, node.outputs, output_grads, strict=True):
            if g is not _MISSING:
                _accumulate(start, item, None if _is_discrete(output) else g, node)
        ends = [v for v in boundary(list(start), outside) if v in live or v.owner in on_path]
        nonzero = {item: g for item, g in start.items() if g is not None}
        pulled = backward(nonzero, ends, stop | outside) if ends and nonzero else {}
        sides.append({v: pulled.get(v) for v in ends})
    return _chosen(node, *sides)


def _chosen(
    node: Apply, first: Mapping[Variable, Any], second: Mapping[Variable, Any]
) -> list[tuple[Variable, Any]]:
    """Return gradients that are those of one of two arms; None is zero."""
    pulled: list[tuple[Variable, Any]] = []
    chosen: list[tuple[Any, Any, Any]] = []
    for item in dict.fromkeys([*first, *second]):
        pair = [side.get(item) for side in (first, second)]
        nonzero = [g for g in pair if g is not None]
        broken = next((g for g in nonzero if isinstance(g.type, NullType)), None)
        if not nonzero or broken is not None:
            pulled.append((item, broken))
            continue
        one, other = (
            as_tensor_variable(item).zeros_like(nonzero[0].dtype) if g is None else g for g in pair
        )
        chosen.append((item, one, other))
    if chosen:
        items, ones, others = zip(*chosen, strict=True)
        pulled += zip(items, node.op.chosen(node, ones, others, items), strict=True)
    return pulled


def _accumulate(sums: dict[Variable, Any], item: Variable, new: Any, node: Apply) -> None:
    old = sums.get(item)
    if old is None:
        sums[item] = new
    elif new is None:
        return
    elif isinstance(old.type, NullType) or isinstance(new.type, NullType):
        sums[item] = old if isinstance(old.type, NullType) else new
    else:
        with origin_scope(node.origin):
            sums[item] = old + new


def _pull_live(node: Apply, output_grads: list[Any]) -> list[Any]:
    """Call one node's pullback; gradients may be missing, results missing or None (zero)."""
    pattern = node.op.connection_pattern(node)
    live = [item is not _MISSING for item in output_grads]
    connected = [any(a and b for a, b in zip(row, live, strict=True)) for row in pattern]
    if not any(connected):
        return [_MISSING] * len(connected)
    if all(map(_is_discrete, node.outputs)):
        return [None if flag else _MISSING for flag in connected]
    # An input that is connected to an undefined gradient has an undefined one; others do not.
    nulls = [g if _is_null(g) else None for g in output_grads]
    broken = [next((g for a, g in zip(row, nulls, strict=True) if a and g is not None), None)
              for row in pattern]  # fmt: skip
    whole = [flag and null is None for flag, null in zip(connected, broken, strict=True)]
    known = [None if g is _MISSING or _is_null(g) else g for g in output_grads]
    grads = [
        zeros_for(output) if g is None or _is_discrete(output) else g
        for output, g in zip(node.outputs, known, strict=True)
    ]
    zero = all(g is None for g in known)
    pulled = [None] * len(connected) if zero or not any(whole) else pull(node, grads)
    return [
        null if null is not None else g if flag else _MISSING
        for null, g, flag in zip(broken, pulled, whole, strict=True)
    ]


def _is_null(gradient: Any) -> bool:
    return gradient is not None and gradient is not _MISSING and isinstance(gradient.type, NullType)


def _is_discrete(variable: Any) -> bool:
    return dtypes.is_discrete(getattr(variable, "dtype", ""))


def pull(node: Apply, grads: list[Any]) -> list[Any]:
    """Call one node's pullback and check its results.

    Return for each input a gradient with its dtype (a float for integers) and number of dimensions,
    None if it is zero, or a variable of :class:`NullType` if it is undefined.
    """
    pulled: Any
    try:
        pulled = node.op.pullback(list(node.inputs), list(node.outputs), grads)
    except NotImplementedError as error:
        why = str(error)
        if type(node.op).__name__ not in why:
            why = f"{node.op}: {why or 'it has no gradient'}"
        return [Variable(NullType(why))] * len(node.inputs)
    if not isinstance(pulled, list | tuple) or len(pulled) != len(node.inputs):
        counted = (
            f"the gradient has {len(pulled)} items"
            if isinstance(pulled, list | tuple)
            else f"the gradient is not a list but {describe_value(pulled)},"
        )
        raise ValueError(
            format_error(
                f"{node.op}: {counted} for {len(node.inputs)} inputs",
                places=[node.origin],
                hint="return a list with one item per input",
            )
        )
    return [_checked(node, item, g) for item, g in zip(node.inputs, pulled, strict=True)]


def _checked(node: Apply, item: Any, gradient: Any) -> Any:
    if gradient is None:
        return None
    if not isinstance(gradient, Variable):
        raise TypeError(
            format_error(
                f"{node.op}: the gradient of an input is {describe_value(gradient)}, which is "
                "not a symbolic variable",
                operands=[(item.describe(), str(item.type))],
                places=[node.origin],
                hint="compute it from the inputs and output_grads",
            )
        )
    if is_missing(gradient):
        return _MISSING
    if isinstance(gradient.type, NullType):
        return gradient
    shown: Any = gradient
    if shown.ndim != item.ndim:
        raise ValueError(
            format_error(
                f"{node.op}: the gradient of an input has {shown.ndim} dims, but the input "
                f"has {item.ndim}",
                operands=[(item.describe(), str(item.type))],
                places=[node.origin],
            )
        )
    return gradient_like(shown, item)


def is_missing(gradient: Any) -> bool:
    """Return whether a gradient is missing: None, or of :class:`DisconnectedType`."""
    if gradient is None or gradient is _MISSING:
        return True
    return isinstance(gradient.type, DisconnectedType)


def zeros_for(output: Any) -> Any:
    """Return a zero gradient of an output's dtype, or a disconnected one if it is not an array."""
    if not isinstance(output, TensorMixin):
        return Variable(DisconnectedType())
    return output.zeros_like()

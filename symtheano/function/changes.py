"""The updates, default updates and givens of ``function()``, checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from symtheano.errors import MisfitError, describe_value, format_error, format_misfit
from symtheano.gradient.backward import as_variable, check_whole
from symtheano.graph.origin import current_origin
from symtheano.graph.shared import Container, SharedVariable
from symtheano.graph.variable import Variable
from symtheano.graph.walk import leaves, replace
from symtheano.tensor.messages import build_message
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorConstant


def _pairs(pairs: Any, what: str) -> list[tuple[Any, Any]]:
    if pairs is None:
        return []
    if isinstance(pairs, Variable) or not hasattr(pairs, "__iter__"):
        raise TypeError(
            build_message(
                f"function: {what} must be a dict or a list of pairs, got {describe_value(pairs)}",
                hint=f"give {what}=[(variable, expression)] or a dict",
            )
        )
    items = list(pairs.items()) if isinstance(pairs, Mapping) else list(pairs)
    for item in items:
        if not isinstance(item, tuple | list) or len(item) != 2:
            raise ValueError(
                build_message(
                    f"function: {what} must be pairs (variable, expression), got "
                    f"{describe_value(item)}",
                    hint=f"give {what}=[(variable, expression)] or a dict",
                )
            )
    return [(item[0], item[1]) for item in items]


def read_updates(updates: Any) -> list[tuple[Any, Any]]:
    """Return pairs of a shared variable and its new value, checked."""
    pairs = _pairs(updates, "updates")
    for target, _ in pairs:
        if not isinstance(target, SharedVariable):
            operands = [target] if isinstance(target, Variable) else []
            raise TypeError(
                build_message(
                    f"function: {target!r} is updated but is not a shared variable",
                    *operands,
                    hint="make it with shared(value)",
                )
            )
    return [(target, as_variable(new)) for target, new in pairs]


def check_targets(pairs: Sequence[tuple[Any, Any]]) -> None:
    """Raise ValueError if two updates concern one value, which inputs may share with variables."""
    seen: dict[int, list[Any]] = {}
    for target, new in pairs:
        owner = target if isinstance(target, SharedVariable) else target.value
        container = owner.container if isinstance(owner, SharedVariable) else owner
        if not isinstance(container, Container):  # the input gets one of its own
            container = target
        variable = getattr(target, "variable", target)
        earlier = seen.setdefault(id(container), [])
        earlier += [variable, new]
        if len(earlier) > 2:
            other = earlier[0]
            same = "" if other is variable else f": {other.describe()} has the same container"
            raise ValueError(
                format_error(
                    f"function: {variable.describe()} is updated twice{same}",
                    operands=[(variable.describe(), str(variable.type))],
                    places=[current_origin(), earlier[1].origin, new.origin],
                    hint="give each shared variable one new value",
                )
            )


def add_default_updates(
    roots: Sequence[Any],
    pairs: list[tuple[Any, Any]],
    excluded: Any,
    replacements: Mapping[Any, Any],
    inputs: Iterable[Any] = (),
) -> None:
    """Append to ``pairs`` the default updates of the shared variables that expressions use.

    Expressions and default updates are searched after replacement: a variable that givens replace
    is not used. A variable that a loop updates gets its value after the loop, as if the updates
    that ``scan`` returns were given.

    Parameters
    ----------
    roots
        The expressions.
    pairs
        The given updates; the default updates of these variables are ignored.
    excluded
        ``no_default_updates`` of ``function``.
    replacements
        From :func:`read_givens`.
    inputs
        The inputs of the function. What computes one is not used: its value is given in the call.
    """
    if excluded is True:
        return
    known = set(inputs)
    refused = set(excluded or ()) | {target for target, _ in pairs}
    waiting = replaced(roots, replacements)
    while waiting:
        variables = [
            v for v in leaves(waiting, known)
            if isinstance(v, SharedVariable) and v.default_update is not None and v not in refused
        ]  # fmt: skip
        of_loops = _updates_of_loops(waiting, known) if variables else {}
        expressions = [as_variable(of_loops.get(v, v.default_update)) for v in variables]
        pairs += zip(variables, expressions, strict=True)
        refused.update(variables)
        waiting = replaced(expressions, replacements)


def _updates_of_loops(roots: Sequence[Any], inputs: Iterable[Any]) -> dict[Variable, Any]:
    from symtheano.loops.updated import updates_of_loops

    return updates_of_loops(roots, inputs)


def fit_update(target: Any, new: Any) -> Any:
    """Return an update converted to its variable's type, or raise an error."""
    new = as_variable(new)
    if target.type.accepts(new.type):
        return new
    if _differ_in_lengths(new.type, target.type):
        from symtheano.tensor.shapes.static_shape import specify_shape

        return specify_shape(new, target.type.shape)
    if isinstance(new, TensorConstant) and new.ndim == target.type.ndim:
        data = target.type.filter(new.data, allow_downcast=True)
        return as_variable(data)
    raise TypeError(
        format_error(
            f"function: the update of {target.describe()} has another type than the variable",
            operands=[(target.describe(), str(target.type)), ("update", str(new.type))],
            places=[current_origin(), new.origin, target.origin],
            hint=_type_hint("update", target.type, new.type),
        )
    )


def _differ_in_lengths(got: Any, wanted: Any) -> bool:
    """Return whether two types have the same dtype and number of dimensions."""
    if not (isinstance(got, TensorType) and isinstance(wanted, TensorType)):
        return False
    return got.dtype == wanted.dtype and got.ndim == wanted.ndim


def _type_hint(what: str, wanted: Any, got: Any) -> str:
    """Return a hint how to convert an expression to the required type."""
    formats = [getattr(kind, "format", None) for kind in (wanted, got)]
    if formats[0] != formats[1]:
        if formats[0] is None:
            return f"make it dense: {what}.toarray()"
        convert = f"{formats[0]}_from_dense({what})"
        if formats[1] is not None:
            convert = f"to_format({what}, {formats[0]!r})"
        return f"convert it: sparse.{convert}"
    if wanted.dtype != got.dtype:
        return f"cast it: {what}.astype({wanted.dtype!r})"
    return f"convert it from {got.ndim} to {wanted.ndim} dims (reshape, dimshuffle or a reduction)"


def read_givens(givens: Any, strict: bool) -> dict[Any, Any]:
    """Return the replacement of each variable in givens."""
    replacements: dict[Any, Any] = {}
    for old, new in _pairs(givens, "givens"):
        if not isinstance(old, Variable):
            raise TypeError(
                build_message(
                    f"function: givens can only replace variables, got {describe_value(old)}"
                )
            )
        check_whole("function: a variable that givens replace", [old])
        if old in replacements:
            raise ValueError(build_message(f"function: givens replace {old.describe()} twice", old))
        replacements[old] = _fit_given(old, as_variable(new), strict)
    return replacements


def replaced(roots: Sequence[Any], replacements: Mapping[Any, Any]) -> list[Any]:
    """Return expressions with variables replaced by givens."""
    return list(replace(roots, dict(replacements))) if replacements and roots else list(roots)


def _fit_given(old: Any, new: Any, strict: bool) -> Any:
    if not strict or old.type.accepts(new.type):
        return new
    if _differ_in_lengths(new.type, old.type):
        from symtheano.tensor.shapes.static_shape import specify_shape

        return specify_shape(new, old.type.shape)
    if isinstance(new, TensorConstant):
        return _constant_given(old, new)
    raise TypeError(
        format_error(
            f"function: givens replace {old.describe()} by a value of another type",
            operands=[(old.describe(), str(old.type)), ("given", str(new.type))],
            places=[current_origin(), new.origin, old.origin],
            hint=_type_hint("given", old.type, new.type),
        )
    )


def _constant_given(old: Any, new: Any) -> Any:
    """Return a constant converted to the type of the variable that it replaces."""
    try:
        return as_variable(old.type.filter(new.data))
    except MisfitError as error:
        name = old.describe()
        raise MisfitError(
            format_misfit(
                f"function: bad value for {name} in givens",
                error,
                new.data,
                wanted=(name, str(old.type)),
                places=[current_origin(), old.origin],
            )
        ) from None

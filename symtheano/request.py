"""The arguments of ``function()``, checked and normalized."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from typing import Any

from symtheano.errors import (
    MisfitError,
    MissingInputError,
    UnusedInputError,
    describe_value,
    format_error,
    format_misfit,
)
from symtheano.gradient.backward import as_variable, check_whole
from symtheano.graph.origin import current_origin, user_stacklevel
from symtheano.graph.shared import Container, SharedVariable
from symtheano.graph.sources import expressed_by
from symtheano.graph.variable import Constant, Variable
from symtheano.graph.walk import ancestors, leaves, replace
from symtheano.tensor.messages import build_message
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorConstant


class In:
    """An input of a function, with options.

    Parameters
    ----------
    variable
        The variable.
    name
        Name of the keyword argument; by default the name of the variable.
    value
        Default value: an array, a number, or the container of another function or shared variable,
        which is then shared. None if the input is required.
    update
        New value of the container after each call.
    mutable
        Theano's permission to overwrite the caller's array. Accepted and ignored.
    strict
        Accept only arrays of exactly the right dtype.
    allow_downcast
        As ``allow_input_downcast`` of ``function``, for this input.
    autoname
        Whether to use the variable's name if ``name`` is not given.
    implicit
        If True, the input can't be passed in a call; its value is that of the container.
    borrow
        Accepted and ignored; arrays that fit are never copied.
    shared
        Accepted for compatibility with Theano.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> from symtheano import function
    >>> x, n = T.scalars("x", "n")
    >>> f = function([x, In(n, value=2.0)], x**n)
    >>> float(f(3)), float(f(3, n=3))
    (9.0, 27.0)
    """

    def __init__(
        self,
        variable: Any,
        name: str | None = None,
        value: Any = None,
        update: Any = None,
        mutable: bool | None = None,
        strict: bool = False,
        allow_downcast: bool | None = None,
        autoname: bool = True,
        implicit: bool | None = None,
        borrow: bool | None = None,
        shared: bool = False,
    ) -> None:
        _check_input(variable)
        if implicit and value is None:
            raise TypeError(
                build_message(
                    f"In: {variable.describe()} is implicit, so no call gives it",
                    variable,
                    hint="give it a value",
                )
            )
        if update is not None and value is None:
            raise TypeError(
                build_message(
                    f"In: {variable.describe()} has an update and no value to start from",
                    variable,
                    hint="give it a value",
                )
            )
        self.variable = variable
        self.name = name if name is not None or not autoname else variable.name
        self.value = value
        self.update = None if update is None else as_variable(update)
        self.mutable = bool(update is not None if mutable is None else mutable)
        self.strict = strict
        self.allow_downcast = allow_downcast
        self.implicit = bool(implicit)
        self.borrow = bool(borrow)
        self.shared = shared

    def container(self) -> Container | None:
        """Return the container of the default value; None if the input is required."""
        if self.value is None or isinstance(self.value, Container):
            return self.value
        kind = self.variable.type
        if isinstance(self.value, SharedVariable):
            return self.value.container
        try:
            value = kind.filter(self.value, allow_downcast=self.allow_downcast)
        except TypeError as error:
            name = self.variable.describe()
            raise MisfitError(
                format_misfit(
                    f"In: bad default for input {name}",
                    error,
                    self.value,
                    wanted=(name, str(kind)),
                    places=[current_origin(), self.variable.origin],
                )
            ) from None
        return Container(kind, value)

    def with_value(self, container: Container | None) -> In:
        """Return this input with another container."""
        twin = copy(self)
        twin.value = container
        return twin

    def __repr__(self) -> str:
        return f"In({self.variable!r})"


class Out:
    """An output of a function.

    Parameters
    ----------
    variable
        The expression.
    borrow
        Accepted and ignored; outputs never share memory with other arrays.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> from symtheano import function
    >>> x = T.scalar("x")
    >>> float(function([x], Out(x * 2, borrow=True))(3))
    6.0
    """

    def __init__(self, variable: Any, borrow: bool = False) -> None:
        self.variable = as_variable(variable)
        self.borrow = borrow

    def __repr__(self) -> str:
        return f"Out({self.variable!r}, borrow={self.borrow})"


@dataclass(eq=False)
class Request:
    """The normalized arguments of ``function()``.

    Attributes
    ----------
    given
        The inputs, with their names, defaults and options.
    outputs
        Expressions.
    updates
        Pairs (container owner, expression): shared variables, or inputs with an update.
    keys
        Form of the result: ``None`` for a list, ``()`` for a single output, or the keys of a dict.
    shared
        The shared variables that are read or updated.
    replacing
        The replacements by ``givens`` of variables from which the expressions were made. They need
        not be part of the expressions any more.
    """

    given: list[In]
    outputs: list[Any]
    updates: list[tuple[Any, Any]]
    keys: tuple[Any, ...] | None
    shared: list[Any] = field(default_factory=list)
    replacing: list[Any] = field(default_factory=list)

    @staticmethod
    def read(
        inputs: Any,
        outputs: Any,
        updates: Any,
        givens: Any,
        no_default_updates: Any,
        strict: bool = True,
    ) -> Request:
        """Read the arguments of ``function``."""
        given = _read_inputs(inputs)
        listed, keys = _read_outputs(outputs)
        pairs = _read_updates(updates)
        pairs += _default_updates([*listed, *(new for _, new in pairs)], pairs, no_default_updates)
        targets = [target for target, _ in pairs]
        own = [item for item in given if item.update is not None]
        everything = [*listed, *(new for _, new in pairs), *(item.update for item in own)]
        written = everything
        everything, replacements = _apply_givens(everything, givens, strict)
        news = [
            _fit_update(target, new)
            for target, new in zip(
                [*targets, *(item.variable for item in own)],
                everything[len(listed) :],
                strict=True,
            )
        ]
        request = Request(
            given,
            everything[: len(listed)],
            list(zip([*targets, *own], news, strict=True)),
            keys,
        )
        found = [v for v in leaves([*request.outputs, *news]) if isinstance(v, SharedVariable)]
        request.shared = list(dict.fromkeys([*found, *targets]))
        if replacements:
            made_from = expressed_by(written)
            request.replacing = [replacements[item] for item in made_from if item in replacements]
        return request

    @property
    def inputs(self) -> list[Any]:
        """The variables of the inputs."""
        return [item.variable for item in self.given]

    @property
    def all_outputs(self) -> list[Any]:
        """The outputs, followed by the new values of shared variables."""
        return [*self.outputs, *(new for _, new in self.updates)]

    @property
    def donors(self) -> list[int | None]:
        """For each of :attr:`all_outputs`, the shared variable whose memory it may use."""
        first = len(self.given)
        places = {variable: first + k for k, variable in enumerate(self.shared)}
        return [None] * len(self.outputs) + [places.get(target) for target, _ in self.updates]

    def shape_of_result(self, values: list[Any]) -> Any:
        """Return the values of the outputs in the form of ``outputs``."""
        if self.keys is None:
            return values
        return dict(zip(self.keys, values, strict=True)) if self.keys else values[0]

    def swapped(self, swap: dict[Any, Any], delete_updates: bool) -> Request:
        """Return this request with other shared variables, or without updates."""
        for old, new in swap.items():
            if old not in self.shared:
                raise ValueError(
                    build_message(
                        f"copy: {describe_value(old)} is no shared variable of this function",
                        *self.shared,
                        hint="swap one of these",
                    )
                )
            if not isinstance(new, SharedVariable) or new.type != old.type:
                raise TypeError(
                    format_error(
                        f"copy: {old.describe()} can be swapped for a shared variable of its type "
                        "only",
                        operands=[("old", str(old.type)), ("new", str(getattr(new, "type", new)))],
                        places=[current_origin(), old.origin],
                    )
                )
        updates = [] if delete_updates else self.updates
        expressions = [*self.outputs, *(new for _, new in updates)]
        if swap:
            expressions = replace(expressions, swap)
        count = len(self.outputs)
        pairs = [
            (swap.get(target, target), new)
            for (target, _), new in zip(updates, expressions[count:], strict=True)
        ]
        found = [v for v in leaves(expressions) if isinstance(v, SharedVariable)]
        targets = [target for target, _ in pairs if isinstance(target, SharedVariable)]
        shared = list(dict.fromkeys([*found, *targets]))
        return Request(self.given, expressions[:count], pairs, self.keys, shared)

    def with_containers(self, containers: Sequence[Container | None]) -> Request:
        """Return this request with the containers of a function as the values of its inputs."""
        twins = {item: item.with_value(c) for item, c in zip(self.given, containers, strict=True)}
        updates = [(twins.get(target, target), new) for target, new in self.updates]
        return Request(list(twins.values()), self.outputs, updates, self.keys, self.shared)

    def check_inputs(self, on_unused: str) -> None:
        """Raise errors for missing inputs and for unused inputs."""
        if on_unused not in ("raise", "warn", "ignore"):
            raise ValueError(
                build_message(
                    f"function: on_unused_input={on_unused!r} is none of raise, warn, ignore"
                )
            )
        known = {*self.inputs, *self.shared}
        for variable in ancestors(self.all_outputs, self.inputs):
            given = variable in known or isinstance(variable, Constant)
            if variable.owner is None and not given:
                raise MissingInputError(
                    build_message(
                        f"function: {variable.describe()} is needed and not among the inputs",
                        variable,
                        hint="add it to the inputs, or replace it by givens",
                    )
                )
        used = set(expressed_by([*self.all_outputs, *self.replacing], self.inputs))
        for item in self.given:
            variable = item.variable
            if variable in used or item.update is not None or on_unused == "ignore":
                continue
            message = build_message(
                f"function: input {variable.describe()} is not used",
                variable,
                hint="leave it out, or pass on_unused_input='ignore'",
            )
            if on_unused == "raise":
                raise UnusedInputError(message)
            warnings.warn(message, stacklevel=user_stacklevel())


# -- inputs --------------------------------------------------------------------------------------


def _read_inputs(inputs: Any) -> list[In]:
    listed = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    given = [_read_input(item) for item in listed]
    seen = set()
    for variable in (item.variable for item in given):
        if variable in seen:
            raise ValueError(
                build_message(f"function: {variable.describe()} is given as input twice", variable)
            )
        seen.add(variable)
    return given


def _read_input(item: Any) -> In:
    """Read a variable, an :class:`In`, or Theano's ([name,] variable [, value]) with its variants.

    ``((variable, update), value)`` is the form with an update.
    """
    if isinstance(item, In):
        return item
    if not isinstance(item, list | tuple):
        return In(item)
    parts = list(item)
    name = parts.pop(0) if parts and isinstance(parts[0], str) else None
    if len(parts) == 2 and isinstance(parts[0], list | tuple) and len(parts[0]) == 2:
        (variable, update), value = parts
        return In(variable, name=name, value=value, update=update)
    if len(parts) in (1, 2):
        return In(parts[0], name=name, value=parts[1] if len(parts) == 2 else None)
    raise TypeError(
        build_message(
            f"function: {describe_value(item)} is no input",
            hint="an input is a variable, In(variable, ...), (variable, default value) or "
            "((variable, update), default value)",
        )
    )


def _check_input(item: Any) -> None:
    if not isinstance(item, Variable):
        raise TypeError(
            build_message(
                f"function: input {describe_value(item)} is not a variable",
                hint="give a list of symbolic variables; values are given in the call",
            )
        )
    check_whole("function: an input", [item])
    if isinstance(item, Constant):
        raise TypeError(build_message(f"function: the constant {item} can't be an input", item))
    if isinstance(item, SharedVariable):
        raise TypeError(
            build_message(
                f"function: the shared variable {item.describe()} can't be an input; it keeps its "
                "own value",
                item,
                hint="leave it out: functions find it themselves. Use givens to replace it",
            )
        )


# -- outputs -------------------------------------------------------------------------------------


def _read_outputs(outputs: Any) -> tuple[list[Any], tuple[Any, ...] | None]:
    if outputs is None:
        return [], None
    if isinstance(outputs, Mapping):
        keys = tuple(outputs)
        return [_read_output(outputs[key]) for key in keys], keys or None
    if isinstance(outputs, list | tuple):
        return [_read_output(item) for item in outputs], None
    return [_read_output(outputs)], ()


def _read_output(output: Any) -> Any:
    return output.variable if isinstance(output, Out) else as_variable(output)


# -- updates and givens --------------------------------------------------------------------------


def _pairs(given: Any, what: str) -> list[tuple[Any, Any]]:
    if given is None:
        return []
    items = list(given.items()) if isinstance(given, Mapping) else list(given)
    for item in items:
        if not isinstance(item, tuple | list) or len(item) != 2:
            raise ValueError(
                build_message(
                    f"function: {what} are pairs (variable, expression), got "
                    f"{describe_value(item)}",
                    hint=f"give {what}=[(variable, expression)] or a dict",
                )
            )
    return [(item[0], item[1]) for item in items]


def _read_updates(updates: Any) -> list[tuple[SharedVariable, Any]]:
    pairs = _pairs(updates, "updates")
    seen: set[Any] = set()
    for target, new in pairs:
        if not isinstance(target, SharedVariable):
            known = [target] if isinstance(target, Variable) else []
            raise TypeError(
                build_message(
                    f"function: {target!r} is updated and is not a shared variable; only those "
                    "keep a value from call to call",
                    *known,
                    hint="make it with shared(value)",
                )
            )
        if target in seen:
            raise ValueError(
                format_error(
                    f"function: {target.describe()} is updated twice",
                    operands=[(target.describe(), str(target.type))],
                    places=[
                        current_origin(),
                        *(getattr(other, "origin", None) for t, other in pairs if t is target),
                    ],
                    hint="give each shared variable one new value",
                )
            )
        seen.add(target)
        del new
    return [(target, as_variable(new)) for target, new in pairs]


def _default_updates(
    roots: Sequence[Any], pairs: Sequence[tuple[Any, Any]], no_default_updates: Any
) -> list[tuple[SharedVariable, Any]]:
    if no_default_updates is True:
        return []
    refused = set(no_default_updates or ()) | {target for target, _ in pairs}
    found: list[tuple[SharedVariable, Any]] = []
    waiting = list(roots)
    while waiting:
        variables = [v for v in leaves(waiting) if isinstance(v, SharedVariable)]
        waiting = []
        for variable in variables:
            new = variable.default_update
            if new is not None and variable not in refused:
                refused.add(variable)
                found.append((variable, new))
                waiting.append(new)
    return found


def _fit_update(target: Any, new: Any) -> Any:
    """Return an update converted to its variable's type, or raise an error."""
    new = as_variable(new)
    if target.type.accepts(new.type):
        return new
    if _differ_in_lengths(new.type, target.type):
        from symtheano.tensor.static_shape import specify_shape

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
    return f"bring it from {got.ndim} to {wanted.ndim} dims (reshape, dimshuffle or a reduction)"


def _apply_givens(roots: list[Any], givens: Any, strict: bool) -> tuple[list[Any], dict[Any, Any]]:
    """Return expressions with the givens substituted, and the replacements."""
    pairs = _pairs(givens, "givens")
    if not pairs:
        return roots, {}
    replacements: dict[Any, Any] = {}
    for old, new in pairs:
        if not isinstance(old, Variable):
            raise TypeError(
                build_message(
                    f"function: givens replace variables, and {describe_value(old)} is none"
                )
            )
        check_whole("function: what givens replace", [old])
        if old in replacements:
            raise ValueError(build_message(f"function: givens replace {old.describe()} twice", old))
        replacements[old] = _fit_given(old, as_variable(new), strict)
    return replace(roots, replacements), replacements


def _fit_given(old: Any, new: Any, strict: bool) -> Any:
    if not strict or old.type.accepts(new.type):
        return new
    if _differ_in_lengths(new.type, old.type):
        from symtheano.tensor.static_shape import specify_shape

        return specify_shape(new, old.type.shape)
    if isinstance(new, TensorConstant):
        return as_variable(old.type.filter(new.data))
    raise TypeError(
        format_error(
            f"function: givens replace {old.describe()} by another type",
            operands=[(old.describe(), str(old.type)), ("given", str(new.type))],
            places=[current_origin(), new.origin, old.origin],
            hint=_type_hint("given", old.type, new.type),
        )
    )

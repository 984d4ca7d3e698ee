"""The arguments of ``function()``, checked and normalized."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any, Protocol

from symtheano.dataclass import dataclass, field
from symtheano.errors import (
    DuplicateInputError,
    MisfitError,
    MissingInputError,
    UnusedInputError,
    describe_value,
    format_error,
    format_misfit,
)
from symtheano.function.changes import (
    add_default_updates,
    check_targets,
    fit_update,
    read_givens,
    read_updates,
    replaced,
)
from symtheano.gradient.backward import as_variable, check_whole
from symtheano.graph.fields import is_own
from symtheano.graph.origin import current_origin, user_stacklevel
from symtheano.graph.shared import Container, SharedVariable
from symtheano.graph.sources import differentiated, expressed_by, is_made
from symtheano.graph.variable import Constant, Variable
from symtheano.graph.walk import ancestors, leaves, replace
from symtheano.tensor.conversion import standing_for
from symtheano.tensor.messages import build_message
from symtheano.tensor.variable import TensorSharedVariable


class In:
    """An input of a function, with options.

    Parameters
    ----------
    variable
        The variable.
    name
        The name of the keyword argument in calls; by default the name of the variable.
    value
        The default value: an array, a number, or a container. If it is the container of another
        function or of a shared variable, the value is shared with it. None if the input is
        required.
    update
        An expression for the new value of the container after each call, computed from the value in
        the call.
    mutable
        Theano's permission to overwrite the caller's array. Accepted and ignored.
    strict
        Accept only arrays of exactly the right dtype.
    allow_downcast
        As ``allow_input_downcast`` of ``function``, for this input only.
    autoname
        Whether to use the variable's name if ``name`` is not given.
    implicit
        Whether the input can't be passed in a call, so that its value is always that of the
        container. By default true if ``value`` is the container of another function or of a shared
        variable.
    borrow
        Accepted and ignored; arrays that fit are never copied.
    shared
        Accepted for compatibility with Theano.

    Examples
    --------
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
        _check_name(variable, name)
        if implicit and value is None:
            raise TypeError(
                build_message(
                    f"In: {variable.describe()} is implicit and has no value",
                    variable,
                    hint="pass value=...",
                )
            )
        if update is not None and value is None:
            raise TypeError(
                build_message(
                    f"In: {variable.describe()} has an update but no initial value",
                    variable,
                    hint="pass value=...",
                )
            )
        self.variable = variable
        self.name = name if name is not None or not autoname else variable.name
        self.value = value
        self.update = None if update is None else as_variable(update)
        self.mutable = bool(update is not None if mutable is None else mutable)
        self.strict = strict
        self.allow_downcast = allow_downcast
        if implicit is None:
            implicit = isinstance(value, Container | SharedVariable)
        self.implicit = implicit
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
        Whether a function for a device returns it as a
        :class:`~symtheano.codegen.runtime.device_array.DeviceArray`, which stays there, and not as
        a NumPy array. Functions for the processor ignore it; outputs never share memory with other
        arrays.

    Examples
    --------
    >>> from symtheano import function
    >>> x = T.scalar("x")
    >>> float(function([x], Out(x * 2, borrow=True))(3))
    6.0
    """

    def __init__(self, variable: Any, borrow: bool = False) -> None:
        self.variable = _read_output(variable)
        self.borrow = borrow

    def __repr__(self) -> str:
        return f"Out({self.variable!r}, borrow={self.borrow})"


class Distribution(Protocol):
    """How a function runs in several processes, each with its own arguments."""

    def spread(
        self, inputs: Sequence[Variable], expressions: list[Any], targets: Sequence[Variable]
    ) -> list[Any]:
        """Return the expressions of a function, with operations on all processes.

        Parameters
        ----------
        inputs
            The inputs.
        expressions
            The outputs, and at the end the new values of ``targets`` and of inputs with updates.
        targets
            The shared variables that are updated.
        """

    def begin(self, function: Any) -> None:
        """Called before the first call of a function."""

    def threads(self) -> int:
        """Return how many threads a call may use if the option ``threads`` does not tell."""


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
        The form of the result: ``None`` for a list, ``()`` for a single output, the keys for a
        dict.
    shared
        The shared variables that are read or updated.
    borrowed
        Numbers of the outputs with ``borrow=True``.
    replacing
        The replacements that ``givens`` made for variables of the expressions. They may no longer
        be part of the expressions.
    """

    given: list[In]
    outputs: list[Any]
    updates: list[tuple[Any, Any]]
    keys: tuple[Any, ...] | None
    shared: list[Any] = field(default_factory=list)
    replacing: list[Any] = field(default_factory=list)
    borrowed: tuple[int, ...] = ()

    @staticmethod
    def read(
        inputs: Any,
        outputs: Any,
        updates: Any,
        givens: Any,
        no_default_updates: Any,
        strict: bool = True,
        distribution: Distribution | None = None,
    ) -> Request:
        """Read the arguments of ``function``."""
        ins = _read_inputs(inputs)
        listed, keys = _read_outputs(outputs)
        pairs, replacements = read_updates(updates), read_givens(givens, strict)
        own = [item for item in ins if item.update is not None]
        changed = [*(new for _, new in pairs), *(item.update for item in own)]
        variables = [item.variable for item in ins]
        # What computes an input is not part of the function, so givens do not change it.
        computed = {v: v for v in variables if v.owner is not None} if replacements else {}
        replacements = {**computed, **replacements}
        roots = [*listed, *changed]
        add_default_updates(roots, pairs, no_default_updates, replacements, variables)
        targets = [target for target, _ in pairs]
        written = [*listed, *(new for _, new in pairs), *(item.update for item in own)]
        if distribution is not None:
            written = distribution.spread([item.variable for item in ins], written, targets)
        everything = replaced(written, replacements)
        news = [
            fit_update(target, new)
            for target, new in zip(
                [*targets, *(item.variable for item in own)],
                everything[len(listed) :],
                strict=True,
            )
        ]
        check_targets([*pairs, *((item, item.update) for item in own)])
        request = Request(
            ins,
            everything[: len(listed)],
            list(zip([*targets, *own], news, strict=True)),
            keys,
            borrowed=_borrowed(outputs),
        )
        read = leaves([*request.outputs, *news], variables)
        used = [v for v in read if isinstance(v, SharedVariable)]
        request.shared = list(dict.fromkeys([*used, *targets]))
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

    @property
    def resident(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The inputs and outputs that may stay on a device: shared variables and what is borrowed.

        They are numbers of inputs, those of shared variables included, and of :attr:`all_outputs`.
        """
        first, count = len(self.given), len(self.outputs)
        arrays = [item for item in self.shared if isinstance(item, TensorSharedVariable)]
        inputs = [first + self.shared.index(item) for item in arrays]
        updated = [k for k, (target, _) in enumerate(self.updates, count) if target in arrays]
        return tuple(inputs), (*self.borrowed, *updated)

    @property
    def wishes(self) -> list[str]:
        """For each of :attr:`all_outputs`, a name in the code; empty if there is none."""
        keys = self.keys or [None] * len(self.outputs)
        names = [
            str(key or _output_name(output)) for key, output in zip(keys, self.outputs, strict=True)
        ]
        return names + [f"{target.name}_new" if target.name else "" for target, _ in self.updates]

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
                        f"copy: {describe_value(old)} is not a shared variable of this function",
                        *self.shared,
                        hint="swap one of these",
                    )
                )
            if not isinstance(new, SharedVariable) or new.type != old.type:
                raise TypeError(
                    format_error(
                        f"copy: {old.describe()} can only be swapped for a shared variable of its "
                        "type",
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
        check_targets(pairs)
        read = leaves(expressions, self.inputs)
        used = [v for v in read if isinstance(v, SharedVariable)]
        targets = [target for target, _ in pairs if isinstance(target, SharedVariable)]
        shared = list(dict.fromkeys([*used, *targets]))
        return Request(
            self.given, expressions[:count], pairs, self.keys, shared, borrowed=self.borrowed
        )

    def with_containers(self, containers: Sequence[Container | None]) -> Request:
        """Return this request with the containers of a function as the values of its inputs."""
        twins = {item: item.with_value(c) for item, c in zip(self.given, containers, strict=True)}
        updates = [(twins.get(target, target), new) for target, new in self.updates]
        return Request(
            list(twins.values()), self.outputs, updates, self.keys, self.shared,
            borrowed=self.borrowed,
        )  # fmt: skip

    def check_inputs(self, on_unused: str) -> None:
        """Raise errors for unused inputs, and then for missing ones."""
        if on_unused not in ("raise", "warn", "ignore"):
            raise ValueError(
                build_message(
                    f"function: on_unused_input={on_unused!r} is not one of raise, warn, ignore"
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
        bound = {*self.inputs, *self.shared}
        for variable in ancestors(self.all_outputs, self.inputs):
            has_value = variable in bound or isinstance(variable, Constant)
            if variable.owner is None and not has_value:
                raise MissingInputError(
                    build_message(
                        f"function: {variable.describe()} is needed but is not an input",
                        variable,
                        hint="add it to the inputs, or replace it by givens",
                    )
                )


# -- inputs --------------------------------------------------------------------------------------


def _read_inputs(inputs: Any) -> list[In]:
    listed = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    ins = [_read_input(item) for item in listed]
    seen = set()
    for variable in (item.variable for item in ins):
        if variable in seen:
            raise DuplicateInputError(
                build_message(f"function: {variable.describe()} is an input twice", variable)
            )
        seen.add(variable)
    return ins


def _read_input(item: Any) -> In:
    """Read a variable, an :class:`In`, or Theano's ([name,] variable [, value]) with its variants.

    ``((variable, update), value)`` is the form with an update.
    """
    if isinstance(item, In):
        return item
    if not isinstance(item, list | tuple):
        return In(standing_for(item))
    parts = list(item)
    name = parts.pop(0) if parts and isinstance(parts[0], str) else None
    if len(parts) == 2 and isinstance(parts[0], list | tuple) and len(parts[0]) == 2:
        (variable, update), value = parts
        return In(variable, name=name, value=value, update=update)
    if len(parts) in (1, 2):
        return In(parts[0], name=name, value=parts[1] if len(parts) == 2 else None)
    raise TypeError(
        build_message(
            f"function: {describe_value(item)} is not an input",
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
                hint="leave it out: functions use shared variables automatically; use givens to "
                "replace it",
            )
        )


def _check_name(variable: Variable, name: Any) -> None:
    if name is not None and not isinstance(name, str):
        what = f"In: the name of {variable.describe()} is a text, not {describe_value(name)}"
        raise TypeError(build_message(what, variable))


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


def _borrowed(outputs: Any) -> tuple[int, ...]:
    """Return the numbers of the outputs that are ``Out(..., borrow=True)``."""
    if isinstance(outputs, Mapping):
        outputs = list(outputs.values())
    listed = outputs if isinstance(outputs, list | tuple) else [outputs]
    return tuple(k for k, item in enumerate(listed) if isinstance(item, Out) and item.borrow)


def _read_output(output: Any) -> Any:
    if isinstance(output, Out):
        return output.variable
    # Values of a user's type are returned as they are; functions of them run in the interpreter.
    if isinstance(output, Variable):
        kind: type = type(output.type)
        return output if not is_own(kind) else as_variable(output)
    return as_variable(output)


def _output_name(output: Any) -> str:
    """Return a name for an output: its own, what it is the gradient by, or what its line assigns.

    The line of another derivative is that of the function that is differentiated.
    """
    if output.name:
        return str(output.name)
    variable = differentiated(output)
    if variable is not None:
        return f"{variable.name}_grad" if variable.name else ""
    if output.owner is None or output.origin is None or is_made(output):
        return ""
    return str(output.origin.assigned)

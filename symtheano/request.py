"""What ``function()`` was asked for: its arguments read, checked and brought to one form."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from symtheano.errors import MissingInputError, UnusedInputError, format_error
from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Constant, Variable
from symtheano.graph.walk import ancestors, leaves, replace
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.variable import TensorConstant


@dataclass(eq=False)
class Request:
    """What the user asked for, brought to one form."""

    inputs: list[Any]
    outputs: list[Any]
    updates: list[tuple[SharedVariable, Any]]
    shape_of_result: Callable[[list[Any]], Any]
    shared: list[Any] = field(default_factory=list)

    @staticmethod
    def read(
        inputs: Any, outputs: Any, updates: Any, givens: Any, no_default_updates: Any
    ) -> Request:
        """Read the arguments of ``function``."""
        given = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
        for item in given:
            _check_input(item, given)
        listed, shape_of_result = _read_outputs(outputs)
        pairs = _read_updates(updates)
        pairs += _default_updates([*listed, *(new for _, new in pairs)], pairs, no_default_updates)
        everything = [*listed, *(new for _, new in pairs)]
        everything = _apply_givens(everything, givens)
        count = len(listed)
        news = [_fit_update(s, n) for (s, _), n in zip(pairs, everything[count:], strict=True)]
        request = Request(
            given,
            everything[:count],
            [(s, n) for (s, _), n in zip(pairs, news, strict=True)],
            shape_of_result,
        )
        found = [v for v in leaves([*request.outputs, *news]) if isinstance(v, SharedVariable)]
        targets = [target for target, _ in request.updates]
        request.shared = list(dict.fromkeys([*found, *targets]))
        return request

    @property
    def all_outputs(self) -> list[Any]:
        """Outputs and the new values of shared variables."""
        return [*self.outputs, *(new for _, new in self.updates)]

    def check_inputs(self, on_unused: str) -> None:
        """Complain about variables that are needed and not given, or given and not needed."""
        used = set(ancestors(self.all_outputs, self.inputs))
        known = {*self.inputs, *self.shared}
        for variable in used:
            given = variable in known or isinstance(variable, Constant)
            if variable.owner is None and not given:
                raise MissingInputError(
                    format_error(
                        f"function: {variable.describe()} is needed and not among the inputs",
                        operands=[(variable.describe(), str(variable.type))],
                        places=[variable.origin],
                        hint="add it to the inputs, or replace it by givens",
                    )
                )
        for variable in self.inputs:
            if variable not in used and on_unused != "ignore":
                message = format_error(
                    f"function: input {variable.describe()} is not used",
                    operands=[(variable.describe(), str(variable.type))],
                    places=[variable.origin],
                    hint="leave it out, or pass on_unused_input='ignore'",
                )
                if on_unused == "raise":
                    raise UnusedInputError(message)
                warnings.warn(message, stacklevel=3)


def _check_input(item: Any, given: Sequence[Any]) -> None:
    if not isinstance(item, Variable):
        raise TypeError(f"function: input {item!r} is not a variable")
    if isinstance(item, Constant):
        raise TypeError(f"function: the constant {item} can't be an input")
    if isinstance(item, SharedVariable):
        raise TypeError(
            f"function: the shared variable {item.describe()} can't be an input; it keeps its own "
            "value. Use givens to replace it"
        )
    if sum(item is other for other in given) > 1:
        raise ValueError(f"function: {item.describe()} is given as input twice")


def _read_outputs(outputs: Any) -> tuple[list[Any], Callable[[list[Any]], Any]]:
    if outputs is None:
        return [], lambda values: []
    if isinstance(outputs, Mapping):
        keys = list(outputs)
        listed = [as_tensor_variable(outputs[key]) for key in keys]
        return listed, lambda values: dict(zip(keys, values, strict=True))
    if isinstance(outputs, list | tuple):
        return [as_tensor_variable(item) for item in outputs], lambda values: values
    return [as_tensor_variable(outputs)], lambda values: values[0]


def _pairs(given: Any, what: str) -> list[tuple[Any, Any]]:
    if given is None:
        return []
    items = list(given.items()) if isinstance(given, Mapping) else list(given)
    for item in items:
        if not isinstance(item, tuple | list) or len(item) != 2:
            raise ValueError(f"function: {what} are pairs (variable, expression), got {item!r}")
    return [(item[0], item[1]) for item in items]


def _read_updates(updates: Any) -> list[tuple[SharedVariable, Any]]:
    pairs = _pairs(updates, "updates")
    seen: set[Any] = set()
    for target, _ in pairs:
        if not isinstance(target, SharedVariable):
            raise TypeError(f"function: {target!r} is updated and is not a shared variable")
        if target in seen:
            raise ValueError(f"function: {target.describe()} is updated twice")
        seen.add(target)
    return [(target, as_tensor_variable(new)) for target, new in pairs]


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


def _fit_update(target: SharedVariable, new: Any) -> Any:
    """Return an update of its shared variable's type, or say why it isn't."""
    new = as_tensor_variable(new)
    if target.type.accepts(new.type):
        return new
    if new.dtype == target.type.dtype and new.ndim == target.type.ndim:
        from symtheano.tensor.shape import specify_shape

        return specify_shape(new, target.type.shape)
    if isinstance(new, TensorConstant) and new.ndim == target.type.ndim:
        data = target.type.filter(new.data, allow_downcast=True)
        return as_tensor_variable(data)
    raise TypeError(
        format_error(
            f"function: the update of {target.describe()} has another type than the variable",
            operands=[(target.describe(), str(target.type)), ("update", str(new.type))],
            places=[new.origin],
            hint=f"cast it: update.astype({target.type.dtype!r})",
        )
    )


def _apply_givens(roots: list[Any], givens: Any) -> list[Any]:
    pairs = _pairs(givens, "givens")
    if not pairs:
        return roots
    replacements: dict[Any, Any] = {}
    for old, new in pairs:
        new = as_tensor_variable(new)
        if not old.type.accepts(new.type):
            if new.ndim == old.type.ndim and new.dtype == old.type.dtype:
                from symtheano.tensor.shape import specify_shape

                new = specify_shape(new, old.type.shape)
            elif isinstance(new, TensorConstant):
                new = as_tensor_variable(old.type.filter(new.data))
            else:
                raise TypeError(
                    format_error(
                        f"function: givens replace {old.describe()} by another type",
                        operands=[(old.describe(), str(old.type)), ("given", str(new.type))],
                        places=[new.origin],
                    )
                )
        replacements[old] = new
    return replace(roots, replacements)

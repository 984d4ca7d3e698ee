"""Conversion of a call's arguments to the arrays of a function's inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from symtheano.errors import (
    MisfitError,
    describe_value,
    format_error,
    format_misfit,
    printable_name,
)
from symtheano.function.request import In
from symtheano.graph.origin import Origin
from symtheano.graph.shared import Container
from symtheano.graph.type import Generic
from symtheano.tensor.shapes.intervals import MOST_ALONG_AXIS


class Binding:
    """The inputs of a function, as its callers see them.

    Attributes
    ----------
    inputs
        The inputs.
    arguments
        The inputs that can be passed in a call, in order.
    containers
        For each input, the container of its default value, or None.
    label
        Name of the function in messages.
    allow
        ``allow_input_downcast`` of the function.
    origin
        The line of the user's program that compiled it.
    trusting
        Whether values are not converted. If so, any value that is not an array of the input's dtype
        is an error.
    """

    def __init__(
        self,
        inputs: Sequence[In],
        containers: Sequence[Container | None],
        label: str,
        allow: bool | None,
        origin: Origin | None = None,
    ) -> None:
        self.inputs = list(inputs)
        self.containers = list(containers)
        self.arguments = [k for k, item in enumerate(self.inputs) if not item.implicit]
        self.label = label
        self.allow = allow
        self.origin = origin
        self.trusting = False
        self._places: dict[str | None, list[int]] = {}
        for place, k in enumerate(self.arguments):
            self._places.setdefault(self.inputs[k].name, []).append(place)

    def bind(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> list[Any]:
        """Return one value for each argument: the given value, or None for the default.

        Defaults are read later, while no other thread can update them.

        Raises
        ------
        TypeError
            If there are too many values, a name that no argument has or several have, or an
            argument without a value.
        """
        if len(args) > len(self.arguments):
            raise TypeError(self._wrong_number(len(args) + len(kwargs), []))
        bound: dict[int, Any] = dict(enumerate(args))
        for name, value in kwargs.items():
            places = self._places.get(name, [])
            if len(places) != 1:
                count = f"{len(places)} inputs" if places else "no input"
                raise TypeError(self._message(f"has {count} named {name!r}"))
            (place,) = places
            if place in bound:
                raise TypeError(self._message(f"got two values for input {name!r}"))
            bound[place] = value
        missing = []
        for place, k in enumerate(self.arguments):
            container = self.containers[k]
            if place in bound:
                continue
            if container is None:
                missing.append(self._describe(k))
            else:
                generic = isinstance(self.inputs[k].variable.type, Generic)
                bound[place] = container.value if generic else None
        if missing:
            raise TypeError(self._wrong_number(len(args) + len(kwargs), missing))
        return [bound[place] for place in range(len(self.arguments))]

    def accept(self, number: int, value: Any) -> Any:
        """Return a value as an array of an input's type; for None, return the default.

        Raises
        ------
        MisfitError
            If the value does not fit.
        ValueError
            If an axis is so long that computations of lengths could overflow.
        """
        item = self.inputs[number]
        allow = self.allow if item.allow_downcast is None else item.allow_downcast
        strict = item.strict or self.trusting
        container = self.containers[number]
        if value is None and container is not None and not isinstance(item.variable.type, Generic):
            value = container.value
        try:
            accepted = item.variable.type.filter(value, strict=strict, allow_downcast=allow)
        except TypeError as error:
            raise self.misfit(number, error, value) from None
        if max(getattr(accepted, "shape", ()), default=0) > MOST_ALONG_AXIS:
            name = self._describe(number)
            what = f"{self.label}: input {name} has an axis of more than 2**44 elements"
            operands = [(name, str(item.variable.type)), ("given", describe_value(value))]
            places = [self.origin, item.variable.origin]
            raise ValueError(format_error(what, operands=operands, places=places))
        return accepted

    def misfit(self, number: int, error: Exception, value: Any) -> MisfitError:
        """Return the error for a value that does not fit an input."""
        name, variable = self._describe(number), self.inputs[number].variable
        return MisfitError(
            format_misfit(
                f"{self.label}: bad value for input {name}",
                error,
                value,
                wanted=(name, str(variable.type)),
                places=[self.origin, variable.origin],
            )
        )

    def _describe(self, number: int) -> str:
        """Return an input's name, or its number if it has no name."""
        return printable_name(self.inputs[number].name or self.arguments.index(number))

    def _message(self, what: str) -> str:
        """Format a message about the arguments, with the line that compiled the function."""
        operands = [
            (
                self._describe(k),
                f"{self.inputs[k].variable.type}"
                + ("" if self.inputs[k].name else ", without a name")
                + ("" if self.containers[k] is None else ", has a default"),
            )
            for k in self.arguments
        ]
        return format_error(f"{self.label} {what}", operands=operands, places=[self.origin])

    def _wrong_number(self, count: int, missing: Sequence[str]) -> str:
        names = ", ".join(self._describe(k) for k in self.arguments)
        number = len(self.arguments)
        return self._message(
            f"takes {number} input{'' if number == 1 else 's'} ({names}), got {count}"
            + (f"; missing: {', '.join(missing)}" if missing else "")
        )

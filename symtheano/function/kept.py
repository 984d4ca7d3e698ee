"""Values that a function keeps: inputs with defaults, and shared variables."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from symtheano.errors import MisfitError, format_misfit, printable_name
from symtheano.function.binding import Binding
from symtheano.function.request import Request
from symtheano.function.stages import Stages
from symtheano.graph.origin import Origin
from symtheano.graph.shared import Container

Kept = TypeVar("Kept", bound="KeptValues")


class Containers(Mapping[Any, Container]):
    """The containers of a function, listed by variable and found by variable or name."""

    def __init__(self, kept: dict[Any, Container], find: Callable[[Any], Container]) -> None:
        self._kept, self._find = kept, find

    def __getitem__(self, key: Any) -> Container:
        return self._find(key)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._kept)

    def __len__(self) -> int:
        return len(self._kept)


class KeptValues:
    """Access to the values of a function: ``f[x]``, ``f[x] = value``, ``x in f``."""

    name: str | None
    origin: Origin | None
    inputs: list[Any]
    shared: list[Any]
    request: Request
    stages: Stages
    _binding: Binding
    _entry_binding: Binding
    _allow: bool | None

    def _container(self, key: Any) -> Container:
        """Return the container of an input or shared variable: a variable, a name or a number.

        Numbers count the inputs and then the shared variables, as in Theano.
        """
        if isinstance(key, int):
            variables = [*(item.variable for item in self.request.given), *self.shared]
            if not 0 <= key < len(variables):
                raise KeyError(f"{self._label()} has no input or shared variable {key}")
            key = variables[key]
        named = isinstance(key, str)
        inputs = zip(self.request.given, self._binding.containers, strict=True)
        matches = [c for item, c in inputs if (key == item.name if named else key is item.variable)]
        kind = "inputs"
        if not matches:
            found = [v for v in self.shared if (key == v.name if named else key is v)]
            matches, kind = [v.container for v in found], "shared variables"
        if not matches:
            raise KeyError(f"{self._label()} has no input or shared variable {key}")
        if len(matches) > 1:
            raise KeyError(f"{self._label()} has {len(matches)} {kind} named {key}")
        if matches[0] is None:
            raise KeyError(f"{self._label()}: input {key} has no default value")
        container: Container = matches[0]
        return container

    def __getitem__(self, key: Any) -> Any:
        """Return the value of an input or shared variable, given as variable, name or number."""
        value = self._container(key).value
        return value.to_host() if hasattr(value, "to_host") else value

    def __setitem__(self, key: Any, value: Any) -> None:
        """Set the value of an input or shared variable."""
        container = self._container(key)
        try:
            kept = container.type.filter(value, allow_downcast=self._allow)
            container.put(kept)
        except TypeError as error:
            raise self._misfit(container, str(key), error, value) from None

    def __contains__(self, key: Any) -> bool:
        try:
            self._container(key)
        except KeyError:
            return False
        return True

    @property
    def value(self: Kept) -> Kept:
        """Theano's interface: ``f.value[x]`` is ``f[x]``."""
        return self

    @property
    def container(self) -> Mapping[Any, Container]:
        """The containers of inputs with defaults and of shared variables, by variable or name."""
        pairs = zip(self.inputs, self._binding.containers, strict=True)
        kept = {variable: container for variable, container in pairs if container is not None}
        kept.update((variable, variable.container) for variable in self.shared)
        return Containers(kept, self._container)

    def _accept(self, number: int, value: Any) -> Any:
        """Return a value as an array of the type of an entry point's input, or raise TypeError."""
        count = len(self.stages.request.given)
        if number < count:
            return self._entry_binding.accept(number, value)
        variable = self.stages.request.shared[number - count]
        try:
            return variable.type.filter(value)
        except TypeError as error:
            raise self._misfit(variable, variable.describe(), error, value) from None

    def _misfit(self, variable: Any, name: str, error: Exception, value: Any) -> TypeError:
        """Return the error for an unsuitable value."""
        return MisfitError(
            format_misfit(
                f"{self._label()}: the value of {name}",
                error,
                value,
                wanted=(name, str(variable.type)),
                places=[self.origin, getattr(variable, "origin", None)],
            )
        )

    def _label(self) -> str:
        return f"function {printable_name(self.name)}" if self.name else "function"

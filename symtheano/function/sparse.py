"""Functions of sparse matrices, compiled as functions of the matrices' components."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from symtheano.errors import MisfitError
from symtheano.function.binding import Binding
from symtheano.function.compiled import Function
from symtheano.function.request import In, Request
from symtheano.graph.shared import Container
from symtheano.sparse.boundary import split_boundary
from symtheano.sparse.container import SparseContainer
from symtheano.sparse.type import SparseType


@dataclass(frozen=True, eq=False)
class Ends:
    """A request with sparse matrices, and the corresponding request for their components.

    Attributes
    ----------
    asked
        The user's request.
    containers
        For each of its inputs, the container, or None.
    request
        The corresponding request for dense arrays only; its result is a list.
    """

    asked: Request
    containers: list[Container | None]
    request: Request


def opened(asked: Request) -> Ends:
    """Return the dense counterpart of a request.

    Raises
    ------
    NotImplementedError
        If an op from outside the sparse package has sparse inputs or outputs.
    """
    boundary = split_boundary(asked.inputs, asked.all_outputs, asked.shared)
    containers = [_container(item) for item in asked.given]
    dense_inputs = [
        _dense_inputs(item, parts, container)
        for item, parts, container in zip(asked.given, boundary.inputs, containers, strict=True)
    ]
    parts_of = dict(zip(asked.given, dense_inputs, strict=True))
    parts_of.update(zip(asked.shared, boundary.shared, strict=True))
    count = len(asked.outputs)
    updates = [
        pair
        for (target, _), news in zip(asked.updates, boundary.outputs[count:], strict=True)
        for pair in zip(parts_of[target], news, strict=True)
    ]
    dense = Request(
        _flat(dense_inputs), _flat(boundary.outputs[:count]), updates, None, _flat(boundary.shared)
    )
    return Ends(asked, containers, dense)


def _flat(lists: Sequence[Sequence[Any]]) -> list[Any]:
    return [item for items in lists for item in items]


def _container(item: In) -> Container | None:
    container = item.container()
    if container is None or not isinstance(item.variable.type, SparseType):
        return container
    if isinstance(container, SparseContainer):
        return container
    return SparseContainer(item.variable.type, container.value)


def _dense_inputs(item: In, parts: Sequence[Any], container: Container | None) -> list[In]:
    """Return an input itself, or its components with their values."""
    if not isinstance(item.variable.type, SparseType):
        return [item.with_value(container)]
    kept = container.parts if isinstance(container, SparseContainer) else [None] * len(parts)
    return [
        In(part, value=value, implicit=item.implicit)
        for part, value in zip(parts, kept, strict=True)
    ]


class SparseFunction(Function):
    """A compiled function that takes, keeps or returns sparse matrices.

    ``inputs``, ``shared`` and ``request`` are those of the user; ``stages``, the graphs, the C and
    ``updates`` refer to the components.
    """

    def __init__(self, ends: Ends, *args: Any) -> None:
        super().__init__(*args)
        asked = self.request = ends.asked
        self.inputs, self.shared = asked.inputs, asked.shared
        entry = self._entry_binding
        self._binding = Binding(
            asked.given, ends.containers, entry.label, entry.allow, entry.origin
        )
        self._kinds = [self.inputs[number].type for number in self._binding.arguments]
        # A call with only dense arguments calls the entry point directly.
        self._opens = any(isinstance(kind, SparseType) for kind in self._kinds)
        self._closes = any(isinstance(output.type, SparseType) for output in asked.outputs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        returned: Any
        if self._opens:
            returned = super().__call__(*self._taken_apart(args, kwargs))
        else:
            returned = super().__call__(*args, **kwargs)
        if not self._closes:
            return self.request.shape_of_result(returned)
        results = iter(returned)
        values = [
            kind.assemble(*(next(results) for _ in range(4)))
            if isinstance(kind, SparseType)
            else next(results)
            for kind in (output.type for output in self.request.outputs)
        ]
        return self.request.shape_of_result(values)

    def _taken_apart(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Any]:
        """Return the arguments of the entry point for the arguments of a call."""
        binding = self._binding
        values = args
        if kwargs or len(args) != len(self._kinds):
            values = binding.bind(args, kwargs)
        arrays: list[Any] = []
        for number, value, kind in zip(binding.arguments, values, self._kinds, strict=True):
            if value is None and binding.containers[number] is not None:
                # The default is read when no other thread updates it.
                arrays += [None] * (4 if isinstance(kind, SparseType) else 1)
                continue
            if not isinstance(kind, SparseType):
                arrays.append(binding.accept(number, value))
                continue
            fitting = binding.accept(number, value)
            try:
                arrays += kind.take_apart(fitting)
            except MisfitError as error:
                raise binding.misfit(number, error, value) from None
        return arrays

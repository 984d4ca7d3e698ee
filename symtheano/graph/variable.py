"""Variable, Constant and Apply: the nodes of the user graph. Plain objects with identity."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeAlias

from symtheano.graph.origin import Origin, current_origin, set_scope
from symtheano.names import MissingName

if TYPE_CHECKING:
    from symtheano.graph.op import Op
    from symtheano.graph.type import Type


class Variable:
    """A value that is only known when a function runs.

    Attributes
    ----------
    type
        The type of its values.
    owner
        The :class:`Apply` that computes it; None for inputs, constants and shared variables.
    index
        Index among its owner's outputs.
    name
        The user's name of it.
    tag
        A namespace for the user's annotations, such as ``tag.test_value``.

    Programs may set other attributes; they are pickled and copied with the variable.
    """

    __slots__ = ("__dict__", "__weakref__", "_tag", "index", "name", "origin", "owner", "type")

    def __init__(
        self,
        type: Any,
        owner: Apply | None = None,
        index: int | None = None,
        name: str | None = None,
    ) -> None:
        self.type = type
        self.owner = owner
        self.index = index
        self.name = name
        self.origin: Origin | None = owner.origin if owner is not None else current_origin()
        self._tag: SimpleNamespace | None = None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> object:
            raise MissingName(type(self), name)

    @property
    def tag(self) -> SimpleNamespace:
        """A namespace for the user's annotations."""
        if self._tag is None:
            self._tag = SimpleNamespace()
        return self._tag

    def clone(self, name: str | None = None) -> Variable:
        """Return a variable of the same type and name without an owner."""
        return self.type.make_variable(name or self.name)  # type: ignore[no-any-return]

    def describe(self) -> str:
        """Return a short label: the name, or the op, or the type."""
        shown: Variable = self
        while shown.name is None and shown.owner is not None:
            if shown.owner.op.axis_map(shown.owner) is None:
                break
            shown = shown.owner.inputs[0]
        if shown.name is not None:
            return str(shown.name)
        if self.owner is not None:
            suffix = f".{self.index}" if len(self.owner.outputs) > 1 else ""
            return f"{self.owner.op}{suffix}"
        return f"<{self.type}>"

    def __repr__(self) -> str:
        if self.name is not None:
            return str(self.name)
        if self.owner is not None:
            return f"{self.owner.op}.{self.index}"
        return f"<{self.type}>"

    def get_parents(self) -> list[Apply]:
        """Return the node that computes this variable, in a list."""
        return [self.owner] if self.owner is not None else []

    def __copy__(self) -> Variable:
        """Return another variable with the same computation and inputs."""
        if self.owner is not None and self.index is not None:
            twin: Variable = copy(self.owner).outputs[self.index]
        else:
            twin = self.clone()
            twin.origin = self.origin
        twin._tag = copy(self._tag)
        twin.__dict__.update(self.__dict__)
        return twin


Dim: TypeAlias = int | Variable
"""The length of an axis: a number, or a 0-d int64 variable."""


class Constant(Variable):
    """A variable whose value is known when the graph is built."""

    __slots__ = ("data",)

    def __init__(self, type: Any, data: Any, name: str | None = None) -> None:
        self.type, self.owner, self.index, self.name = type, None, None, name
        self.origin = None  # no origin is recorded, because constants are made often
        self._tag = None
        self.data = data

    @property
    def value(self) -> Any:
        """The value."""
        return self.data

    def signature(self) -> tuple[object, ...]:
        """Return a hashable key that is equal for constants of equal type and value."""
        return (self.type, id(self.data))

    def clone(self, name: str | None = None) -> Constant:
        """Return a constant of the same type and value."""
        return type(self)(self.type, self.data, name or self.name)

    def __repr__(self) -> str:
        return str(self.name) if self.name is not None else f"{type(self).__name__}{{{self.data}}}"


class Lifted(Variable):
    """An input of compiled code in the place of a large constant, whose numbers no code holds.

    Attributes
    ----------
    data
        The constant's value.
    """

    __slots__ = ("data",)

    def __init__(self, constant: Constant) -> None:
        super().__init__(constant.type, name=constant.name or "table")
        self.data = constant.data


class Apply:
    """The application of an op to inputs: one node of the graph.

    Attributes
    ----------
    op, inputs, outputs
        The op and its operands and results.
    origin
        The user's line that made it.
    """

    __slots__ = ("__weakref__", "_tag", "inputs", "op", "origin", "outputs")

    def __init__(
        self, op: Op, inputs: Iterable[Variable], outputs: Iterable[Variable | Type]
    ) -> None:
        self.op = op
        self.inputs: list[Any] = list(inputs)
        self.origin: Origin | None = current_origin()
        self._tag: SimpleNamespace | None = None
        self.outputs: list[Any] = []
        before = set_scope(True, self.origin)
        try:
            for index, output in enumerate(outputs):
                variable = output if isinstance(output, Variable) else output.make_variable()
                variable.owner, variable.index, variable.origin = self, index, self.origin
                self.outputs.append(variable)
        finally:
            set_scope(*before)

    @property
    def tag(self) -> SimpleNamespace:
        """A namespace for the user's annotations."""
        if self._tag is None:
            self._tag = SimpleNamespace()
        return self._tag

    @property
    def out(self) -> Any:
        """The op's only (or default) output."""
        return self.op.default_of(self.outputs)

    @property
    def nin(self) -> int:
        """Number of inputs."""
        return len(self.inputs)

    @property
    def nout(self) -> int:
        """Number of outputs."""
        return len(self.outputs)

    def clone_with_new_inputs(self, inputs: Sequence[Variable]) -> Apply:
        """Return the same op applied to other inputs, with this node's origin."""
        return rebuild(self, inputs)

    def __copy__(self) -> Apply:
        """Return another node with the same op and inputs."""
        twin = rebuild(self, self.inputs)
        twin._tag = copy(self._tag)
        return twin

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(str, self.inputs))})"


def rebuild(node: Apply, inputs: Sequence[Variable]) -> Apply:
    """Return ``node``'s op applied to ``inputs``, keeping its origin and its outputs' names.

    If all types are the same, the outputs' types are copied; otherwise the op infers them again.
    """
    same = all(new.type == old.type for new, old in zip(inputs, node.inputs, strict=True))
    if same:
        clone = Apply.__new__(Apply)
        clone.op, clone.inputs, clone.origin, clone._tag = node.op, list(inputs), node.origin, None
        clone.outputs = []
        before = set_scope(True, node.origin)
        try:
            for index, old in enumerate(node.outputs):
                variable = old.type.make_variable()
                variable.owner, variable.index = clone, index
                clone.outputs.append(variable)
        finally:
            set_scope(*before)
    else:
        clone = node.op.make_node(*inputs)
        clone.origin = node.origin
    for new, old in zip(clone.outputs, node.outputs, strict=True):
        new.name, new.origin = old.name, node.origin
    return clone

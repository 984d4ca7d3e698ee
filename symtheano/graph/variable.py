"""Variable, Constant, Apply and Op: the user graph. Nodes have identity."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex, TypeAlias, TypeVar

from symtheano.config import config
from symtheano.errors import format_error, printable_name
from symtheano.graph.fields import equal_props, props_of
from symtheano.graph.itypes import Kind, check_itypes
from symtheano.graph.lowering import Lowering, Python
from symtheano.graph.origin import Origin, current_origin, origin_scope, scope
from symtheano.graph.stacks import LEAST_STACK
from symtheano.names import MissingName

if TYPE_CHECKING:
    from symtheano.graph.claims import Storage, Value


class Variable:
    """A value that is only known when a function runs.

    Attributes
    ----------
    type
        The type of its values.
    owner
        The :class:`Apply` that computes the variable; None for inputs, constants and shared
        variables.
    index
        Index among its owner's outputs.
    name
        The name that the user gave to it, or None.
    tag
        A namespace for the user's annotations, such as ``tag.test_value``.

    Programs may set other attributes. They are pickled and copied with the variable.
    """

    __slots__ = ("__dict__", "__weakref__", "_tag", "index", "name", "origin", "owner", "type")

    def __init__(
        self,
        type: Kind[Variable],
        owner: Apply | None = None,
        index: int | None = None,
        name: str | None = None,
    ) -> None:
        self.type: Any = type  # subclasses know more
        self.owner = owner
        self.index = index
        self.name = name
        if owner is not None:
            self.origin: Origin | None = owner.origin
        else:
            self.origin = scope.origin if scope.active else current_origin()
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
        twin: Variable = self.type.make_variable(name or self.name)
        return twin

    def describe(self) -> str:
        """Return a short label: the name, or the op, or the type."""
        shown: Variable = self
        while shown.name is None and shown.owner is not None:
            if shown.owner.op.lowering.axis_map(shown.owner) is None:
                break
            shown = shown.owner.inputs[0]
        if shown.name is not None:
            return printable_name(shown.name)
        if self.owner is not None:
            suffix = f".{self.index}" if len(self.owner.outputs) > 1 else ""
            return f"{self.owner.op}{suffix}"
        return f"<{self.type}>"

    def __repr__(self) -> str:
        if self.name is not None:
            return printable_name(self.name)
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
D = TypeVar("D", bound=Dim)


class Constant(Variable):
    """A variable whose value is known when the graph is built."""

    __slots__ = ("data",)

    def __init__(self, type: Kind[Variable], data: Value, name: str | None = None) -> None:
        self.type, self.owner, self.index, self.name = type, None, None, name
        self.origin = None  # no origin is recorded, because constants are made often
        self._tag = None
        self.data: Any = data  # subclasses know more

    @property
    def value(self) -> Value:
        """The value."""
        return self.data

    def signature(self) -> tuple[object, ...]:
        """Return a hashable key that is equal for constants of equal type and value."""
        return (self.type, id(self.data))

    def equals(self, other: object) -> bool:
        """Return whether another constant has the same type and an equal value."""
        if not isinstance(other, Constant) or self.type != other.type:
            return False
        same = getattr(self.type, "values_eq", operator.eq)
        return bool(same(self.data, other.data))

    def clone(self, name: str | None = None) -> Constant:
        """Return a constant of the same type and value."""
        return type(self)(self.type, self.data, name or self.name)

    def __repr__(self) -> str:
        if self.name is not None:
            return printable_name(self.name)
        return f"{type(self).__name__}{{{self.data}}}"


class Apply:
    """The application of an op to inputs: one node of the graph.

    Attributes
    ----------
    op, inputs, outputs
        The op, its operands and its results.
    origin
        The line of the user's program that made it.

    Programs may set other attributes, which are not copied.
    """

    __slots__ = ("__dict__", "__weakref__", "_tag", "inputs", "op", "origin", "outputs")

    def __init__(
        self, op: Op, inputs: Iterable[Variable], outputs: Iterable[Variable | Kind[Variable]]
    ) -> None:
        self.op = op
        self.inputs: list[Any] = list(inputs)
        self.origin: Origin | None = scope.origin if scope.active else current_origin()
        self._tag: SimpleNamespace | None = None
        self.outputs: list[Any] = []
        for index, output in enumerate(outputs):
            variable = output if isinstance(output, Variable) else output.make_variable()
            variable.owner, variable.index, variable.origin = self, index, self.origin
            self.outputs.append(variable)

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
        """Return the op applied to other inputs, with the origin and the names of this node.

        If all types are the same, the outputs' types are copied; otherwise the op infers them.
        """
        for new, old in zip(inputs, self.inputs, strict=True):
            if new.type is not old.type and new.type != old.type:
                clone = self.op.make_node(*inputs)
                clone.origin = self.origin
                break
        else:
            if not scope.active:
                with origin_scope(self.origin):
                    return self.clone_with_new_inputs(inputs)
            clone = Apply.__new__(Apply)
            clone.op, clone.inputs, clone.outputs = self.op, list(inputs), []
            clone.origin, clone._tag = self.origin, None
            for index, old in enumerate(self.outputs):
                variable = old.type.make_variable()
                variable.owner, variable.index = clone, index
                clone.outputs.append(variable)
        for new, old in zip(clone.outputs, self.outputs, strict=True):
            new.name, new.origin = old.name, self.origin
        return clone

    def __copy__(self) -> Apply:
        """Return another node with the same op and inputs."""
        twin = self.clone_with_new_inputs(self.inputs)
        twin._tag = copy(self._tag)
        return twin

    def __repr__(self) -> str:
        return f"{self.op}({', '.join(map(str, self.inputs))})"


class Op:
    """Base class of all operations.

    A user's op needs ``perform``, and either ``make_node`` or the types ``itypes`` and ``otypes``.
    The methods ``grad``, ``R_op`` and ``infer_shape`` are optional. The package's own ops define
    ``infer`` instead of ``make_node``, ``pullback`` instead of ``grad``, and have a
    ``lowering``. An op without one is called as Python from the compiled function.

    Equal ops with equal inputs are merged. Ops are compared by ``__props__`` if it is defined, by
    the fields of a frozen dataclass, or otherwise by identity.
    """

    __props__: tuple[str, ...]
    default_output: int | None = None
    itypes: Sequence[Kind[Variable]] | None = None
    otypes: Sequence[Kind[Variable]] | None = None
    compute_test_value: ClassVar[Callable[[Apply], None]]
    """Function that computes a node when it is made; set by ``graph/eager.py``."""
    takes: str = ""
    """The kinds of operands of an op on arrays: see ``graph/operands.py``."""
    as_array: ClassVar[Callable[[object], Variable]]
    """Function that returns numbers and arrays as constants; set by ``tensor/conversion.py``."""

    scalar_op: Any
    """The row of an elementwise op."""
    if TYPE_CHECKING:

        @property
        def lowering(self) -> Lowering:
            """How the code of a function computes it: see ``symtheano/lowering.py``."""

    else:
        lowering = Python()
    region: Any = None
    """A FunctionGraph that a call runs any number of times."""
    branches: Sequence[Any] = ()
    """FunctionGraphs of which a call runs one."""
    keeps_graph: bool = False
    """Whether it remains in graphs of loops and functions until these are rewritten, though others
    replace it (:meth:`inlined`): it has derivatives of its own, or may become a function."""
    has_arms: bool = False
    """Whether a call needs one of two groups of inputs: see ``graph/arms.py``."""
    differentiable_inputs: int | None = None
    """In how many of its first inputs the op is differentiable; None for all of them.

    Others, such as lengths and indices, are not connected to its results. 0 is for results that no
    input changes smoothly, such as positions, lengths and random numbers: the op then needs neither
    ``pullback`` nor ``R_op``."""

    unconditional: bool = False
    """Whether each call has to run it, as other processes take part: it is not computed during
    compilation, and does not move into a branch."""

    def make_node(self, *inputs: object) -> Apply:
        """Return the application of this op to ``inputs``, with typed outputs."""
        variables = [self.as_variable(item) for item in inputs]
        if self.itypes is not None and self.otypes is not None:
            check_itypes(str(self), self.itypes, variables)
            return Apply(self, variables, self.otypes)
        return Apply(self, variables, self.infer(*variables))

    def make_checked(self, *inputs: object) -> Apply:
        """Return the application to inputs of a graph from a file.

        In other graphs, some ops are only applied to inputs that another node has checked. They
        override this: it returns a node that checks its inputs itself.
        """
        return self.make_node(*inputs)

    def as_variable(self, value: object) -> Variable:
        """Return ``value`` as a variable; ops on arrays convert numbers and arrays to constants."""
        if self.takes:
            return Op.as_array(value)
        if not isinstance(value, Variable):
            raise TypeError(f"{self}: {value!r} is not a symbolic variable")
        return value

    def infer(self, *inputs: Variable) -> Sequence[Kind[Variable]]:
        """Return the outputs' types for these input variables."""
        raise NotImplementedError(f"{type(self).__name__} defines neither make_node nor infer")

    def default_of(self, outputs: list[Any]) -> Any:
        """Return the result of calling the op: its default output, or all outputs."""
        if self.default_output is not None:
            return outputs[self.default_output]
        return outputs[0] if len(outputs) == 1 else outputs

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        name, return_list = None, False
        if kwargs:
            name, return_list = kwargs.pop("name", None), kwargs.pop("return_list", False)
        # A user's op makes its node in the user's file: the origin is the line that calls it.
        if scope.active:
            node = self.make_node(*inputs, **kwargs)
        else:
            with origin_scope(current_origin()):
                node = self.make_node(*inputs, **kwargs)
        if config._options.compute_test_value != "off":
            Op.compute_test_value(node)
        if name is not None and len(node.outputs) == 1:
            node.outputs[0].name = name
        return list(node.outputs) if return_list else self.default_of(node.outputs)

    def perform(self, node: Apply, inputs: Sequence[Value], output_storage: list[Storage]) -> None:
        """Compute with NumPy: store the k-th result in ``output_storage[k][0]``."""
        raise NotImplementedError(f"{type(self).__name__} has no perform")

    def run_node(self, node: Apply, inputs: list[Value], output_storage: list[Storage]) -> None:
        """Compute a node without a lowering: with :meth:`perform`, or what a subclass has."""
        self.perform(node, inputs, output_storage)

    def stack_needed(self, inputs: Sequence[Value]) -> int:
        """Return the number of bytes of a thread's stack that ``perform`` needs."""
        return LEAST_STACK

    def infer_shape(self, node: Apply, shapes: list[tuple[D, ...]]) -> list[tuple[D, ...]]:
        """Return the outputs' shapes: tuples of ints and int64 scalar variables.

        ``shapes`` contains the same for the inputs. This never computes an array.
        """
        raise NotImplementedError

    @property
    def infers_shape(self) -> bool:
        """Whether this op can infer its outputs' shapes without computing them."""
        return type(self).infer_shape is not Op.infer_shape

    def requirements(self, node: Apply, shapes: list[tuple[D, ...]]) -> Sequence[Any]:
        """Return the :class:`Requirement` objects of a call, checked before the node runs."""
        return []

    def pullback(
        self, inputs: list[Variable], outputs: list[Variable], output_grads: list[Variable]
    ) -> Sequence[Variable]:
        """Return the vector-Jacobian product with ``output_grads`` for each input.

        An item may be a variable of :class:`DisconnectedType` or :class:`NullType`.
        """
        return self.L_op(inputs, outputs, output_grads)

    def L_op(
        self, inputs: list[Variable], outputs: list[Variable], output_grads: list[Variable]
    ) -> Sequence[Variable]:
        """Theano's name of :meth:`pullback`, for users' ops."""
        return self.grad(inputs, output_grads)

    def grad(self, inputs: list[Variable], output_grads: list[Variable]) -> Sequence[Variable]:
        """Theano's older form of :meth:`L_op`, without the outputs."""
        raise NotImplementedError(f"{type(self).__name__} has no gradient")

    def R_op(
        self, inputs: list[Variable], eval_points: list[Variable | None]
    ) -> list[Variable | None]:
        """Return the Jacobian-vector product with ``eval_points`` (None where there is none)."""
        raise NotImplementedError(f"{type(self).__name__} has no R_op")

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Return ``pattern[input][output]``: whether the output is differentiable by the input.

        Only ops whose outputs differ override it; others set :attr:`differentiable_inputs`.
        """
        count = self.differentiable_inputs
        numbers = range(len(node.inputs))
        return [[count is None or number < count] * len(node.outputs) for number in numbers]

    def chosen(
        self,
        node: Apply,
        thens: Sequence[Variable],
        elses: Sequence[Variable],
        models: Sequence[Variable],
    ) -> list[Variable]:
        """Return one of two groups of variables by the condition of a node with arms.

        Both have the shapes of ``models``.
        """
        raise NotImplementedError(f"{self} does not choose between variables")

    def inlined(self, inputs: Sequence[Variable]) -> list[Variable] | None:
        """Return the outputs computed from ``inputs`` by other ops, or None.

        They replace the op before rewriting.
        """
        return None

    def vectorize(self, node: Apply, batch: object) -> list[Variable]:
        """Return the outputs for operands with batch axes in front.

        Parameters
        ----------
        node
            The application without batch axes.
        batch
            The operands: a :class:`symtheano.tensor.batches.Batch`.
        """
        raise NotImplementedError(
            format_error(
                f"vectorize: {self} does not support batches",
                operands=[(item.describe(), str(item.type)) for item in node.inputs],
                places=[node.origin, current_origin()],
                hint="define vectorize(node, batch) in the op, or loop over the items",
            )
        )

    def positions_below(self, node: Apply, number: int) -> Dim | None:
        """Return the length of the axis whose positions an output contains, or None.

        Positions need no check if it is the length of the axis that they index.
        """
        return None

    def limit(self, node: Apply, index: int) -> Variable | None:
        """Return the upper bound of a result that counts, so that it is not negative; else None."""
        return None

    def __eq__(self, other: object) -> bool:
        return self is other or (type(self) is type(other) and equal_props(self, other))

    def __hash__(self) -> int:
        props = props_of(self)
        return object.__hash__(self) if props is None else hash((type(self), props))

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        """Return how it is pickled or copied: without a lowering, which is a cache."""
        reduced: Any = super().__reduce_ex__(protocol)
        if len(reduced) > 2 and isinstance(reduced[2], dict) and "lowering" in reduced[2]:
            state = {name: value for name, value in reduced[2].items() if name != "lowering"}
            return (*reduced[:2], state, *reduced[3:])
        return reduced

    def __str__(self) -> str:
        values = zip(getattr(self, "__props__", ()), props_of(self) or (), strict=True)
        inner = ", ".join(f"{name}={value}" for name, value in values)
        return f"{type(self).__name__}{{{inner}}}" if inner else type(self).__name__

    def __repr__(self) -> str:
        return str(self)

"""Op: one kind of computation, declared in one class."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from symtheano.config import config
from symtheano.errors import BoundsError, ShapeError, format_error
from symtheano.formats import Message
from symtheano.graph.fields import is_own
from symtheano.graph.origin import current_origin, set_scope
from symtheano.graph.type import DisconnectedType
from symtheano.graph.variable import Apply, Variable

if TYPE_CHECKING:
    from symtheano.loopir import View


Form = Literal[
    "elemwise", "reduction", "locate", "length", "relabel", "view", "element", "scatter", "parts",
    "whole", "region", "python",
]  # fmt: skip
"""How an op declares what it computes."""

REDUCTIONS: tuple[Form, ...] = ("reduction", "locate")
"""The forms of ops that reduce axes of their operand."""
PUTS: tuple[Form, ...] = ("scatter", "parts")
"""The forms of ops that put values into their result."""

_DECLARED: dict[str, Form] = {
    "axis_map": "relabel", "view": "view", "element": "element", "destination": "scatter",
    "parts": "parts", "lower": "whole",
}  # fmt: skip


@dataclass(frozen=True)
class Requirement:
    """A condition that must be true in a call for a node's result to be valid.

    Attributes
    ----------
    condition
        A 0-d bool variable, or a bool if it is known.
    values
        Integers for the message: ints or 0-d int64 variables, at most eight.
    message
        Function that returns the message for the values.
    code
        Kind of error: ``shape``, ``index`` or ``value``.
    equal
        The two lengths, if the condition is that they are equal.
    error
        The exception, if it is not the default one of the code.
    """

    condition: Any
    values: tuple[Any, ...]
    message: Message
    code: str = "shape"
    equal: tuple[Any, Any] | None = None
    error: type[Exception] | None = None

    @property
    def needed(self) -> list[Any]:
        """The variables that are needed to check it."""
        return [item for item in (self.condition, *self.values) if isinstance(item, Variable)]

    @property
    def variables(self) -> list[Any]:
        """All its variables: those of :attr:`needed`, and the lengths of :attr:`equal`."""
        lengths = self.equal or ()
        return [*self.needed, *(item for item in lengths if isinstance(item, Variable))]

    def replaced(self, new: Mapping[Any, Any]) -> Requirement:
        """Return it with other variables."""
        return replace(
            self,
            condition=new.get(self.condition, self.condition),
            values=tuple(new.get(item, item) for item in self.values),
            equal=None if self.equal is None else (
                new.get(self.equal[0], self.equal[0]), new.get(self.equal[1], self.equal[1])
            ),
        )  # fmt: skip

    def exception(self, values: Sequence[int]) -> Exception:
        """Return the error for a call in which :attr:`values` are these."""
        kind = self.error or {"shape": ShapeError, "index": BoundsError}.get(self.code, ValueError)
        return kind(self.message(values))

    def enforce(self) -> None:
        """Raise the error if the condition, of known values, does not hold."""
        if not self.condition:
            raise self.exception([int(value) for value in self.values])


class Op:
    """Base class of all operations.

    A user's op needs ``perform``, and ``make_node`` or the types ``itypes`` and ``otypes``;
    ``grad``, ``R_op`` and ``infer_shape`` are optional. The package's own ops define ``infer``
    instead of ``make_node``, ``pullback`` instead of ``grad``, and declare their loops with
    ``lower`` or one of the alternatives below. An op without such a declaration is called as Python
    from the compiled function.

    Equal ops with equal inputs are merged. Ops are compared by ``__props__`` if it is defined, by
    the fields of a frozen dataclass, or otherwise by identity.
    """

    __props__: tuple[str, ...]
    default_output: int | None = None
    itypes: Sequence[Any] | None = None
    otypes: Sequence[Any] | None = None
    compute_test_value: ClassVar[Callable[[Apply], None]]
    """Function that computes a node when it is made; set by ``graph/eager.py``."""
    takes: str = ""
    """The kinds of operands, if ``infer`` does not check them: see ``graph/operands.py``."""

    # -- building ---------------------------------------------------------------------------

    def make_node(self, *inputs: Any) -> Apply:
        """Return the application of this op to ``inputs``, with typed outputs."""
        variables = [self.as_variable(item) for item in inputs]
        if self.itypes is not None and self.otypes is not None:
            self._check_itypes(variables)
            return Apply(self, variables, self.otypes)
        return Apply(self, variables, self.infer(*variables))

    def make_checked(self, *inputs: Any) -> Apply:
        """Return the application to inputs of a graph from a file.

        In other graphs, some ops are only applied to inputs that another node has checked. They
        override this: it returns a node that checks its inputs itself.
        """
        return self.make_node(*inputs)

    def _check_itypes(self, inputs: Sequence[Variable]) -> None:
        """Raise an error for inputs that do not have the types in ``itypes``."""
        assert self.itypes is not None
        wanted, given = list(self.itypes), [item.type for item in inputs]
        if len(wanted) != len(given):
            raise ValueError(
                format_error(
                    f"{self} takes {len(wanted)} inputs, got {len(given)}",
                    places=[current_origin()],
                )
            )
        if not all(a.accepts(b) for a, b in zip(wanted, given, strict=True)):
            raise TypeError(
                format_error(
                    f"{self}: inputs of other types than its itypes",
                    operands=[
                        (item.describe(), f"{item.type}, wanted {kind}")
                        for item, kind in zip(inputs, wanted, strict=True)
                    ],
                    places=[current_origin()],
                    hint="cast the inputs, or declare other itypes",
                )
            )

    def as_variable(self, value: Any) -> Variable:
        """Return ``value`` as a variable; tensor ops convert numbers and arrays to constants."""
        if not isinstance(value, Variable):
            raise TypeError(f"{self}: {value!r} is not a symbolic variable")
        return value

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the outputs' types for these input variables."""
        raise NotImplementedError(f"{type(self).__name__} defines neither make_node nor infer")

    def default_of(self, outputs: list[Any]) -> Any:
        """Return the result of calling the op: its default output, or all outputs."""
        if self.default_output is not None:
            return outputs[self.default_output]
        return outputs[0] if len(outputs) == 1 else outputs

    def __call__(self, *inputs: Any, **kwargs: Any) -> Any:
        name, return_list = kwargs.pop("name", None), kwargs.pop("return_list", False)
        # A user's op makes its node in the user's file: the origin is the line that calls it.
        before = set_scope(True, current_origin())
        try:
            node = self.make_node(*inputs, **kwargs)
        finally:
            set_scope(*before)
        if config._options.compute_test_value != "off":
            Op.compute_test_value(node)
        if name is not None and len(node.outputs) == 1:
            node.outputs[0].name = name
        return list(node.outputs) if return_list else self.default_of(node.outputs)

    # -- meaning ----------------------------------------------------------------------------

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy: store the k-th result in ``output_storage[k][0]``."""
        raise NotImplementedError(f"{type(self).__name__} has no perform")

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the outputs' shapes: tuples of ints and int64 scalar variables.

        ``shapes`` contains the same for the inputs. This never computes an array.
        """
        raise NotImplementedError

    @property
    def infers_shape(self) -> bool:
        """Whether this op can infer its outputs' shapes without computing them."""
        return type(self).infer_shape is not Op.infer_shape

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Return conditions that a call must satisfy; they are checked before the node runs."""
        return []

    # -- derivatives ------------------------------------------------------------------------

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Return the vector-Jacobian product with ``output_grads`` for each input.

        An item may be a variable of :class:`DisconnectedType` or :class:`NullType`.
        """
        return self.L_op(inputs, outputs, output_grads)

    def L_op(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> Sequence[Any]:
        """Theano's name of :meth:`pullback`, for users' ops."""
        return self.grad(inputs, output_grads)

    def grad(self, inputs: list[Any], output_grads: list[Any]) -> Sequence[Any]:
        """Theano's older form of :meth:`L_op`, without the outputs."""
        raise NotImplementedError(f"{type(self).__name__} has no gradient")

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Return the Jacobian-vector product with ``eval_points`` (None where there is none)."""
        raise NotImplementedError(f"{type(self).__name__} has no R_op")

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Return ``pattern[input][output]``: whether the output is differentiable in the input."""
        return [[True] * len(node.outputs) for _ in node.inputs]

    # -- other forms of the same computation ------------------------------------------------

    def inlined(self, inputs: Sequence[Any]) -> list[Any] | None:
        """Return the outputs computed from ``inputs`` by other ops, or None.

        They replace the op before rewriting.
        """
        return None

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Return the outputs for operands with batch axes in front.

        Parameters
        ----------
        node
            The application without batch axes.
        batch
            The operands: a :class:`symtheano.tensor.vectorize.Batch`.
        """
        raise NotImplementedError(f"{self} does not say how to work on batches")

    # -- code -------------------------------------------------------------------------------

    # A class declares its loops in one of these ways, which ``form`` names:
    #
    #   elemwise   scalar_op                                 one row of the scalar table, for each
    #                                                        element
    #   reduction, locate, length                            CAReduce, ArgReduce, Shape_i
    #   relabel    axis_map(node)                            the first input, its axes reordered or
    #                                                        repeated
    #   view       view(node, operand, scalars, shape)       another index map over the first
    #                                                        input's buffer
    #   element    element(b, node, index, read, scalars)    one element, from its index and input
    #                                                        elements
    #   scatter    destination, outer_axes, put              see AdvancedIncSubtensor
    #   parts      parts, put_inputs, put                    inputs stored in views of the output:
    #                                                        see Join
    #   whole      lower(b, node, inputs, outputs, scalars)  statements on whole arrays
    #   region     region, lower(..., body)                  statements around those of a graph
    #   python                                               calls of ``perform``
    #
    # ``scalars(node, shapes)`` names integers (0-d variables) that they need. ``accepts(k, view)``
    # rejects layouts of the k-th input, which is then copied. ``overwrites`` is the index of the
    # input whose content is the initial value of the first output; ``starts`` tells it for all
    # outputs. ``may_fail`` means that the statements of ``lower`` can end the call with an error,
    # so nothing is updated before them. ``has_workspace`` means that they call routines that need
    # one; its size depends on lengths of the inputs and outputs and on the scalars.
    # ``takes_epilogue`` means that they call one routine that takes an epilogue for rows of the
    # only output, to which nothing is written after them.
    # ``region`` is a FunctionGraph, and ``body`` writes it: codegen/region.py. ``carried`` tells
    # for each output of the graph which input it replaces in the next iteration. ``alternative`` is
    # the index of an array that a view may show instead of its first input.

    form: Form = "python"
    scalar_op: Any
    overwrites: int | None = None
    alternative: int | None = None
    region: Any = None
    may_fail: bool = False
    has_workspace: bool = False
    takes_epilogue: bool = False

    def starts(self) -> dict[int, int]:
        """Return for outputs that start from an input's content the index of this input."""
        return {} if self.overwrites is None else {0: self.overwrites}

    def carried(self) -> list[int | None]:
        """Return for each output of ``region`` the input that it replaces in the next iteration."""
        raise NotImplementedError(f"{self} has no region")

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        own = vars(cls)
        declared = [form for name, form in _DECLARED.items() if name in own]
        if declared and "form" not in own:
            cls.form = declared[0]

    def axis_map(self, node: Apply) -> tuple[int | None, ...] | None:
        """Return for each axis of the result the first input's axis, or None if it is broadcast.

        None instead of a tuple means that the op does not only rearrange axes.
        """
        return None

    def positions_below(self, node: Apply, number: int) -> Any:
        """Return the length of the axis whose positions an output contains, or None.

        Positions need no check if it is the length of the axis that they index.
        """
        return None

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return ints and 0-d int64 variables that the code of this node needs."""
        return []

    def accepts(self, number: int, view: View) -> bool:
        """Return whether ``lower`` supports this layout of an input."""
        return True

    # -- identity ---------------------------------------------------------------------------

    def _props(self) -> tuple[Any, ...] | None:
        names = getattr(type(self), "__props__", None)
        return None if names is None else tuple(getattr(self, name) for name in names)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if type(self) is not type(other):
            return False
        props = self._props()
        return props is not None and props == other._props()

    def __hash__(self) -> int:
        props = self._props()
        return object.__hash__(self) if props is None else hash((type(self), props))

    def __str__(self) -> str:
        props = self._props()
        if not props:
            return type(self).__name__
        names = type(self).__props__
        inner = ", ".join(f"{name}={value}" for name, value in zip(names, props, strict=True))
        return f"{type(self).__name__}{{{inner}}}"

    def __repr__(self) -> str:
        return str(self)


def inferred_shapes(node: Apply, shapes: list[Any]) -> Sequence[tuple[Any, ...]]:
    """Return the result of an op's ``infer_shape``, which is checked for users' ops.

    Raises
    ------
    ValueError
        If it is not one tuple per output, with one length per axis.
    TypeError
        If a length is not an integer.
    """
    made: Any = node.op.infer_shape(node, shapes)
    cls: Any = type(node.op)
    if is_own(cls):
        return made  # type: ignore[no-any-return]
    wanted = [getattr(item, "ndim", 0) for item in node.outputs]
    listed = [item if isinstance(item, list | tuple) else None for item in made or ()]
    if [None if item is None else len(item) for item in listed] != wanted:
        raise ValueError(
            format_error(
                f"{node.op}: infer_shape returned {made!r} for outputs of {wanted} dims",
                places=[node.origin],
                hint="return a list with one tuple per output, with one item per dim",
            )
        )
    return [tuple(_dim(node, dim) for dim in item) for item in listed if item is not None]


def _dim(node: Apply, dim: Any) -> Any:
    if getattr(dim, "ndim", None) == 0 and isinstance(dim, Variable):
        if "int" in str(getattr(dim, "dtype", "")):
            return dim
    elif not isinstance(dim, bool | float | Variable) and hasattr(dim, "__index__"):
        return int(dim)
    raise TypeError(
        format_error(
            f"{node.op}: infer_shape returned {dim!r} as the length of an axis",
            places=[node.origin],
            hint="a length is an int or a 0-d integer variable",
        )
    )


def disconnected() -> Variable:
    """Return a disconnected gradient: a variable of a :class:`DisconnectedType`."""
    return Variable(DisconnectedType())

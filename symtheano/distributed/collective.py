"""Operations in which all ranks take part, as ops with gradients.

A call of such an op waits for the other ranks, so all ranks must call the same ops in the same
order. The user's expressions do not tell an order. When a function is compiled, each op gets a
number and a token, the second result of the op before it (:mod:`symtheano.distributed.order`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano.codegen.routines.mpi import DIFFERENT, NO_MEMORY, NO_ROOT
from symtheano.codegen.runtime.mpi import world
from symtheano.errors import DistributedError
from symtheano.graph.op import Op
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.scalar.operand import Tensor
from symtheano.tensor.basic import as_tensor_variable
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, NodeArrays

Array = np.ndarray[Any, Any]


class WorldNumber(Op):
    """The number of this rank (``which=0``) or of all ranks (``which=1``), a 0-d int64.

    Compiled code asks for it in a call, so all ranks share it.
    """

    __props__ = ("which",)
    differentiable_inputs = 0
    unconditional = True

    def __init__(self, which: int) -> None:
        self.which = which

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """A number."""
        return [TensorType("int64", ())]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [()]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        here = world()
        output_storage[0][0] = np.asarray((here.rank, here.size)[self.which], "int64")

    @Statements
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        """Ask the table."""
        b.call("world_number", self.which, arrays.outputs[0].address)


class Collective(Op):
    """Base class of operations on all ranks.

    The inputs are those of :meth:`make_node`, and a token if the op is numbered. The outputs are
    the result and the next token. Equal ops are never merged once they are numbered.

    Parameters
    ----------
    number
        Its number among those of a function; -1 before the function is compiled.
    digest
        A number that describes all operations of the function.
    fixed
        Whether the ranks need to compare its length in a function's first call only.
    """

    __call__: Callable[..., Tensor]
    default_output: int | None = 0
    unconditional = True
    called: str
    operands = 1
    """Number of inputs without the token."""
    difference = "the ranks do not do the same"
    """What the error says if they have not found the same."""

    def __init__(self, number: int = -1, digest: int = 0, fixed: bool = False) -> None:
        self.number, self.digest, self.fixed = number, digest, fixed

    def numbered(self, number: int, digest: int, fixed: bool) -> Collective:
        """Return the op with a number; it takes a token."""
        values = {name: getattr(self, name) for name in self.__props__}
        return type(self)(**{**values, "number": number, "digest": digest, "fixed": fixed})

    def compared_lengths(self, node: Apply) -> tuple[int | None, ...]:
        """Return the lengths that the ranks compare; None for those that differ between calls."""
        return () if self.fixed else tuple(node.inputs[0].type.shape)

    def has_fixed_length(self, node: Apply) -> bool:
        """Return whether what the ranks compare of an operand's length is the same in all calls."""
        return None not in self.compared_lengths(node)

    def chained(self, inputs: Sequence[Any], token: Any) -> list[Any]:
        """Return the inputs of the numbered op."""
        return [*inputs[: self.operands], token]

    def make_node(self, *inputs: Any) -> Apply:
        """Check the number of inputs."""
        variables = [as_tensor_variable(item) for item in inputs]
        wanted = self.operands + (self.number >= 0)
        if len(variables) != wanted:
            raise TypeError(
                build_message(f"{self.called}: {len(variables)} operands, not {wanted}", *variables)
            )
        return Apply(self, variables, [self.result(*variables), TensorType("int64", ())])

    def result(self, *inputs: Any) -> Any:
        """Return the type of the result: that of the first input, if nothing else is declared."""
        return TensorType(inputs[0].dtype, inputs[0].type.shape)

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0], ()]

    def exchange(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Agree with the other ranks, and communicate through mpi4py: ``perform`` of subclasses."""
        here = world()
        values = [np.asarray(item, order="C") for item in inputs[: self.operands]]
        mine = (self.called, *self.essence(*values))
        everyone = here.waiting(partial(here.control.allgather, mine))
        if any(other != mine for other in everyone):
            raise DistributedError(self.explain(node, [DIFFERENT], everyone))
        output_storage[0][0] = here.waiting(partial(self.communicate, *values))
        output_storage[1][0] = np.asarray(self.number + 1, "int64")

    def essence(self, *values: Array) -> tuple[object, ...]:
        """Return what all ranks must have in common."""
        raise NotImplementedError

    def communicate(self, *values: Array) -> Array:
        """Return the result for arrays of this rank."""
        raise NotImplementedError

    def explain(
        self, node: Apply, values: Sequence[int], everyone: Sequence[object] | None = None
    ) -> str:
        """Return the message for a status of C, or for what the ranks do."""
        status, here, difference = values[0], world(), self.difference
        if status == DIFFERENT and everyone is None:
            mine = f"operation {self.number}: {self.described(node, values[1:])}", self.digest
            told = here.waiting(partial(here.control.allgather, mine))
            everyone = [text for text, _ in told]
            if len({its for _, its in told}) > 1:
                difference = "the functions of the ranks have not the same operations and lengths"
        hint = None
        if status == DIFFERENT:
            what = difference
            lines = [f"rank {r}: {_shown(each)}" for r, each in enumerate(everyone or ())]
            hint = "; ".join(lines)
        elif status == NO_MEMORY:
            what = "there is no memory for a bucket"
        elif status == NO_ROOT:
            what = f"there is no such root among {here.size} ranks"
        else:
            what = f"MPI has failed: {here.error_text(status)}"
        operands = node.inputs[: self.operands]
        return call_message(f"{self.called} (rank {here.rank}): {what}", node, *operands, hint=hint)

    def described(self, node: Apply, values: Sequence[int]) -> str:
        """Return what this rank does, with the length that it has compared, if there is one."""
        x = node.inputs[0]
        return f"{self} of {x.describe()}, {x.type}" + "".join(f", number {n}" for n in values[:1])

    def call(
        self, b: Builder, node: Apply, name: str, length: Any, *arguments: Any, agrees: bool = True
    ) -> None:
        """Generate the call of a C function and the error if it fails.

        With ``agrees``, it compares with other ranks what they do, for which it gets the digest,
        and whether this is so in the first call only.
        """
        if self.number < 0:
            raise NotImplementedError(
                call_message(f"{self.called}: it is not numbered", node, node.inputs[0])
            )
        compared = [self.digest, int(self.fixed)] * agrees
        self.check_status(b, node, b.call(name, self.number, *compared, *arguments), length)

    def check_status(self, b: Builder, node: Apply, status: Any, length: Any) -> None:
        """Generate the error for a status that is not 0."""
        from symtheano.loopir.index import Index

        self.check(b, node, status, [b.as_index(status), Index.of(length)])

    def check(self, b: Builder, node: Apply, status: Any, values: list[Any]) -> None:
        """Generate the error for a status that is not 0, which values explain."""
        b.check(b.is_zero(status), "value", partial(self.explain, node), values, DistributedError)

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Most operations are linear."""
        if eval_points[0] is None:
            return [None, None]
        return [self(eval_points[0], *inputs[1:]), None]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """The token is not connected, nor is any input but the first one."""
        return [[number == 0, False] for number in range(len(node.inputs))]


def _shown(each: object) -> str:
    return each if isinstance(each, str) else ", ".join(map(str, each))  # type: ignore[call-overload]


def rank() -> Tensor:
    """Return the number of this rank, from 0: a 0-d int64 whose value is known in a call.

    Compiled code does not depend on it, so all ranks share the same file of the cache.
    ``world().rank`` is the same as an int.

    Examples
    --------
    >>> int(rank().eval())
    0
    """
    result: Tensor = WorldNumber(0)()
    return result


def size() -> Tensor:
    """Return the number of ranks: a 0-d int64 whose value is known in a call; see :func:`rank`.

    Examples
    --------
    >>> int(size().eval())
    1
    """
    result: Tensor = WorldNumber(1)()
    return result

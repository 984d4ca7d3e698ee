"""Print: an op that shows a value while a compiled function runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from symtheano.errors import printable
from symtheano.graph.op import Op
from symtheano.graph.variable import Apply


def _print_attributes(op: Print, value: Any) -> None:
    for name in op.attrs:
        shown = getattr(value, name)
        print(printable(op.message), name, "=", shown() if callable(shown) else shown)


class Print(Op):
    """The identity; prints its operand each time a function computes it.

    Compiled functions call Python for it. It prevents rewriting and fusion, because the value that
    it prints must be computed.

    Parameters
    ----------
    message
        Text printed before the value.
    attrs
        Names of attributes of the NumPy array to print; methods are called.
    global_fn
        Function that is called with this op and the value instead of printing.

    Examples
    --------
    >>> x = T.vector("x")
    >>> f = symtheano.function([x], Print("x is", ["shape", "max"])(x).sum())
    >>> float(f([1.0, 2.0]))
    x is shape = (2,)
    x is max = 2.0
    3.0
    """

    __props__ = ("message", "attrs", "global_fn")

    def __init__(
        self,
        message: str = "",
        attrs: Sequence[str] = ("__str__",),
        global_fn: Callable[[Print, Any], None] = _print_attributes,
    ) -> None:
        self.message = message
        self.attrs = tuple(attrs)
        self.global_fn = global_fn

    def infer(self, *inputs: Any) -> Sequence[Any]:
        return [inputs[0].type]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        return [shapes[0]]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        self.global_fn(self, inputs[0])
        output_storage[0][0] = inputs[0]

    def vectorize(self, node: Apply, batch: Any) -> list[Any]:
        """Print the whole batch."""
        return [self(batch.inputs[0])]

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        return list(output_grads)

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        return list(eval_points)

    def __str__(self) -> str:
        return f"Print{{{self.message!r}}}" if self.message else "Print"

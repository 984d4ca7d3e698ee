"""``theano.raise_op``: an op that raises an exception when it runs."""

from __future__ import annotations

from typing import Any

from symtheano import Apply, Op


class Raise(Op):
    """Raises an exception in a call.

    Parameters
    ----------
    msg
        Its message.
    exc
        Its class.
    """

    __props__ = ("msg", "exc")

    def __init__(self, msg: str = "", exc: type[Exception] = NotImplementedError) -> None:
        self.msg, self.exc = msg, exc

    def make_node(self, x: Any) -> Apply:
        return Apply(self, [x], [x.type()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        raise self.exc(self.msg)

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[Any]:
        return shapes

    def L_op(self, inputs: Any, outputs: Any, output_gradients: Any) -> Any:
        return output_gradients

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        return [[True]]

    def __str__(self) -> str:
        return f"Raise{{{self.exc}({self.msg})}}"

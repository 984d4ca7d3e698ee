"""Python functions that compiled functions call: arrays in, arrays out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

from symtheano.errors import tell_iteration
from symtheano.graph.claims import Value
from symtheano.graph.variable import Apply
from symtheano.interpret import perform

Array = np.ndarray


class ArraySpec(NamedTuple):
    """Type of an array that goes to or comes from a Python op."""

    dtype: np.dtype
    ndim: int


class PythonOp(NamedTuple):
    """A Python function that a compiled function calls: arrays in, arrays out.

    Attributes
    ----------
    function
        Function of one array for each of ``inputs`` that returns a sequence with one for each of
        ``outputs``. It may keep or modify its arguments.
    inputs, outputs
        Types of its arguments and results.
    """

    function: Callable[..., Sequence[object]]
    inputs: tuple[ArraySpec, ...]
    outputs: tuple[ArraySpec, ...]

    def run(self, *arguments: Array) -> list[Array]:
        """Return the results in a form that C can read.

        Raises
        ------
        TypeError, ValueError
            If they are not what was promised.
        """
        results = self.function(*arguments)
        if len(results) != len(self.outputs):
            raise ValueError(
                f"{self.function} returned {len(results)} of {len(self.outputs)} outputs"
            )
        return [
            _checked(result, spec, self, number)
            for number, (result, spec) in enumerate(zip(results, self.outputs, strict=True))
        ]


def python_op(node: Apply, loops: Sequence[str] = ()) -> PythonOp:
    """Return what runs a node's ``perform``.

    Parameters
    ----------
    node
        The node.
    loops
        What runs the loops around it. The number of the iteration of each loop is an additional
        argument, which is told if there is an error.
    """
    numbers = [ArraySpec(np.dtype("int64"), 0)] * len(loops)
    return PythonOp(
        partial(_perform, node, loops),
        (*(ArraySpec(np.dtype(item.dtype), item.ndim) for item in node.inputs), *numbers),
        tuple(ArraySpec(np.dtype(item.dtype), item.ndim) for item in node.outputs),
    )


def _perform(node: Apply, loops: Sequence[str], *values: Array) -> list[Value]:
    count = len(node.inputs)
    try:
        return perform(node, list(values[:count]))
    except Exception as error:
        for loop, iteration in zip(loops[::-1], values[count:][::-1], strict=True):
            tell_iteration(error, loop, int(iteration))
        raise


def _checked(result: object, spec: ArraySpec, op: PythonOp, number: int) -> Array:
    """Return a Python op's result as C may read it, or raise TypeError."""
    array = np.asarray(result)
    if array.dtype != spec.dtype or array.ndim != spec.ndim:
        raise TypeError(
            f"{op.function}: output {number} is {array.dtype} with {array.ndim} dimensions, "
            f"but its op declared {spec.dtype} with {spec.ndim}"
        )
    # Unlike ascontiguousarray, this keeps arrays without dimensions, and aligns.
    return np.require(array, spec.dtype, ["C", "A"])

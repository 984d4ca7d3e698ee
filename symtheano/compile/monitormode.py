"""MonitorMode: calls functions before and after each node."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from symtheano.compile.nanguardmode import contains_nan
from symtheano.compile.numbers import summarize
from symtheano.function.modes import Mode
from symtheano.graph.variable import Apply
from symtheano.interpret import interpret, perform
from symtheano.printing.debugprint import debugprint

Look = Callable[[int, Apply, "Thunk"], Any]


@dataclass
class Thunk:
    """The values of one node in one call, in Theano's form.

    Attributes
    ----------
    inputs, outputs
        Lists with one item, the value; before the node runs, the value of an output is None.
    """

    inputs: list[list[Any]]
    outputs: list[list[Any]] = field(default_factory=list)


@dataclass(frozen=True, init=False)
class MonitorMode(Mode):
    """Call functions before and after each node of a graph.

    Functions run with NumPy, node by node, after the usual rewriting.

    Parameters
    ----------
    pre_func, post_func
        Called as ``f(i, node, fn)`` before and after node number ``i``: ``fn.inputs`` and
        ``fn.outputs`` are lists of one-item lists with the values.
    optimizer, linker, included, excluded
        As for :class:`Mode`; the linker is accepted and ignored.

    Examples
    --------
    >>> from symtheano import function
    >>> def show(i, node, fn):
    ...     print(i, node.op.scalar_op, [cell[0].tolist() for cell in fn.inputs])
    >>> x = T.vector("x")
    >>> f = function([x], T.exp(-x), mode=MonitorMode(pre_func=show))
    >>> y = f([1.0, 2.0])
    0 neg [[1.0, 2.0]]
    1 exp [[-1.0, -2.0]]
    """

    pre_func: Look | None
    post_func: Look | None

    def __init__(
        self,
        pre_func: Look | None = None,
        post_func: Look | None = None,
        optimizer: str | None = "fast_run",
        linker: str | None = None,
        included: Iterable[str] = (),
        excluded: Iterable[str] = (),
    ) -> None:
        super().__init__("interpret", optimizer, included, excluded)
        object.__setattr__(self, "pre_func", pre_func)
        object.__setattr__(self, "post_func", post_func)

    def run(self, stages: Any, values: Sequence[Any]) -> list[Any]:
        """Return the results; call the two functions for each node."""
        numbers = {node: number for number, node in enumerate(stages.graph.nodes)}

        def shown(node: Apply, operands: list[Any]) -> list[Any]:
            thunk = Thunk([[value] for value in operands], [[None] for _ in node.outputs])
            if self.pre_func is not None:
                self.pre_func(numbers[node], node, thunk)
            results = perform(node, operands)
            for cell, result in zip(thunk.outputs, results, strict=True):
                cell[0] = result
            if self.post_func is not None:
                self.post_func(numbers[node], node, thunk)
            return results

        return interpret(stages.graph, values, shown)


def detect_nan(i: int, node: Apply, fn: Thunk) -> None:
    """Print a node, its inputs and outputs, if an output contains NaN; a ``post_func``.

    :class:`symtheano.compile.nanguardmode.NanGuardMode` finds the first node that computes a NaN.

    Examples
    --------
    >>> from symtheano import function
    >>> x = T.scalar("x")
    >>> f = function([x], T.log(x), mode=MonitorMode(post_func=detect_nan))
    >>> y = f(-1.0)
    *** NaN detected ***
    Elemwise{log,no_inplace} [id A] ''
     |x [id B]
    Inputs : ['float64 -1.0']
    Outputs: ['float64 nan']
    """
    if not any(contains_nan(cell[0]) for cell in fn.outputs):
        return
    print("*** NaN detected ***")
    debugprint(node)
    print(f"Inputs : {[summarize(cell[0]) for cell in fn.inputs]}")
    print(f"Outputs: {[summarize(cell[0]) for cell in fn.outputs]}")

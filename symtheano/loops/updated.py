"""Updates by loops of shared variables, if the user does not pass the updates to ``function``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symtheano.graph.shared import SharedVariable
from symtheano.graph.variable import Variable
from symtheano.graph.walk import toposort
from symtheano.loops.scan_op import Scan


def start_of(target: SharedVariable, value: Any) -> Any:
    """Return the initial value of what becomes the update of a variable, with a note of this."""
    value.tag.becomes_update_of = target
    return value


def updates_of_loops(roots: Iterable[Any], stop: Iterable[Any] = ()) -> dict[Variable, Any]:
    """Return the new values of shared variables that loops update in each iteration.

    If several loops update one variable, all of them begin with its value, and the first loop
    determines the new value.

    Parameters
    ----------
    roots
        Expressions.
    stop
        Variables whose computation is not searched.

    Examples
    --------
    >>> from symtheano import scan
    >>> from symtheano.tensor.random import RandomStreams
    >>> srng = RandomStreams(3)
    >>> rows, _ = scan(lambda: srng.normal((2,)), n_steps=5)
    >>> len(updates_of_loops([rows]))
    1
    """
    updates: dict[Variable, Any] = {}
    for node in toposort(roots, stop):
        if isinstance(node.op, Scan):
            for number in range(node.op.layout.histories):
                initial = node.op.layout.initial(number)
                if initial is not None:
                    note = getattr(node.inputs[initial].tag, "becomes_update_of", None)
                    if note is not None and note not in updates:
                        updates[note] = node.outputs[number][-1]
    return updates

"""Values of expressions whose inputs are given by name."""

from __future__ import annotations

from typing import Any

from symtheano import function
from symtheano.graph.shared import SharedVariable
from symtheano.graph.walk import free_inputs


def evaluate(outputs: Any, **given: Any) -> Any:
    """Return what the interpreter computes for ``outputs``, a variable or a list.

    Values on which they do not depend may be given too.
    """
    free = free_inputs(outputs if isinstance(outputs, list) else [outputs])
    inputs = [item for item in free if not isinstance(item, SharedVariable)]
    values = [given[str(item.name)] for item in inputs]
    return function(inputs, outputs, mode="INTERPRET")(*values)

"""Random variables, drawn by NumPy's generators from Python."""

from __future__ import annotations

from typing import Any

from symtheano_pytensor.fallback import run_in_python
from symtheano_pytensor.registry import converts


@converts("RandomVariable")
def _random_variable(op: Any, node: Any, *operands: Any) -> Any:
    return run_in_python(node, operands)

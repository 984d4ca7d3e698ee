"""Lists of arrays, which Python computes."""

from __future__ import annotations

from typing import Any

from symtheano_pytensor.fallback import run_in_python
from symtheano_pytensor.registry import converts

_NAMES = "Append Count Extend GetItem Index Insert Length MakeList Remove Reverse".split()


@converts(*_NAMES, family="list")
def _list(op: Any, node: Any, *operands: Any) -> Any:
    return run_in_python(node, operands)

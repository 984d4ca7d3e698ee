"""``theano.compile.function``."""

from __future__ import annotations

import pickle
from typing import Any

from symtheano.function.api import function as function


def function_dump(
    filename: Any, inputs: Any, outputs: Any = None, mode: Any = None, **options: Any
) -> None:
    """Write the arguments of :func:`function` to a file, with which it can be made again."""
    arguments = {"inputs": inputs, "outputs": outputs, "mode": mode, **options}
    with open(filename, "wb") as file:
        pickle.dump(arguments, file, pickle.HIGHEST_PROTOCOL)

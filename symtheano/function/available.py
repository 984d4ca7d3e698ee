"""What is available on this machine: a compiler, and the dispatcher."""

from __future__ import annotations

import warnings
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any

from symtheano.graph.origin import user_stacklevel

if TYPE_CHECKING:
    from symtheano.codegen.native.later import Later


@cache
def warn_of_no_compiler(message: str) -> None:
    """Warn once that functions run in the interpreter, with the reason."""
    text = f"{message}\nFunctions run in the interpreter until then."
    warnings.warn(text, stacklevel=user_stacklevel())


def warn_of_interpreter(label: str, error: Exception) -> None:
    """Warn that a function runs in the interpreter, with what can't be compiled."""
    text = f"{label} runs in the interpreter, as it can't be compiled: {error}"
    warnings.warn(text, RuntimeWarning, stacklevel=user_stacklevel())


def warn_of_slow_code(label: str, error: Exception) -> None:
    """Warn that a function runs without optimization, with the reason."""
    text = f"{label} runs code that is not optimized: {error}"
    warnings.warn(text, RuntimeWarning, stacklevel=user_stacklevel())


def dispatcher_module(dispatcher: Later[Any] | None, wait: bool = False) -> Any:
    """Return the dispatcher's module, or None if it is unavailable or not ready."""
    if dispatcher is None or not (wait or dispatcher.ready):
        return None
    from symtheano.codegen.runtime.dispatch import NoDispatcherError

    with suppress(NoDispatcherError):
        return dispatcher.result()
    return None

"""function(): its arguments, the stages of compilation, compiled functions, and calls of them."""

from symtheano.function.api import evaluate, function
from symtheano.function.compiled import Function
from symtheano.function.making import collector_paused

__all__ = ["Function", "collector_paused", "evaluate", "function"]

"""function(): its arguments, the stages of compilation, compiled functions, and calls of them."""

from symtheano.function.api import evaluate, function
from symtheano.function.compiled import Function

__all__ = ["Function", "evaluate", "function"]

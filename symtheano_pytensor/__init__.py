"""PyTensor's functions, compiled by symtheano.

``import symtheano_pytensor`` registers the linker ``symtheano`` and the mode ``SYMTHEANO``.
"""

from symtheano_pytensor import (  # noqa: F401 (their converters register themselves)
    blas,
    creation,
    elemwise,
    factors,
    filters,
    indexing,
    linalg,
    lists,
    loops,
    random,
    shape,
    sorting,
    sparse,
)
from symtheano_pytensor.fallback import FallbackWarning
from symtheano_pytensor.functions import SymtheanoFunction
from symtheano_pytensor.linker import SymtheanoLinker
from symtheano_pytensor.mode import SYMTHEANO
from symtheano_pytensor.registry import converts

__all__ = [
    "SYMTHEANO",
    "FallbackWarning",
    "SymtheanoFunction",
    "SymtheanoLinker",
    "converts",
]

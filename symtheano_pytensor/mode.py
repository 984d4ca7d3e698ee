"""The mode ``SYMTHEANO``, and what importing the package registers."""

from __future__ import annotations

from typing import Any

from pytensor.compile.mode import Mode, register_linker, register_mode
from pytensor.graph.rewriting.db import RewriteDatabaseQuery

from symtheano_pytensor import folding
from symtheano_pytensor.functions import SymtheanoMaker
from symtheano_pytensor.linker import SymtheanoLinker

OWN = (
    "stabilize", "local_second_to_alloc", "local_elemwise_alloc", "reassociate_matmul_chain",
    "uncanonicalize", "add_mul_fusion",
)  # fmt: skip
"""Phases of PyTensor's rewrites that do what symtheano's rules do."""

SYMTHEANO = Mode(
    SymtheanoLinker(),
    RewriteDatabaseQuery(include=["fast_run", folding.TAG], exclude=[*OWN, folding.REPLACED]),
)
"""PyTensor's rewrites that no rule of symtheano replaces, then symtheano."""

_maker_of_other_modes = Mode.function_maker


def _function_maker(mode: Any) -> Any:
    """Return the class that makes functions of a mode."""
    if isinstance(mode.linker, SymtheanoLinker):
        return SymtheanoMaker
    return _maker_of_other_modes.fget(mode)


def register() -> None:
    """Register the linker, the mode and the class that makes functions.

    Modes are copied as objects of the class ``Mode``, by PyMC, too, so the class itself asks for
    the linker.
    """
    folding.register()
    register_linker("symtheano", SymtheanoLinker())
    register_mode("SYMTHEANO", SYMTHEANO)
    Mode.function_maker = property(_function_maker)


register()

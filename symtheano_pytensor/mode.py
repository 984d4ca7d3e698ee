"""The mode ``SYMTHEANO``."""

from __future__ import annotations

from typing import Any

from pytensor.compile.mode import Mode, register_linker, register_mode
from pytensor.graph.rewriting.db import RewriteDatabaseQuery

from symtheano_pytensor.functions import SymtheanoMaker
from symtheano_pytensor.linker import SymtheanoLinker

LINKER = SymtheanoLinker()


class SymtheanoMode(Mode):  # type: ignore[misc]
    """A mode whose functions are compiled by symtheano."""

    @property
    def function_maker(self) -> Any:
        """The class that makes functions."""
        return SymtheanoMaker


def make_mode() -> Any:
    """Return the mode: PyTensor's rewrites that do not belong to a back end, then symtheano."""
    return SymtheanoMode(SymtheanoLinker(), RewriteDatabaseQuery(include=["fast_run"]))


SYMTHEANO = make_mode()

register_linker("symtheano", LINKER)
register_mode("SYMTHEANO", SYMTHEANO)

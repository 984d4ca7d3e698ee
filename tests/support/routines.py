"""The C text of routines, for tests that compile them alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symtheano.codegen.c_prelude import routine_sections
from symtheano.codegen.routines import ROUTINES


def routine_texts(calls: Iterable[tuple[str, str]], externals: Sequence[str] = ()) -> str:
    """Return the text of routines, given by name and dtype."""
    return "\n".join(routine_sections({(n, d): ROUTINES[n] for n, d in calls}, externals))

"""C names of a program's values, buffers and functions."""

from __future__ import annotations

from symtheano.codegen.c.needs import Needs, library_functions
from symtheano.loopir.program import Program

RESERVED = frozenset(
    # C11
    "auto break case char const continue default do double else enum extern float for goto if "
    "inline int long register restrict return short signed sizeof static struct switch typedef "
    "union unsigned void volatile while main "
    # headers
    "bool false true NULL size_t offsetof ptrdiff_t wchar_t max_align_t int8_t int16_t int32_t "
    "int64_t uint8_t uint16_t uint32_t uint64_t aligned_alloc free "
    # our own names
    "runtime inputs outputs error status arena arena_bytes given done "
    "omp_get_thread_num omp_get_num_threads frame estimate device_arena device_arena_bytes "
    "call".split()
)
"""Words that can't be names: of C, of its headers, and our own."""


def c_names(program: Program, needs: Needs, own: frozenset[str]) -> dict[str, str]:
    """Rename names that conflict with C."""
    taken = RESERVED | library_functions(needs).keys()
    for routine in needs.routines.values():
        taken |= set(routine.symbols)
    used = set(own)
    names: dict[str, str] = {}
    for name in sorted(used & taken | {program.name} & taken):
        changed = f"{name}_"
        while changed in used or changed in taken:
            changed += "_"
        names[name] = changed
        used.add(changed)
    return names

"""Separate compilation: the text of a program without its routines, and the text of each routine.

The text of a routine is the same for all programs that call it, so its object file is kept and
linked with each of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import product

from symtheano.codegen.c.needs import Needs, library_functions, routine_needs
from symtheano.codegen.c.prelude import math_section, prelude
from symtheano.codegen.c.statements import function_name
from symtheano.codegen.c.text import without_comments
from symtheano.codegen.c.vector_math import math_texts
from symtheano.codegen.record import BLAS
from symtheano.codegen.targets import MEASURED, Target
from symtheano.dataclass import replace
from symtheano.dtypes import short_name
from symtheano.loopir.routine import Routine

# The definition of a function of a routine that is not inlined: storage, head, name, and body.
_FUNCTION = re.compile(
    r"^(?:ST_ONCE|ST_SELDOM|static(?! inline)) ([^;{}]*?\b(st_\w+)\([^;{}]*\)) \{\n.*?^\}\n",
    re.MULTILINE | re.DOTALL,
)
# In characters of functions: to compile less takes no longer than to read and link an object file.
_SMALL = 1500


def separate(
    text: str,
    needs: Needs,
    vector_functions: frozenset[str],
    accuracy: str,
    target: Target = MEASURED,
) -> tuple[str, tuple[str, ...]]:
    """Return the text of a program without routines, and the texts of these, without comments.

    Mathematical functions that are not inlined are separated like routines.

    Parameters
    ----------
    text
        The text of a program without comments.
    needs
        What the program requires.
    vector_functions, accuracy, target
        As for :func:`symtheano.codegen.c.program.print_c`.
    """
    options = (vector_functions, accuracy, target)
    functions = math_texts(library_functions(needs), needs.math_calls, accuracy, target.functions)
    objects = tuple(map(without_comments, functions))
    if objects:
        whole, linked = (
            without_comments(math_section(needs, *options, separate=apart) + "\n").strip("\n")
            for apart in (False, True)
        )
        text = text.replace(whole, linked, 1)
    shared = {
        key: routine for key, routine in needs.routines.items() if set(routine.links) <= {BLAS}
    }
    texts = {
        key: without_comments(prelude(routine_needs({key: routine}), *options))
        for key, routine in shared.items()
    }
    while shared:
        rest = {key: routine for key, routine in needs.routines.items() if key not in shared}
        kept = functions_of(prelude(replace(needs, routines=rest), *options))
        refused = [key for key in shared if not _is_separable(key, shared[key], texts[key], kept)]
        if not refused:
            break
        for key in refused:
            del shared[key]
    if not shared:
        return text, objects
    dropped = {name for key in shared for name in functions_of(texts[key])} - set(kept)
    exported = {name for key, routine in shared.items() for name in _exported(key, routine)}

    def declaration(match: re.Match[str]) -> str:
        if match[2] in exported:
            return f"{match[1]};\n"
        # Functions that are inlined, and that the program does not call, may refer to it.
        return f"static {match[1]};\n" if match[2] in dropped else match[0]

    body = _public(_FUNCTION.sub(declaration, text), exported)
    routines = (_public(texts[key], _exported(key, shared[key])) for key in sorted(shared))
    return body, (*objects, *routines)


def routine_texts(routines: Iterable[Routine], dtypes: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of those routines that are compiled separately.

    Examples
    --------
    >>> from symtheano.codegen.routines import ROUTINES
    >>> dict(routine_texts([ROUTINES["gemv"], ROUTINES["copy"]], ["float64"])).keys()
    dict_keys(['st_gemv_f64'])
    """
    for routine, dtype in product(routines, dtypes):
        needs = routine_needs({(routine.name, dtype): routine})
        text = without_comments(prelude(needs, frozenset()))
        for separated in separate(text, needs, frozenset(), "default")[1]:
            yield function_name(routine, dtype), separated


def functions_of(text: str) -> dict[str, int]:
    r"""Return the functions of routines in a text that are not inlined, with their lengths.

    Examples
    --------
    >>> functions_of("static int st_twice(int x) {\n    return 2 * x;\n}\n")
    {'st_twice': 49}
    """
    return {match[2]: len(match[0]) for match in _FUNCTION.finditer(text)}


def _exported(key: tuple[str, str], routine: Routine) -> tuple[str, ...]:
    """Return the names of the functions that programs call."""
    name = function_name(routine, key[1])
    size = f"st_{routine.name}_bytes_{short_name(key[1])}"
    return (name, size) if routine.workspace else (name,)


def _is_separable(
    key: tuple[str, str], routine: Routine, text: str, kept: Mapping[str, int]
) -> bool:
    """Return whether a routine is worth an object file, and the program has no copy of it."""
    functions = functions_of(text)
    names = _exported(key, routine)
    if any(name in kept or name not in functions for name in names):
        return False
    return sum(length for name, length in functions.items() if name not in kept) >= _SMALL


def _public(text: str, names: set[str] | tuple[str, ...]) -> str:
    """Return a text in which functions of these names are not local to their file."""
    for name in names:
        head = rf"^(?:ST_ONCE|ST_SELDOM|static) (?=[^;{{}}=]*?\b{name}\()"
        text = re.sub(head, "", text, flags=re.MULTILINE)
    return text

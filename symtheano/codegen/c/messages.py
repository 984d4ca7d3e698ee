"""The messages of a program's checks as C, for programs without Python."""

from __future__ import annotations

import re
from collections.abc import Sequence

from symtheano.loopir.builder import Site

_HEAD = """\
/* The message of an error of {name}: what snprintf writes, and returns. Include it after the file
   with {name}, and <stdio.h>. */
static int {name}_message(char *text, size_t size, const st_error *error) {{
    const int64_t *const v = error->values;
    (void)v;
    switch (error->site) {{
"""
_TAIL = """\
    default:
        return snprintf(text, size, "not enough memory");
    }
}
"""


def messages_text(name: str, sites: Sequence[Site]) -> str:
    """Return a C function that writes the message of an error.

    Parameters
    ----------
    name
        Name of the entry point.
    sites
        The checks, by number.

    Examples
    --------
    >>> text = messages_text("f", [Site("shape", lambda v: f"length {v[0]}", 1)])
    >>> "case 0:" in text, '"length %lld", (long long)v[0]' in text
    (True, True)
    """
    cases = []
    for number, site in enumerate(sites):
        literal, taken = site.format.printf()
        lines = re.sub(r"(?<!\\)((?:\\\\)*)\\n", r'\1\\n"\n            "', literal)
        values = "".join(f", (long long)v[{place}]" for place in taken)
        cases.append(f"    case {number}:\n        return snprintf(text, size, {lines}{values});\n")
    return _HEAD.format(name=name) + "".join(cases) + _TAIL

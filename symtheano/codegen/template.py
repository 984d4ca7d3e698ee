"""Files of C, and names in them that are filled in: the one way in which C text is made of files.

A name is marked by a sign that C does not have, as in ``st_sort_@SUFFIX@(@TYPE@ *x)``, so nothing
else of the text can be taken for one, and what is filled in is not searched for names again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache

_NAME = re.compile(r"@([\w.]+)@")


@cache
def file_text(module: str, name: str) -> str:
    """Return the text of a file.

    Parameters
    ----------
    module
        ``__file__`` of the module that the file stands beside.
    name
        Its name, such as ``sizes.c``.

    Raises
    ------
    OSError
        If it can't be read.
    """
    with open(os.path.join(os.path.dirname(module), name), encoding="utf-8") as file:
        return file.read()


def fill(text: str, words: Mapping[str, str], shared: Mapping[str, str] | None = None) -> str:
    """Return a text in which marked names are replaced.

    Parameters
    ----------
    text
        The text.
    words
        The meanings of names, each of which must be in the text.
    shared
        Meanings of names that several texts share, and need not be in each of them.

    Raises
    ------
    ValueError
        If the text has a name without a meaning, or lacks one of ``words``.

    Examples
    --------
    >>> fill("@TYPE@ st_one_@SUFFIX@;", {"TYPE": "double", "SUFFIX": "f64"})
    'double st_one_f64;'
    """
    meanings = {**(shared or {}), **words}
    used: set[str] = set()

    def meaning(match: re.Match[str]) -> str:
        used.add(match[1])
        return meanings[match[1]]

    try:
        filled = _NAME.sub(meaning, text)
    except KeyError as error:
        raise ValueError(f"C text has @{error.args[0]}@, for which no value is given") from None
    missing = [word for word in words if word not in used]
    if missing:
        raise ValueError(f"C text has no @{'@, @'.join(missing)}@, for which a value is given")
    return filled

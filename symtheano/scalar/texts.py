"""The texts of C files beside the tables."""

from __future__ import annotations

import os


def text_of(name: str) -> str:
    """Return the text of a file of this directory.

    Examples
    --------
    >>> "st_psi_{d}" in text_of("psi.c")
    True
    """
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()

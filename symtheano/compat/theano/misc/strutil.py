"""``theano.misc.strutil``."""

from __future__ import annotations


def render_string(string: str, sub: dict[str, object]) -> str:
    """Return a text with the names in ``%(name)s`` replaced.

    Raises
    ------
    ValueError
        If a name has no value.
    """
    try:
        return string % sub
    except KeyError as error:
        raise ValueError(f"the text has the name {error}, which has no value") from None

"""The digest by which graphs and compiled code are known: BLAKE2b, of 256 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b
else:
    try:
        # What hashlib gives for this name; hashlib loads OpenSSL, a quarter of a warm start.
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b


def new_digest(data: bytes = b"") -> blake2b:
    """Return a digest that more data can be added to."""
    return blake2b(data, digest_size=32)


def digest(data: bytes) -> str:
    """Return 64 hexadecimal digits that no other data have.

    Examples
    --------
    >>> digest(b"")[:16], len(digest(b""))
    ('0e5751c026e543b2', 64)
    """
    return new_digest(data).hexdigest()

"""The digest that identifies graphs and compiled code: BLAKE2b with 256 bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hashlib import blake2b
else:
    try:
        # The same as in hashlib, which would load OpenSSL: a quarter of a warm start.
        from _blake2 import blake2b
    except ImportError:
        from hashlib import blake2b


def new_digest(data: bytes = b"") -> blake2b:
    """Return a digest to which data can be added."""
    return blake2b(data, digest_size=32)


def digest(data: bytes) -> str:
    """Return the digest of data as 64 hexadecimal digits.

    Examples
    --------
    >>> digest(b"")[:16], len(digest(b""))
    ('0e5751c026e543b2', 64)
    """
    return new_digest(data).hexdigest()

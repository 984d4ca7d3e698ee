"""``theano.tests``."""

from __future__ import annotations


def test() -> None:
    """Raise an error, since symtheano has tests of its own."""
    raise ImportError("theano.test: symtheano's tests are in its repository; run them with pytest")

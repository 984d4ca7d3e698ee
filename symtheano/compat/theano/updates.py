"""``theano.updates``."""

from symtheano.updates import OrderedUpdates

__all__ = ["OrderedUpdates"]

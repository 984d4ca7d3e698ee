"""``theano.scan_module.scan_checkpoints``."""

from symtheano.loops.checkpoints import scan_checkpoints

__all__ = ["scan_checkpoints"]

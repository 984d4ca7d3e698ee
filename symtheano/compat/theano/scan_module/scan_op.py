"""``theano.scan_module.scan_op``: the class of loops, for ``isinstance``."""

from symtheano.loops.scan_op import Scan

__all__ = ["Scan"]

"""Loops over sequences: Theano's module of this name."""

from typing import TYPE_CHECKING

from symtheano.loops.checkpoints import scan_checkpoints
from symtheano.loops.scan import foldl, foldr, map, reduce, scan, until
from symtheano.names import public

__all__ = ["foldl", "foldr", "map", "reduce", "scan", "scan_checkpoints", "until"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

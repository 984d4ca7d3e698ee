"""``theano.compile``."""

from __future__ import annotations

from symtheano import Function, In, Mode, OpFromGraph, Out, as_op, function
from symtheano.graph.shared import SharedVariable

from .sharedvalue import shared, shared_constructor

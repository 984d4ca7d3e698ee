"""``theano.compile``."""

from __future__ import annotations

from symtheano import Function, In, Mode, OpFromGraph, Out, as_op, function, shared
from symtheano.graph.shared import SharedVariable

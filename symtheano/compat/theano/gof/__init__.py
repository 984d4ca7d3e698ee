"""``theano.gof``."""

from __future__ import annotations

from symtheano import Apply, Constant, FunctionGraph, Op, Type, Variable
from symtheano.errors import InconsistencyError
from symtheano.graph.type import Generic, generic

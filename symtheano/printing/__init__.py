"""Graphs as text: trees, formulas, applied rules; and an op that prints values."""

from symtheano.printing.debugprint import debugprint
from symtheano.printing.explain import explain
from symtheano.printing.pp import pp
from symtheano.printing.value import Print

# Theano's alternative names.
dprint = debugprint
pprint = pp

__all__ = ["Print", "debugprint", "dprint", "explain", "pp", "pprint"]

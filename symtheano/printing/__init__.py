"""Graphs as text: trees, formulas, what the rules did; and an op that prints values as it runs."""

from symtheano.printing.debugprint import debugprint
from symtheano.printing.explain import explain
from symtheano.printing.pp import pp
from symtheano.printing.value import Print

# Theano's other names.
dprint = debugprint
pprint = pp

__all__ = ["Print", "debugprint", "dprint", "explain", "pp", "pprint"]

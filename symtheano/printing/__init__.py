"""Graphs as text: trees, formulas, applied rules; and an op that prints values."""

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.printing.debugprint import debugprint
from symtheano.printing.dot import pydotprint
from symtheano.printing.explain import explain
from symtheano.printing.latex import latex
from symtheano.printing.pp import pp
from symtheano.printing.value import Print

# Theano's alternative names.
dprint = debugprint
pprint = pp

__all__ = ["Print", "debugprint", "dprint", "explain", "latex", "pp", "pprint", "pydotprint"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

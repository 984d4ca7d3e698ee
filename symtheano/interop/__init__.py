"""Conversion of graphs to and from SymPy and networkx.

Both are installed with the extra ``symbolic`` and imported when one of these functions is called.
"""

from symtheano.interop.from_sympy import from_sympy
from symtheano.interop.networkx import to_networkx
from symtheano.interop.to_sympy import to_sympy
from symtheano.printing.dot import pydotprint
from symtheano.printing.latex import latex

__all__ = ["from_sympy", "latex", "pydotprint", "to_networkx", "to_sympy"]

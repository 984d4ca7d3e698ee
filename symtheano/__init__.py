"""symtheano: symbolic tensor expressions, compiled to C.

Build expressions with :mod:`symtheano.tensor`, differentiate them with :func:`grad`, and turn the
whole graph into one compiled C function with :func:`function`.
"""

__version__ = "0.1.0"

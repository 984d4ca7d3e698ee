"""Pickles that Theano, Lasagne and Blocks have written: their objects become symtheano's.

Within a program of Theano, the functions of the module ``pickle`` read them
(:mod:`symtheano.compat.supplies`).
"""

from symtheano.compat.pickles.reading import OF_PICKLE, Unpickler, load, loads

__all__ = ["OF_PICKLE", "Unpickler", "load", "loads"]

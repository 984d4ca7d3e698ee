"""Sizes of memory in C: the one way in which routines and own libraries multiply lengths.

Lengths may be those of empty arrays, of views that repeat elements, or numbers of the user's, so no
sum or product of them is computed without a limit (``sizes.c``). A size at the limit is requested
like others, and refused. Sizes that are polynomials are printed by ``codegen/c/printer.py``, which
estimates them in floating point, since their terms may be negative.
"""

from __future__ import annotations

from symtheano.codegen.template import file_text

SIZES = file_text(__file__, "sizes.c")
"""The C text; files have it once, before what uses it."""

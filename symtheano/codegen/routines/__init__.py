"""The routines that compiled code calls: for each, its declaration beside its C text.

``memory.py`` has those that copy and clear arrays, ``own.py`` sorting and transforms, ``blas/``
products, ``attention/`` attention, ``convolution/`` convolutions, ``pooling/`` pooling, ``lapack/``
decompositions, and ``random/`` random numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

from symtheano.codegen.routines.attention import ATTENTION
from symtheano.codegen.routines.blas import PRODUCTS
from symtheano.codegen.routines.convolution import CONVOLUTIONS
from symtheano.codegen.routines.lapack import DECOMPOSITIONS
from symtheano.codegen.routines.memory import MEMORY
from symtheano.codegen.routines.own import OWN
from symtheano.codegen.routines.pooling import POOLINGS
from symtheano.codegen.routines.random import RANDOM
from symtheano.loopir.routine import Routine

ROUTINES: Mapping[str, Routine] = {
    routine.name: routine
    for routine in (
        *MEMORY,
        *PRODUCTS,
        *CONVOLUTIONS,
        *POOLINGS,
        *ATTENTION,
        *OWN,
        *DECOMPOSITIONS,
        *RANDOM,
    )
}
"""All routines by name."""

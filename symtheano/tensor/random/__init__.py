"""Random numbers: NumPy's generator, MRG31k3p and Philox, and distributions drawn from them.

``RandomStreams`` and the other streams have Theano's arguments, ``normal(size, avg, std)``. The
functions of this module and ``Generator``, which ``default_rng(seed)`` returns, have NumPy's
arguments, ``normal(loc, scale, size)``. The functions draw from one generator of the process.
``seed`` sets it, for the variables that are made afterwards.
"""

# mypy: implicit-reexport

from typing import TYPE_CHECKING

from symtheano.names import late
from symtheano.tensor.random.mrg import MRG_RandomStreams as MRG_RandomStreams
from symtheano.tensor.random.philox import PhiloxStreams as PhiloxStreams
from symtheano.tensor.random.state import as_generator as as_generator, state_words as state_words
from symtheano.tensor.random.streams import RandomStreams as RandomStreams

_OWN = ["MRG_RandomStreams", "PhiloxStreams", "RandomStreams", "as_generator", "state_words"]

if TYPE_CHECKING:
    from symtheano.tensor.random.lazy import *  # noqa: F403 (written from the table below)
else:
    __getattr__, __dir__, __all__ = late(
        __name__,
        {
            "tensor.random.generator": "Generator beta binomial choice default_rng exponential "
            "gamma integers laplace multinomial normal permutation poisson random random_normal "
            "random_uniform seed standard_normal uniform",
        },
        _OWN,
    )

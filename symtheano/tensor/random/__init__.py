"""Random numbers: NumPy's stream, MRG31k3p and Philox, and the distributions drawn from them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.random.mrg import MRG_RandomStreams
from symtheano.tensor.random.philox import PhiloxStreams
from symtheano.tensor.random.state import as_generator, state_words
from symtheano.tensor.random.streams import RandomStreams

__all__ = ["MRG_RandomStreams", "PhiloxStreams", "RandomStreams", "as_generator", "state_words"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

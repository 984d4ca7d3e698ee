"""Theano's module of the same name: random variables drawn from streams of MRG31k3p."""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.random.mrg import MRG_RandomStream, MRG_RandomStreams, guess_n_streams
from symtheano.tensor.random.mrg31k3p import ff_2p72, ff_2p134
from symtheano.tensor.random.mrg_op import MRGUniform as mrg_uniform

__all__ = [
    "MRG_RandomStream", "MRG_RandomStreams", "ff_2p72", "ff_2p134", "guess_n_streams",
    "mrg_uniform",
]  # fmt: skip

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

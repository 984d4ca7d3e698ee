"""The arguments that optimizers pass on to their base class, for type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class OptionsWithoutDecay(TypedDict, total=False):
    """Arguments of :class:`~symtheano.nn.Optimizer` besides learning rate and weight decay."""

    exclude_from_weight_decay: Sequence[str]
    clipvalue: float | None
    clipnorm: float | None
    global_clipnorm: float | None


class Options(OptionsWithoutDecay, total=False):
    """Arguments of :class:`~symtheano.nn.Optimizer` besides the learning rate."""

    weight_decay: float

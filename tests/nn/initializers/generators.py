"""The generator that tests of initializers use."""

from __future__ import annotations

import numpy as np


def rng() -> np.random.Generator:
    return np.random.default_rng(7)

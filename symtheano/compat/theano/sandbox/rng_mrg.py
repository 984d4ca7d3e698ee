"""``theano.sandbox.rng_mrg``."""

from __future__ import annotations

from symtheano.sandbox.rng_mrg import *

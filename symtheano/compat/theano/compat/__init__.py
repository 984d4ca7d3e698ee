"""``theano.compat``."""

from __future__ import annotations

"""``theano.scalar.basic``."""

from __future__ import annotations

from symtheano.dtypes import upcast

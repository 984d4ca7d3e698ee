"""``theano.typed_list``."""

from __future__ import annotations

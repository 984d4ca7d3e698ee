"""``theano.typed_list``: lists in graphs."""

from __future__ import annotations

from .basic import *
from .type import TypedListType

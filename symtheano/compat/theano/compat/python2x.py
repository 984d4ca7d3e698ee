"""``theano.compat.python2x``."""

from __future__ import annotations

from collections import Counter, OrderedDict
from functools import partial

from . import DefaultOrderedDict

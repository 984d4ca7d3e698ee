"""``theano.scalar``."""

from __future__ import annotations

from . import basic, basic_scipy, sharedvar
from .basic import *
from .basic_scipy import *
from .sharedvar import shared

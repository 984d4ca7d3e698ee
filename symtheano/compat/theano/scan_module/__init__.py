"""``theano.scan_module``."""

from __future__ import annotations

from symtheano.scan_module import *
from . import scan_utils

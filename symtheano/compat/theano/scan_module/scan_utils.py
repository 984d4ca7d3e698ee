"""``theano.scan_module.scan_utils``."""

from __future__ import annotations

from symtheano import clone
from symtheano.scan_module import until

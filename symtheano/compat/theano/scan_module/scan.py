"""``theano.scan_module.scan``."""

from __future__ import annotations

from symtheano.scan_module import scan

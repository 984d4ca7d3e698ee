"""``theano.scan_module.scan_views``."""

from __future__ import annotations

from symtheano.scan_module import foldl, foldr, map, reduce

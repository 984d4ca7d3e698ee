"""``theano.scan_module``."""

from __future__ import annotations

from . import scan_op, scan_opt, scan_utils, scan_views
from .scan import scan
from .scan_checkpoints import scan_checkpoints
from .scan_utils import clone, until
from .scan_views import foldl, foldr, map, reduce

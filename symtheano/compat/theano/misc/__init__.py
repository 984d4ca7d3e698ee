"""``theano.misc``."""

from . import doubleop, frozendict, may_share_memory, ordered_set, safe_asarray, strutil

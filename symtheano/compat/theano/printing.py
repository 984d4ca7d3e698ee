"""``theano.printing``."""

from __future__ import annotations

from symtheano.printing import Print, debugprint, pp, pprint, pydotprint

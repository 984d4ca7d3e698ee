"""What ``import theano`` finds first in a process that ``multiprocessing`` starts anew.

Such a process has the ``sys.path`` of the one that starts it, and not its finders: this module puts
the finder there, and is replaced by the module that it finds.
"""

from __future__ import annotations

import sys
from importlib import import_module

from symtheano import compat

if __name__ == "theano":
    del sys.modules[__name__]
    compat.install(replace=True)
    import_module(__name__)

"""``theano``: symtheano under Theano's names, with Theano's meaning.

Loaded under the name ``theano`` after :func:`symtheano.compat.install`.
"""

# Programs import from here what is imported here.

from __future__ import annotations

import logging as _logging
import sys as _sys
from typing import Any, TYPE_CHECKING

if not TYPE_CHECKING and __name__ != "theano":
    raise ImportError("call symtheano.compat.install(), then import theano")

from symtheano import (
    Lop,
    OrderedUpdates,
    Rop,
    clone,
    dot,
    foldl,
    foldr,
    get_scalar_constant_value,
    grad,
    map,
    reduce,
    scan,
    scan_checkpoints,
    sparse_grad,
    subgraph_grad,
)
from symtheano.compat.supplies import supply as _supply
from symtheano.names import MissingName
from symtheano.tensor.arrays import _asarray

from .configdefaults import config
from .configparser import change_flags
from .version import version as __version__

_supply()

theano_logger = _logging.getLogger("theano")
logging_default_handler = _logging.StreamHandler()
logging_default_formatter = _logging.Formatter("%(levelname)s (%(name)s): %(message)s")

__api_version__ = 1

from . import (  # isort: skip
    gof,
    gradient,
    scalar,
    tensor,
    compat,
    compile,
    ifelse,
    misc,
    printing,
    raise_op,
    sandbox,
    scan_module,
    sparse,
    tests,
    typed_list,
    updates,
)
from .compile import *  # isort: skip
from .gof import *  # isort: skip
from .printing import pp, pprint  # isort: skip
from .tests import test  # isort: skip


def __getattr__(name: str) -> Any:
    raise MissingName(__name__, name)


# Programs with a star import, or T.theano, find these names there.
for _module in (tensor.basic, tensor, tensor.raw_random):
    _module.__dict__.update(
        theano=_sys.modules[__name__],
        compile=compile,
        config=config,
        elemwise=tensor.elemwise,
        gof=gof,
        printing=printing,
        scal=scalar,
    )
tensor.raw_random.tensor = tensor
gof.opt.theano = _sys.modules[__name__]

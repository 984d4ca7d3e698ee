"""Theano's module of the same name: the ops that programs import from it.

There are no equivalents of its rewrites; for rewrite rules see ``symtheano.rewrites``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symtheano.names import public
from symtheano.tensor.assertion import Assert, assert_op
from symtheano.tensor.constant_values import get_scalar_constant_value
from symtheano.tensor.shapes.shape import MakeVector, Shape_i, shape_i

__all__ = ["Assert", "MakeVector", "Shape_i", "assert_op", "get_scalar_constant_value", "shape_i"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = public(__name__)

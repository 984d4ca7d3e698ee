"""``theano.tests.unittest_tools``."""

from __future__ import annotations

"""``theano.tests.unittest_tools``."""

from __future__ import annotations

import sys
import unittest
from collections.abc import Callable, Sequence
from copy import copy, deepcopy
from typing import Any
from unittest import SkipTest

import numpy as np

from symtheano import Function, function, tensor as T, verify_grad as _verify_grad
from symtheano.errors import GradientError

from ..configdefaults import config


def attr(*args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    """Return a decorator without effect; nose selects tests by these attributes."""
    return lambda function: function


def custom_name_func(testcase_func: Any, param_num: Any, param: Any) -> str:
    """Return a name of a test with parameters."""
    shown = "_".join(map(str, param.args))
    return f"{testcase_func.__name__}_{''.join(c if c.isalnum() else '_' for c in shown)}"


def fetch_seed(pseed: Any = None) -> int | None:
    """Return the seed of tests: the argument, or ``config.unittests.rseed``."""
    seed = pseed or config.unittests.rseed
    return None if seed in ("random", "None", "") else int(seed)


def seed_rng(pseed: Any = None) -> int | None:
    """Seed NumPy's global generator."""
    seed = fetch_seed(pseed)
    np.random.seed(seed)  # noqa: NPY002 (programs draw from it)
    return seed


def verify_grad(
    op: Any, pt: Any, n_tests: int = 2, rng: Any = None, *args: Any, **kwargs: Any
) -> None:
    """Compare a gradient with differences; without a generator, one is seeded."""
    if rng is None:
        rng = np.random.RandomState(seed_rng())
    _verify_grad(op, pt, n_tests, rng, *args, **kwargs)


verify_grad.E_grad = GradientError


class MockRandomState:
    """A generator whose numbers are all the smallest (``val`` is 0) or the largest ones."""

    def __init__(self, val: float) -> None:
        self.val = val

    def rand(self, *shape: int) -> Any:
        return np.full(shape, float(self.val))

    def randint(self, minval: int, maxval: int | None = None, size: Any = 1) -> Any:
        low, high = (0, minval) if maxval is None else (minval, maxval)
        return np.full(size, low if self.val == 0 else high - 1, "int64")


class TestOptimizationMixin:
    """Assertions on the ops of a compiled function."""

    def _count(self, f: Function[Any], fits: Callable[[Any], bool], least: int, most: int) -> None:
        nodes = f.maker.fgraph.toposort()
        found = sum(map(fits, (node.op for node in nodes)))
        assert least <= found <= most, (nodes, found, least, most)

    def assertFunctionContains(self, f: Any, op: Any, min: int = 1, max: int = sys.maxsize) -> None:
        self._count(f, lambda other: bool(other == op), min, max)

    def assertFunctionContains0(self, f: Any, op: Any) -> None:
        self.assertFunctionContains(f, op, 0, 0)

    def assertFunctionContains1(self, f: Any, op: Any) -> None:
        self.assertFunctionContains(f, op, 1, 1)

    def assertFunctionContainsN(self, f: Any, op: Any, N: int) -> None:
        self.assertFunctionContains(f, op, N, N)

    def assertFunctionContainsClass(
        self, f: Any, op: Any, min: int = 1, max: int = sys.maxsize
    ) -> None:
        self._count(f, lambda other: isinstance(other, op), min, max)

    def assertFunctionContainsClassN(self, f: Any, op: Any, N: int) -> None:
        self.assertFunctionContainsClass(f, op, N, N)

    def SkipTest(self, msg: str = "Skip this test") -> None:
        raise SkipTest(msg)


class T_OpContractMixin:
    """Tests of the equality of ops; a subclass sets ``ops`` and defines ``clone``."""

    ops: Sequence[Any] = ()
    other_op: Any = T.add

    def copy(self, x: Any) -> Any:
        return copy(x)

    def deepcopy(self, x: Any) -> Any:
        return deepcopy(x)

    def clone(self, op: Any) -> Any:
        raise NotImplementedError("return another op that equals this one")

    def test_eq(self) -> None:
        for number, op in enumerate(self.ops):
            for twin in (op, self.copy(op), self.deepcopy(op), self.clone(op)):
                assert op == twin
            assert op != self.other_op
            assert all(op != other for k, other in enumerate(self.ops) if k != number)

    def test_hash(self) -> None:
        for op in self.ops:
            for twin in (op, self.copy(op), self.deepcopy(op), self.clone(op)):
                assert hash(op) == hash(twin)

    def test_name(self) -> None:
        assert all(map(str, self.ops))


class InferShapeTester(unittest.TestCase):
    """Base class of tests of ``infer_shape``."""

    mode: Any = None

    def setUp(self) -> None:
        seed_rng()

    def _compile_and_check(
        self,
        inputs: Sequence[Any],
        outputs: Sequence[Any],
        numeric_inputs: Sequence[Any],
        cls: Any,
        excluding: Any = None,
        warn: bool = True,
        check_topo: bool = True,
    ) -> None:
        """Compare the shapes that are inferred with those of the results."""
        values = function(inputs, outputs)(*numeric_inputs)
        shapes = function(inputs, [o.shape for o in outputs], on_unused_input="ignore")
        if check_topo:
            assert not any(isinstance(node.op, cls) for node in shapes.maker.fgraph.toposort())
        for value, shape in zip(values, shapes(*numeric_inputs), strict=True):
            assert value.shape == tuple(shape), (value.shape, shape)


class WrongValue(AssertionError):
    """Two arrays that should be equal differ."""

    def __init__(self, expected_val: Any, val: Any, rtol: Any = None, atol: Any = None) -> None:
        super().__init__(str_diagnostic(expected_val, val, rtol, atol))
        self.val1, self.val2, self.rtol, self.atol = expected_val, val, rtol, atol


def str_diagnostic(expected: Any, value: Any, rtol: Any = None, atol: Any = None) -> str:
    """Return how two arrays differ."""
    lines = []
    for name, array in (("expected", np.asarray(expected)), ("value", np.asarray(value))):
        lines.append(f"{name}: {array.dtype} of shape {array.shape}\n{array}")
    if np.shape(expected) == np.shape(value):
        with np.errstate(all="ignore"):
            apart = np.abs(np.asarray(expected, "complex128") - np.asarray(value, "complex128"))
        lines.append(f"largest difference: {apart.max() if apart.size else 0}")
    return "\n".join([*lines, f"rtol, atol: {rtol}, {atol}"])


def assert_allclose(expected: Any, value: Any, rtol: Any = None, atol: Any = None) -> None:
    """Raise :class:`WrongValue` if two arrays differ by more than a tolerance of their dtype."""
    from ..tensor.basic import _allclose

    if not _allclose(expected, value, rtol, atol):
        raise WrongValue(expected, value, rtol, atol)


class AttemptManyTimes:
    """Decorator of a test that may fail sometimes: it passes if enough attempts do."""

    def __init__(self, n_attempts: int, n_req_successes: int = 1) -> None:
        self.n_attempts, self.n_req_successes = n_attempts, n_req_successes

    def __call__(self, fct: Callable[..., Any]) -> Callable[..., Any]:
        def attempt(*args: Any, **kwargs: Any) -> None:
            passed = 0
            for number in range(self.n_attempts):
                try:
                    fct(*args, **kwargs)
                    passed += 1
                except Exception:
                    if self.n_attempts - number - 1 + passed < self.n_req_successes:
                        raise
                if passed == self.n_req_successes:
                    return

        return attempt


def assertFailure_fast(f: Any) -> Any:
    """Return a test unchanged."""
    return f


def __getattr__(name: str) -> Any:
    if name == "parameterized":  # a package that Theano's own tests need
        from importlib import import_module

        return import_module("parameterized").parameterized
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

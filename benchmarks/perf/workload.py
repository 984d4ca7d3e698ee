"""The workload class, the list of all workloads, and the comparison of results."""

from __future__ import annotations

import fnmatch
import importlib
import pkgutil
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from benchmarks.perf import workloads

Case = Mapping[str, Any]
Arrays = dict[str, Any]

FAMILIES = (
    "elementwise",
    "layouts",
    "reductions",
    "rows",
    "likelihood",
    "indexing",
    "training",
    "calls",
    "gemm",
    "scans",
    "convolutions",
    "networks",
    "random",
    "models",
)
REGISTRY: dict[str, Workload] = {}


class Unsupported(Exception):
    """A library cannot express the workload."""


class Workload:
    """One computation, in the spelling of several libraries.

    A subclass has ``name``, ``variants`` and these methods:

    - ``make(case, rs)``: the inputs, a dict of arrays in the dtype that is measured;
    - ``ref(case, data)``: the results with NumPy; ``data`` arrives in float64;
    - one method for each flavour (``numpy``, ``sym``, ``torch``, ``jax``, ``numba``, ``numexpr``):
      it takes the adapter of the library, the case and the data, and returns a function without
      arguments that computes once and waits for the result. If the function changes a state, it
      returns ``(function, state)``; after ``check_calls`` calls, ``state()`` is what is checked.

    ``bytes``, ``flops`` and ``functions`` say what the rooflines need: the least memory traffic,
    the arithmetic of the products, and how often which transcendental function is evaluated.
    """

    name: ClassVar[str] = ""
    family: ClassVar[str] = ""
    variants: ClassVar[Sequence[Case]] = ({},)
    tolerance: ClassVar[float | None] = None
    check_calls: ClassVar[int] = 1

    def make(self, case: Case, rs: np.random.RandomState) -> Arrays:
        raise NotImplementedError

    def ref(self, case: Case, data: Arrays) -> Sequence[Any]:
        raise NotImplementedError

    def bytes(self, case: Case) -> float | None:
        return None

    def flops(self, case: Case) -> float | None:
        return None

    def functions(self, case: Case) -> Mapping[str, float]:
        return {}

    def data(self, case: Case) -> Arrays:
        """Return the inputs, the same in every process."""
        seed = zlib.crc32(key(self.name, case).encode())
        return self.make(case, np.random.RandomState(seed))

    def reference(self, case: Case, data: Arrays) -> list[np.ndarray]:
        """Return the results in float64."""
        wide = {name: _widened(value) for name, value in data.items()}
        return [np.asarray(result, dtype="float64") for result in self.ref(case, wide)]

    def tolerated(self, case: Case) -> float:
        """Return the largest error that is accepted, relative to the largest result."""
        if self.tolerance is not None:
            return self.tolerance
        return 2e-3 if case.get("dtype", "float32") == "float32" else 1e-8

    def builder(self, flavours: Sequence[str]) -> Callable[..., Any]:
        """Return the method of the first flavour there is.

        Raises
        ------
        Unsupported
            If there is none.
        """
        for flavour in flavours:
            method = getattr(self, flavour, None)
            if method is not None:
                return method
        raise Unsupported(f"not written for {'/'.join(flavours)}")


def _widened(value: Any) -> Any:
    narrow = isinstance(value, np.ndarray) and value.dtype == np.float32
    return value.astype("float64") if narrow else value


def workload(cls: type[Workload]) -> type[Workload]:
    """Put an instance of the class on the list; its family is its module unless it says another."""
    cls.family = cls.family or cls.__module__.rsplit(".", 1)[-1]
    if cls.family not in FAMILIES:
        raise ValueError(f"{cls.__name__}: {cls.family} is no family; add it to FAMILIES")
    REGISTRY[cls.name] = cls()
    return cls


def key(name: str, case: Case) -> str:
    """Return the name of a workload together with its parameters."""
    return name + "".join(f"|{k}={v}" for k, v in sorted(case.items()))


def load() -> dict[str, Workload]:
    """Return all workloads by name."""
    for module in pkgutil.iter_modules(workloads.__path__, f"{workloads.__name__}."):
        importlib.import_module(module.name)
    return REGISTRY


def select(patterns: Sequence[str]) -> list[tuple[Workload, Case]]:
    """Return the workloads that a pattern, a name or a family matches, family by family."""
    return [
        (one, case)
        for family in FAMILIES
        for one in load().values()
        if one.family == family
        for case in one.variants
        if any(
            fnmatch.fnmatch(key(one.name, case), pattern) or pattern in (family, one.name)
            for pattern in patterns
        )
    ]


def compare(results: Sequence[Any], wanted: Sequence[np.ndarray]) -> tuple[float, str]:
    """Return the largest error relative to the largest number wanted, and what else is wrong."""
    if len(results) != len(wanted):
        return np.inf, f"{len(results)} results instead of {len(wanted)}"
    worst = 0.0
    for number, (result, want) in enumerate(zip(results, wanted, strict=True)):
        got = np.asarray(result, dtype="float64")
        if got.size != want.size:
            return np.inf, f"result {number} has shape {got.shape} instead of {want.shape}"
        got = got.reshape(want.shape)
        finite = np.isfinite(want)
        if not np.array_equal(np.isfinite(got), finite):
            return np.inf, f"result {number} is infinite or NaN in other places"
        if finite.any():
            scale = max(np.abs(want[finite]).max(), 1e-30)
            worst = max(worst, float(np.abs(got[finite] - want[finite]).max() / scale))
    return worst, ""

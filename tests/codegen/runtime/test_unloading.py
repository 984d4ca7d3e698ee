"""Libraries of functions that are gone: unloaded, never while something uses them."""

from __future__ import annotations

import copy
import ctypes
import gc
import os
import pickle
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import as_op, function, scan, shared
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.compiler import NO_MEMORY, CompilerTroubleError
from symtheano.codegen.native.toolchain import Toolchain
from symtheano.codegen.record import Record
from symtheano.codegen.runtime.library import LoadedLibrary, file_of, load_copy, symbol_address
from symtheano.codegen.runtime.link import link, load
from symtheano.function import making
from tests.codegen.native.stand_ins import ANSWER
from tests.support.extent import TIMES

pytestmark = [
    pytest.mark.needs_cc,
    pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="reads /proc/self/maps"),
]

PLAIN = Record("0" * 64, "answer", (), (), 0)
MANY = 20_000 if TIMES else 300

CALLS_WITH_THREADS = """
import gc, os, sys
import numpy as np
import symtheano.tensor as T
from symtheano import config, function
config.threads = 2
x = T.dmatrix("x")
for number in range(6):
    f = function([x], T.exp(x * number) + T.tanh(x))
    value = np.full((600, 600), 0.5)
    np.testing.assert_allclose(f(value), np.exp(value * number) + np.tanh(value))
    del f
    gc.collect()
maps = open("/proc/self/maps").read()
print(maps.count("gomp") + maps.count("libomp") > 0, flush=True)
"""


def mapped(part: str) -> int:
    """Count the mappings of this process whose files contain a text in their names."""
    return sum(part in line for line in Path("/proc/self/maps").read_text().splitlines())


def mapped_at(address: int) -> bool:
    """Return whether there is memory at an address."""
    for line in Path("/proc/self/maps").read_text().splitlines():
        start, end = (int(number, 16) for number in line.split()[0].split("-"))
        if start <= address < end:
            return True
    return False


@pytest.fixture
def library(tmp_path: Path, cache: Cache, toolchain: Toolchain) -> Path:
    """Return a compiled file that no other test has loaded."""
    return Path(shutil.copy(cache.obtain(ANSWER, toolchain), tmp_path / "an_answer.so"))


@pytest.fixture(params=["dispatcher", "cffi"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Call functions in both ways."""
    if request.param == "cffi":
        monkeypatch.setattr(making, "dispatcher_module", lambda *args, **kwargs: None)


def file_name(f: Any) -> str:
    """Return the name of the file of a function."""
    return str(f._linked.record.library)


@pytest.mark.usefixtures("way")
def test_the_files_of_dropped_functions_are_unloaded() -> None:
    x = T.dvector("x")
    functions = [function([x], T.exp(x) * 1.5 + number) for number in range(3)]
    names = [file_name(f) for f in functions]
    for number, f in enumerate(functions):
        assert f([0.0]) == [1.5 + number]
    assert [mapped(name) > 0 for name in names] == [True, True, True]
    del functions[:2], f
    gc.collect()
    assert [mapped(name) > 0 for name in names] == [False, False, True]
    assert functions[0]([0.0]) == [3.5]


@pytest.mark.needs_cxx
def test_kernels_of_the_emulated_device_are_unloaded() -> None:
    x = T.dmatrix("x")
    loaded = []
    for number in range(3):
        shifted = x - x.max(1, keepdims=True)
        f = function([x], T.exp(shifted).sum(1) + number, device="emulated")
        np.testing.assert_array_equal(f(np.ones((3, 400))), [400.0 + number] * 3)
        during = mapped(".so")
        del f
        gc.collect()
        loaded.append(mapped(".so"))
        assert loaded[-1] < during
    # The first one also loads the driver.
    assert loaded[0] == loaded[1] == loaded[2]


def test_many_functions_of_many_files(
    library: Path, cache: Cache, toolchain: Toolchain, tmp_path: Path
) -> None:
    before = mapped(tmp_path.name)
    for number in range(MANY):
        place = tmp_path / f"{number}.so"
        shutil.copy(library, place)
        linked = link(PLAIN, load(str(place)), toolchain, cache, "")
        assert ctypes.CFUNCTYPE(ctypes.c_int)(linked.address)() == 42
        place.unlink()
    assert 0 < mapped(tmp_path.name) - before < 10, "of the last one"
    del linked
    assert mapped(tmp_path.name) == before


COPIES = (lambda f: f.copy(), copy.copy, lambda f: pickle.loads(pickle.dumps(f)))


@pytest.mark.parametrize("made", COPIES)
def test_copies_go_on_without_the_function(made: Any, way: None) -> None:
    w = shared(2.0, "w")
    x = T.dscalar("x")
    f = function([x], w * x, updates=[(w, w + x)])
    other = made(f)
    del f
    gc.collect()
    assert [float(other(3.0)), float(other(3.0))] == [6.0, 15.0]


def test_functions_of_equal_text_share_a_file(way: None) -> None:
    x = T.dvector("x")
    first, second = (function([x], x * 17.25 + 2) for _ in range(2))
    assert first.address == second.address
    address = first.address
    del first
    gc.collect()
    assert mapped_at(address)
    assert second([1.0]) == [19.25]
    del second
    gc.collect()
    assert not mapped_at(address)


def test_a_call_goes_on_whose_function_is_dropped(way: None) -> None:
    x = T.dscalar("x")
    running, dropped = threading.Event(), threading.Event()
    results = []

    @as_op([T.dscalar], [T.dscalar])
    def waits(value: Any) -> Any:
        running.set()
        assert dropped.wait(60)
        return value

    held = [function([x], scan(lambda s: waits(s) * 2.0, outputs_info=x, n_steps=3)[0][-1])]
    thread = threading.Thread(target=lambda: results.append(held.pop()(1.0)))
    thread.start()
    assert running.wait(60)
    gc.collect()
    dropped.set()
    thread.join()
    assert results == [8.0]


def test_a_call_by_an_object_that_is_collected_with_the_function(way: None) -> None:
    x = T.dvector("x")
    results: list[Any] = []

    class Last:
        def __init__(self) -> None:
            self.f = function([x], x - 4)
            self.itself = self

        def __del__(self) -> None:
            results.append(self.f([5.0]))

    Last()
    gc.collect()
    assert results == [[1.0]]


def test_a_forked_child_drops_its_own(way: None) -> None:
    x = T.dvector("x")
    f = function([x], x * 11)
    child = os.fork()
    if child == 0:
        address = f.address
        del f
        gc.collect()
        os._exit(int(mapped_at(address)))
    assert os.waitpid(child, 0)[1] == 0
    assert f([1.0]) == [11.0]


def test_the_library_of_openmps_threads_remains(tmp_path: Path) -> None:
    # With this setting, nothing but functions has loaded GNU's OpenMP.
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "2"}
    done = subprocess.run(
        [sys.executable, "-c", CALLS_WITH_THREADS], capture_output=True, text=True, env=environment
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_a_copy_has_variables_of_its_own(
    tmp_path: Path, cache: Cache, toolchain: Toolchain
) -> None:
    text = '__attribute__((visibility("default"))) int next(void) { static int n; return ++n; }'
    path = cache.obtain(text, toolchain)
    count = ctypes.CFUNCTYPE(ctypes.c_int)
    first, second = load_copy(str(path)), load_copy(str(path))
    calls = [count(symbol_address(found, "next")) for found in (first, first, second)]
    assert [call() for call in calls] == [1, 2, 1]
    assert sorted(path.parent.glob(".build-*")) == []


def test_the_collector_runs_when_there_is_no_room(
    library: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real, tried = ctypes.CDLL.__init__, []

    def full(self: ctypes.CDLL, path: str) -> None:
        tried.append(path)
        if len(tried) == 1:
            raise OSError(f"{path}: failed to map segment from shared object: {NO_MEMORY}")
        real(self, path)

    cycle: list[Any] = [LoadedLibrary(str(library))]
    address = symbol_address(cycle[0], "answer")
    cycle.append(cycle)
    monkeypatch.setattr(ctypes.CDLL, "__init__", full)
    gc.disable()
    try:
        del cycle
        again = LoadedLibrary(str(library))
    finally:
        gc.enable()
    assert tried == [str(library)] * 2
    assert file_of(symbol_address(again, "answer")) == str(library)
    assert address


def test_no_room_for_a_library_does_not_compile_it_again(
    cache: Cache, toolchain: Toolchain
) -> None:
    def full(path: str) -> None:
        raise OSError(f"{path}: failed to map segment from shared object: {NO_MEMORY}")

    path = cache.obtain(ANSWER, toolchain)
    with pytest.raises(CompilerTroubleError, match=r"can't be loaded.*memory"):
        cache.load(ANSWER, toolchain, full)
    assert path.exists(), "it remains in the cache"


def test_results_outlive_the_function(way: None) -> None:
    x = T.dvector("x")
    results = [function([x], [x + k, T.zeros_like(x), x[::-1]])(np.arange(3.0)) for k in range(3)]
    gc.collect()
    np.testing.assert_array_equal(results[2], [[2, 3, 4], [0, 0, 0], [2, 1, 0]])

"""What all tests share: the compile cache, the needs of a machine, golden files."""

from __future__ import annotations

import ctypes
import difflib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support.extent import EXTENT, is_always_taken

# OpenBLAS's threads wait for the next product in a loop, for tens of milliseconds by default: in
# tests of linear algebra they took four times as long as all else. NumPy is not imported yet.
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")

GOLDEN = Path(__file__).parent / "golden"

Golden = Callable[[str, str], None]

# Of the tests in these folders, which compile most, a run takes one in five, and elsewhere all.
# Of the cases of a test, it takes a part, and at least one, unless there is a marker. The
# conformance table says itself what a run takes of it.
ONE_IN = dict.fromkeys(
    ("codegen", "function", "graph", "language", "loops", "nn", "rewrites", "sparse", "tensor"), 5
)
CASES_ONE_IN, ALIKE_ONE_IN = {"most": (3, 8), "all": (1, 1)}.get(EXTENT, (8, 10))
"""Of how many cases a run takes one, and of how many that differ in random numbers or dtypes."""


# No test fails because it is slow: the first numbers that hypothesis draws in a fresh checkout wait
# until it has read all modules of the package, for seconds, and the machine has other work, too.
settings.register_profile("symtheano", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("symtheano")


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add ``--update-golden``."""
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="write what the tests produce to the golden files instead of comparing with them",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Give the run a compile cache of its own, kept from run to run and shared by xdist's workers.

    Set before symtheano is first imported, and in the environment, so that subprocesses follow.
    ``SYMTHEANO_TEST_CACHE`` is another directory, which copies of the tree may share: what is
    compiled is found by its content, and results are computed in each run.
    """
    kept = os.environ.get("SYMTHEANO_TEST_CACHE")
    cache = Path(kept) if kept else config.rootpath / ".pytest_cache" / "symtheano-cache"
    os.environ["SYMTHEANO_CACHE_DIR"] = str(cache)
    if config.getoption("--update-golden") and config.getoption("numprocesses", None):
        raise pytest.UsageError("--update-golden writes files; leave out -n, or processes mix them")
    # A developer's own options must not change what the tests see.
    os.environ["SYMTHEANO_CONFIG"] = ""
    os.environ.pop("SYMTHEANO_FLAGS", None)


def has_compiler() -> bool:
    """Return whether any C compiler that symtheano would find is there."""
    named = [os.environ.get("SYMTHEANO_CC"), os.environ.get("CC")]
    commands = [command.split()[0] for command in named if command]
    return any(shutil.which(command) for command in [*commands, "cc", "gcc", "clang"])


def has_cpp_compiler() -> bool:
    """Return whether the compiler of C that symtheano would find compiles C++, too."""
    return has_compiler() and shutil.which("g++") is not None


def has_cuda_device() -> bool:
    """Return whether the CUDA driver is there and finds a device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    found = driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
    return found and count.value > 0


def has_mpi() -> bool:
    """Return whether mpi4py, an MPI library and its command are there; nothing is started."""
    from tests.support.ranks import launcher

    if importlib.util.find_spec("mpi4py") is None or not launcher():
        return False
    report = "from mpi4py import MPI; print(MPI.COMM_WORLD.size)"
    run = subprocess.run([sys.executable, "-c", report], capture_output=True, check=False)
    return run.returncode == 0


NEEDS = {
    "needs_cc": (
        has_compiler,
        "there is not a C compiler (tried $SYMTHEANO_CC, $CC, cc, gcc, clang)",
    ),
    "needs_cxx": (has_cpp_compiler, "there is not a C++ compiler (g++)"),
    "needs_cuda": (has_cuda_device, "there is no CUDA device"),
    "needs_mpi": (has_mpi, "mpi4py or an MPI library is not installed (extra mpi)"),
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a run of all takes, unless tests are named, and what can't run here.

    Golden files are written for all tests: else those that a run leaves out would be old.
    """
    every = any("::" in argument for argument in config.args) or config.getoption("--update-golden")
    others = set() if every else _left_out(items)
    if others:
        config.hook.pytest_deselected(items=[item for item in items if item in others])
        items[:] = [item for item in items if item not in others]
    for marker, (is_met, reason) in NEEDS.items():
        needy = [item for item in items if item.get_closest_marker(marker)]
        if needy and not is_met():
            for item in needy:
                item.add_marker(pytest.mark.skip(reason=reason))


def _left_out(items: list[pytest.Item]) -> set[pytest.Item]:
    """Return the tests that a run does not take; of a test with cases it takes at least one."""
    taken = {item for item in items if is_always_taken(item.nodeid, _one_in(item))}
    have_cases = {_test_of(item) for item in taken}
    for item in items:
        marked = item.get_closest_marker("one_in") is not None
        if hasattr(item, "callspec") and not marked and _test_of(item) not in have_cases:
            have_cases.add(_test_of(item))
            taken.add(item)
    return {*items} - taken


def _test_of(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _one_in(item: pytest.Item) -> int:
    """Return of how many such tests a run takes one."""
    marker = item.get_closest_marker("one_in")
    if EXTENT == "" and marker is not None:
        return int(marker.args[0])
    if EXTENT == "most" and marker is not None and "most" in marker.kwargs:
        return int(marker.kwargs["most"])
    folder = item.nodeid.removeprefix("tests/").partition("/")[0]
    if folder == "conformance":
        return 1
    if not hasattr(item, "callspec"):
        return ONE_IN.get(folder, 1) if EXTENT == "" else 1
    alike = any(name == "seed" or "dtype" in name for name in item.callspec.params)
    return ALIKE_ONE_IN if alike else CASES_ONE_IN


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Note with each test how many values it compared; reports carry it to xdist's controller."""
    from tests.support.compare import COMPARED

    before = Counter(COMPARED)
    try:
        return (yield)
    finally:
        item.user_properties.append(("compared", dict(COMPARED - before)))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Tell with each failure what repeats it: which numbers are random depends on all of this."""
    report: Any = yield
    if report.failed:
        report.sections.append(("repeat with", repetition(item.nodeid)))
    return report


def repetition(nodeid: str) -> str:
    """Return the command that runs a test again, and the compiler and mode that it ran with."""
    from symtheano import config
    from symtheano.codegen.native.toolchain import find_toolchain
    from symtheano.errors import NoCompilerError

    names = ("LONG_RUN", "SEED", "CC")
    given = ((f"SYMTHEANO_{name}", os.environ.get(f"SYMTHEANO_{name}")) for name in names)
    words = [shlex.quote(f"{name}={value}") for name, value in given if value]
    command = " ".join(["env", *words, "pytest", shlex.quote(nodeid)])
    try:
        toolchain = find_toolchain(config.cc or None)
        compiler = shlex.join((*toolchain.command, *toolchain.flags))
    except NoCompilerError:
        compiler = "none"
    return f"{command}\nmode {config.mode}, compiler {compiler}"


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print how much was compared in all."""
    total: Counter[str] = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", None) == "call":
                total.update(dict(report.user_properties).get("compared", {}))
    kinds = sorted({key.rpartition(":")[0] for key in total})
    if kinds:
        terminalreporter.section("compared: C, interpreter, NumPy")
    for kind in kinds:
        cases, values = total[f"{kind}: cases"], total[f"{kind}: values"]
        terminalreporter.write_line(f"{kind}: {cases:,} cases, {values:,} values")


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether expected texts are to be rewritten rather than compared."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def golden(update_golden: bool) -> Golden:
    """Return ``golden(text, "name.c")``, which compares text with ``tests/golden/name.c``."""

    def compare(text: str, name: str) -> None:
        path = GOLDEN / name
        if update_golden:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
            return
        how = "If the new text is right: pytest --update-golden, then review it with git diff."
        if not path.exists():
            pytest.fail(f"tests/golden/{name} does not exist yet.\n{how}", pytrace=False)
        expected = path.read_bytes().decode("utf-8")
        if text != expected:
            changes = difflib.unified_diff(
                expected.splitlines(),
                text.splitlines(),
                f"tests/golden/{name}",
                "this run",
                lineterm="",
            )
            shown = "\n".join(changes) or "(only line endings differ)"
            pytest.fail(f"{shown}\n\n{how}", pytrace=False)

    return compare

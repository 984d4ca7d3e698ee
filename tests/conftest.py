"""What all tests share: the compile cache, the needs of a machine, golden files."""

from __future__ import annotations

import ctypes
import difflib
import os
import shlex
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from tests.support.daily import day, is_due

GOLDEN = Path(__file__).parent / "golden"

Golden = Callable[[str, str], None]

# Modules and folders that are always compiled with optimization: they test the compiler's work or
# loops that it changes most, draw programs at random, or run as another user. The others test what
# an op computes (dtypes, shapes, edges, errors, derivatives) or how calls work. Without it, the
# compiler takes a fifth of the time, and the C is the same: they are optimized on one day in five.
OPTIMIZED = (
    "cli",
    "faults",
    "language",
    *(f"test_{name}.py" for name in "docs readme vector_math".split()),
    *(
        f"test_{name}.py"
        for name in "cache compiler directory kernels load parts toolchain".split()
    ),
    *(f"test_{name}.py" for name in "families lanes masks scatter tile".split()),
)

# Folders whose tests run on one day of so many, if they have no marker of their own. Elsewhere,
# tests with parameters run every other day. The conformance table has turns of its own.
TURNS = {"language": 2, "rewrites": 1, "conformance": 1}


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
    """
    cache = config.rootpath / ".pytest_cache" / "symtheano-cache"
    os.environ["SYMTHEANO_CACHE_DIR"] = str(cache)
    day()  # the same one in all processes
    # A developer's own options must not change what the tests see.
    os.environ["SYMTHEANO_CONFIG"] = ""
    os.environ.pop("SYMTHEANO_FLAGS", None)


def has_compiler() -> bool:
    """Return whether any C compiler that symtheano would find is there."""
    named = [os.environ.get("SYMTHEANO_CC"), os.environ.get("CC")]
    commands = [command.split()[0] for command in named if command]
    return any(shutil.which(command) for command in [*commands, "cc", "gcc", "clang"])


def has_cuda_device() -> bool:
    """Return whether the CUDA driver is there and finds a device."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    found = driver.cuInit(0) == 0 and driver.cuDeviceGetCount(ctypes.byref(count)) == 0
    return found and count.value > 0


NEEDS = {
    "needs_cc": (has_compiler, "there is no C compiler (tried $SYMTHEANO_CC, $CC, cc, gcc, clang)"),
    "needs_cuda": (has_cuda_device, "there is no CUDA device"),
}


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is not due, unless tests are named; skip what this machine cannot run."""
    named = any("::" in argument for argument in config.args)
    later = set() if named else {item for item in items if not _is_due(item)}
    if later:
        config.hook.pytest_deselected(items=[item for item in items if item in later])
        items[:] = [item for item in items if item not in later]
    for marker, (is_met, reason) in NEEDS.items():
        needy = [item for item in items if item.get_closest_marker(marker)]
        if needy and not is_met():
            for item in needy:
                item.add_marker(pytest.mark.skip(reason=reason))


def _is_due(item: pytest.Item) -> bool:
    marker = item.get_closest_marker("turns")
    if marker is not None:
        return is_due(item.nodeid, *marker.args)
    folder = item.nodeid.removeprefix("tests/").partition("/")[0]
    return is_due(item.nodeid, TURNS.get(folder, 2 if hasattr(item, "callspec") else 1))


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

    names = ("TEST_DAY", "LONG_RUN", "SEED", "CC")
    given = ((f"SYMTHEANO_{name}", os.environ.get(f"SYMTHEANO_{name}")) for name in names)
    words = [shlex.quote(f"{name}={value}") for name, value in given if value]
    command = " ".join(["env", *words, "pytest", shlex.quote(nodeid)])
    try:
        toolchain = find_toolchain(config.cc or None)
        compiler = shlex.join((*toolchain.command, *toolchain.flags))
    except NoCompilerError:
        compiler = "none"
    return f"{command}\nmode {config.mode}, compiler {compiler}"


def pytest_report_header() -> str:
    """Tell the day, which decides what is taken of long tables."""
    return f"SYMTHEANO_TEST_DAY={day()}"


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


@pytest.fixture(autouse=True, scope="module")
def _compiler(request: pytest.FixtureRequest) -> Iterator[None]:
    from tests.support.unoptimized import optimized_on_some_days

    path = request.path.relative_to(Path(__file__).parent)
    always = path.parts[0] in OPTIMIZED or path.name in OPTIMIZED
    with nullcontext() if always else optimized_on_some_days(str(path)):
        yield


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

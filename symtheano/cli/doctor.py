"""Checks of the installation, with commands that solve problems."""

from __future__ import annotations

import os
import platform
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
import numpy as np

import symtheano
from symtheano import compat
from symtheano.cli.program import Command
from symtheano.cli.screen import console, print_json, show, size
from symtheano.codegen.threads import usable_threads
from symtheano.config import config_file
from symtheano.errors import CompileError, NoCompilerError

if TYPE_CHECKING:
    from symtheano.codegen.native.cache import Cache
    from symtheano.codegen.native.toolchain import Toolchain
    from symtheano.codegen.native.wheels import DeviceLibrary
    from symtheano.codegen.runtime.blas import BlasProvider

_STYLES = {"ok": "green", "note": "cyan", "warn": "yellow", "fail": "red"}
FEATURES = "SSE42 AVX AVX2 FMA3 F16C AVX512F AVX512_SKX NEON ASIMD SVE VSX VX RVV".split()
_REQUIRED = ("numpy", "scipy", "cffi", "click", "rich")
_EXTRAS = {
    "sympy": "symbolic", "networkx": "symbolic", "matplotlib": "nn", "safetensors": "nn",
    "scikit-learn": "nn",
}  # fmt: skip


@dataclass(frozen=True)
class Check:
    """The result of one check.

    Attributes
    ----------
    name
        What was checked.
    status
        ``ok``; ``note``: optional and not available; ``warn``: works with limitations; ``fail``:
        does not work.
    found
        Description of the result.
    fix
        What the user can do; empty if nothing needs to be done.
    """

    name: str
    status: Literal["ok", "note", "warn", "fail"]
    found: str
    fix: str = ""


@click.command("doctor", cls=Command)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def doctor_command(as_json: bool) -> None:
    """Check the installation, and print how to fix problems.

    A small function is compiled and run, and a small matrix product is checked. The exit status is
    1 if a check fails.

    For example:
      symtheano doctor
      symtheano doctor --json | jq '.[] | select(.status != "ok")'
    """
    checks = list(examine())
    if as_json:
        print_json([asdict(check) for check in checks])
    else:
        _print(checks)
    if any(check.status == "fail" for check in checks):
        raise click.exceptions.Exit(1)


def _print(checks: list[Check]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for check in checks:
        style = _STYLES[check.status]
        table.add_row(Text(check.status, style=style), check.name, check.found)
        if check.fix:
            table.add_row("", "", Text(f"-> {check.fix}", style="bold"))
    show(table)
    screen = console()
    failed = [check.name for check in checks if check.status == "fail"]
    warned = [check.name for check in checks if check.status == "warn"]
    screen.print()
    if failed:
        screen.print(Text(f"does not work: {', '.join(failed)}", style="bold red"))
    if warned:
        screen.print(Text(f"could work better: {', '.join(warned)}", style="yellow"))
    if not failed and not warned:
        screen.print(Text("no problems found", style="bold green"))


# -- the checks ----------------------------------------------------------------------------------


def examine() -> Iterator[Check]:
    """Yield the results of all checks."""
    yield Check(
        "symtheano", "ok", f"{symtheano.__version__}, Python {platform.python_version()}, "
        f"{platform.system()} {platform.machine()}",
    )  # fmt: skip
    yield _configuration()
    if "THEANO_FLAGS" in os.environ or os.path.isfile(os.path.expanduser("~/.theanorc")):
        yield guarded("flags of Theano", _flags_of_theano)
    store, check = _cache()
    yield check
    toolchain, check = _compiler(store)
    yield check
    if toolchain is not None:
        yield Check("flags accepted", "ok", " ".join((*toolchain.flags, *toolchain.link_flags)))
        yield _openmp(toolchain)
    yield Check("CPU", "ok", ", ".join(cpu_features()) or "no features known of it")
    if toolchain is not None:
        yield _vector_math(toolchain)
        yield guarded("compiled function", _compiled_function)
        yield guarded("call dispatcher", lambda: _dispatcher(toolchain, store))
        yield _compiled_ahead(toolchain)
    yield guarded("BLAS", lambda: _blas(toolchain, store))
    yield _headers()
    yield _threads()
    yield from _packages()
    yield guarded("CUDA driver", _cuda)
    yield guarded("CUDA compiler", _nvrtc)
    yield from _device_libraries()
    yield guarded("pycuda", _pycuda)


def guarded(name: str, check: Callable[[], Check]) -> Check:
    """Run a check that may raise anything."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return check()
    except Exception as error:
        return Check(
            name, "fail", f"{type(error).__name__}: {error}", "please report this text as a defect"
        )


def _configuration() -> Check:
    config = symtheano.config
    names = vars(config.snapshot())
    changed = [f"{n}={getattr(config, n)}" for n in names if config.source(n) != "default"]
    file = config_file()
    there = "" if file and os.path.isfile(file) else " (not there)"
    settings = f"set: {', '.join(changed)}" if changed else "all defaults"
    return Check("configuration", "ok", f"{settings}; file {file or 'none'}{there if file else ''}")


def _flags_of_theano() -> Check:
    ignored = compat.ignored_flags()
    if not ignored:
        return Check("flags of Theano", "ok", "all that are set have a meaning")
    listed = ", ".join(f"{name}={value}" for name, value in sorted(ignored.items()))
    return Check("flags of Theano", "note", f"set, without a meaning here: {listed}")


def _cache() -> tuple[Cache, Check]:
    from symtheano.function.stages import open_cache

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        store = open_cache(symtheano.config.snapshot())
    if caught:
        wanted = symtheano.config.cache_dir or "the cache directory"
        fix = f"chmod 700 {wanted}; or name a directory of your own in SYMTHEANO_CACHE_DIR"
        return store, Check("cache", "warn", str(caught[0].message), fix)
    entries = list(store.entries())
    total = size(sum(entry.bytes for entry in entries))
    summary = f"{store.directory}: private, writable, {len(entries)} entries, {total}"
    return store, Check("cache", "ok", summary)


def _compiler(store: Cache) -> tuple[Toolchain | None, Check]:
    from symtheano.codegen.native.toolchain import find_toolchain

    try:
        toolchain = find_toolchain(symtheano.config.cc or None, directory=store.directory)
    except NoCompilerError as error:
        what, _, fix = str(error).partition("; ")
        what = f"{what}: functions run in the NumPy interpreter, slowly"
        return None, Check("C compiler", "fail", what, fix)
    text = f"{' '.join(toolchain.command)}: {toolchain.version}"
    return toolchain, Check("C compiler", "ok", text)


def _openmp(toolchain: Toolchain) -> Check:
    if toolchain.parallel:
        return Check("OpenMP", "ok", "compiled code can use several threads")
    return Check(
        "OpenMP", "warn", "the compiler does not support it: loops use one thread",
        "apt install libgomp1 (gcc) or libomp-dev (clang); brew install libomp (macOS)",
    )  # fmt: skip


def cpu_features() -> list[str]:
    """Return the features of the CPU that are relevant for loops, with NumPy's names."""
    core = sys.modules.get("numpy._core._multiarray_umath")
    features = getattr(core, "__cpu_features__", {})
    return [name for name in FEATURES if features.get(name)]


def _vector_math(toolchain: Toolchain) -> Check:
    from symtheano.codegen.c.vector_math import own_functions

    if symtheano.config.accuracy == "libm":
        return Check("vector math", "note", "none: accuracy=libm is set", "unset it for speed")
    own = f"own: {', '.join(sorted(own_functions()))}"
    count = len(toolchain.vector_functions)
    if count:
        return Check("vector math", "ok", f"{own}; libmvec: {count} functions, such as log, sin")
    return Check(
        "vector math", "note", f"{own}; log and other functions are computed one by one: glibc's "
        "libmvec on x86-64 is the one that is used for them",
    )  # fmt: skip


def _compiled_function() -> Check:
    import symtheano.tensor as T

    x = T.dvector("x")
    values = np.linspace(-3.0, 3.0, 64)
    function = symtheano.function([x], T.log(1 + T.exp(x)) * 2, name="doctor", mode="FAST_RUN")
    if function.c_source is None:
        return Check("compiled function", "fail", "the function was not compiled")
    if not np.allclose(function(values), 2 * np.logaddexp(0, values), rtol=1e-12):
        return Check(
            "compiled function", "fail", "a small function gives wrong results",
            "try another compiler: SYMTHEANO_FLAGS=cc=clang symtheano doctor",
        )  # fmt: skip
    return Check("compiled function", "ok", "compiled, loaded, run: agrees with NumPy")


def _dispatcher(toolchain: Toolchain, store: Cache) -> Check:
    name = "call dispatcher"
    try:
        from symtheano.codegen.runtime.dispatch import NoDispatcherError, load_dispatcher
    except ImportError:
        return Check(name, "note", "this version does not include it: calls go through cffi")
    try:
        load_dispatcher(toolchain, store)
    except NoDispatcherError as error:
        return Check(name, "warn", error.why, error.hint)
    return Check(name, "ok", "built and loaded")


def _compiled_ahead(toolchain: Toolchain) -> Check:
    from symtheano.codegen.native import prebuilt

    name = "compiled ahead"
    kept = prebuilt.prebuilt_units(prebuilt.DIRECTORY)
    fit = [units.processor for units in kept if units.runs_on(toolchain.cpu)]
    if not kept:
        return Check(
            name, "note", "nothing: our own kernels are compiled when they are first used",
            "symtheano cache prebuild",
        )  # fmt: skip
    if not fit or not prebuilt.is_plain(toolchain):
        reason = "the compiler has other flags" if fit else "not for this processor"
        return Check(name, "note", f"{len(kept)} kinds of processors, but {reason}")
    return Check(name, "ok", f"the dispatcher and our own kernels, for {fit[0]}")


def _blas(toolchain: Toolchain | None, store: Cache) -> Check:
    from symtheano.codegen.native.machine import processor_levels
    from symtheano.codegen.runtime.blas import NAMES, find_blas, has_narrow_kernels

    try:
        provider = find_blas(symtheano.config.blas or None, toolchain, store)
    except (ValueError, NoCompilerError, CompileError) as error:
        return Check("BLAS", "fail", str(error), "pip install scipy-openblas32")
    width = "64" if provider.ilp64 else "32"
    path = os.path.realpath(provider.path)
    threads = provider.threads()
    summary = f"{provider.name}: {path}, {width}-bit integers, {threads} threads"
    if not product_is_right(provider):
        others = ", ".join(name for name in NAMES if name != provider.name)
        return Check(
            "BLAS", "fail", f"{summary}: a small product is wrong",
            f"choose another: SYMTHEANO_FLAGS=blas=NAME, one of {others}",
        )  # fmt: skip
    if provider.name == "plain":
        slow = f"{summary}: correct, but slow"
        return Check("BLAS", "warn", slow, "pip install scipy-openblas32")
    if has_narrow_kernels(provider, processor_levels()):
        return Check(
            "BLAS", "warn",
            f"{summary}: its kernels are those for {provider.kernels}, with shorter vectors than "
            "the processor has; large products may take twice as long",
            "OPENBLAS_CORETYPE=SkylakeX in the environment, if products are faster with it",
        )  # fmt: skip
    return Check("BLAS", "ok", f"{summary}; a small product is right")


def product_is_right(provider: BlasProvider) -> bool:
    """Return whether a library multiplies a 2 by 3 and a 3 by 2 matrix correctly."""
    import ctypes as c

    n = c.c_int64 if provider.ilp64 else c.c_int32
    pointer = np.ctypeslib.ndpointer(np.float64, flags="C_CONTIGUOUS")
    dgemm = c.CFUNCTYPE(
        None, *[c.c_int] * 3, *[n] * 3, c.c_double, pointer, n, pointer, n, c.c_double, pointer, n
    )(provider.pointers["cblas_dgemm"])
    a, b = np.arange(6.0).reshape(2, 3), np.arange(6.0, 12.0).reshape(3, 2)
    result = np.full((2, 2), np.nan)
    row_major, as_it_is = 101, 111
    dgemm(row_major, as_it_is, as_it_is, 2, 2, 3, 1.0, a, 3, b, 2, 0.0, result, 2)
    return bool(np.array_equal(result, np.einsum("ij,jk->ik", a, b)))


def _headers() -> Check:
    import sysconfig

    path = Path(sysconfig.get_path("include"), "Python.h")
    if path.is_file():
        return Check("Python headers", "ok", str(path.parent))
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Check(
        "Python headers", "warn", f"{path} is missing: functions work, calls are slower",
        f"apt install python{version}-dev (Debian, Ubuntu); dnf install python3-devel (Fedora)",
    )  # fmt: skip


def _threads() -> Check:
    usable = usable_threads()
    asked = symtheano.config.threads
    used = f"{asked}, set by {symtheano.config.source('threads')}" if asked else f"all {usable}"
    summary = f"{used}; this process may use {usable} of {os.cpu_count()} processors"
    if asked > usable:
        return Check("threads", "warn", summary, f"SYMTHEANO_FLAGS=threads={usable}")
    return Check("threads", "ok", summary)


def _packages() -> Iterator[Check]:
    from importlib.metadata import PackageNotFoundError, version

    there = ", ".join(f"{name} {version(name)}" for name in _REQUIRED)
    yield Check("packages", "ok", there)
    for name, extra in _EXTRAS.items():
        with suppress(PackageNotFoundError):
            yield Check(name, "ok", version(name))
            continue
        fix = f"pip install 'symtheano[{extra}]'"
        yield Check(name, "note", "not installed; optional", fix)


def _nvrtc() -> Check:
    from symtheano.codegen.native.nvrtc import NoNvrtcError, nvrtc_version

    try:
        return Check("CUDA compiler", "ok", nvrtc_version())
    except NoNvrtcError:
        fix = "pip install 'symtheano[cuda]'"
        return Check("CUDA compiler", "note", "not installed; optional", fix)


def _device_libraries() -> Iterator[Check]:
    from symtheano.codegen.native.wheels import DEVICE_LIBRARIES

    for library in DEVICE_LIBRARIES:
        yield guarded(f"CUDA {library.purpose}", partial(_device_library, library))


def _device_library(library: DeviceLibrary) -> Check:
    import ctypes

    from symtheano.codegen.native.wheels import library_paths

    name = f"CUDA {library.purpose}"
    for path in library_paths(library):
        with suppress(OSError):
            ctypes.CDLL(path)
            return Check(name, "ok", os.path.basename(path))
    missing = f"{library.title} is not installed; {library.instead}"
    return Check(name, "note", missing, f"pip install 'symtheano[{library.name}]'")


def _pycuda() -> Check:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return Check("pycuda", "ok", version("pycuda"))
    except PackageNotFoundError:
        told = "not installed; only programs that share arrays with it need it"
        return Check("pycuda", "note", told, "pip install pycuda")


def _cuda() -> Check:
    import ctypes

    name = "CUDA driver"
    try:
        driver = ctypes.CDLL("nvcuda.dll" if os.name == "nt" else "libcuda.so.1")
    except OSError:
        there = "not there; functions run on the CPU, or emulated"
        return Check(name, "note", there, "install the driver of NVIDIA for this machine")
    status = driver.cuInit(0)
    if status:
        return Check(name, "note", f"there, but cuInit fails with error {status}")
    version, count = ctypes.c_int(), ctypes.c_int()
    driver.cuDriverGetVersion(ctypes.byref(version))
    driver.cuDeviceGetCount(ctypes.byref(count))
    major, minor = version.value // 1000, version.value % 1000 // 10
    devices = f"{count.value} device{'s' * (count.value != 1)}"
    return Check(name, "ok", f"CUDA {major}.{minor}, {devices}")

"""The BLAS library for generated code: a table of function pointers, filled at load time.

The library inside NumPy is preferred. Two libraries in one process have two thread pools that
compete for the processors: products that alternate between them become ten times slower.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable, Collection, Iterator
from functools import cache

from symtheano.codegen.abi import BLAS_FUNCTIONS
from symtheano.codegen.native.cache import Cache
from symtheano.codegen.native.later import Later
from symtheano.codegen.native.toolchain import Toolchain, find_toolchain
from symtheano.codegen.products import LIBRARY
from symtheano.codegen.runtime.library import file_of, symbol_address
from symtheano.codegen.runtime.own_library import library_units, load_libraries
from symtheano.codegen.threads import load_openmp
from symtheano.dataclass import dataclass, field, replace
from symtheano.graph.forks import after_fork

NAMES = ("numpy", "scipy-openblas32", "system", "plain")
"""The providers by name, in the order in which they are tried."""

# Prefixes and suffixes of routine names: SciPy's builds, 64-bit builds, MKL, Accelerate.
_SPELLINGS = (
    ("scipy_", "64_"),
    ("", "64_"),
    ("scipy_", ""),
    ("", ""),
    ("", "_64"),
    ("", "$NEWLAPACK$ILP64"),
    ("", "$NEWLAPACK"),
)
_SYSTEM_LIBRARIES = (
    *("libopenblas.so.0", "libopenblas.so", "libmkl_rt.so.2", "libblis.so.4"),
    *("libcblas.so.3", "libblas.so.3", "libopenblas.dylib"),
    "/System/Library/Frameworks/Accelerate.framework/Accelerate",
)
_THREAD_CONTROLS = (
    ("openblas_set_num_threads", "openblas_get_num_threads"),
    ("MKL_Set_Num_Threads", "MKL_Get_Max_Threads"),
    ("bli_thread_set_num_threads", "bli_thread_get_num_threads"),
)


@dataclass(frozen=True, eq=False)
class BlasProvider:
    """A loaded BLAS library.

    Attributes
    ----------
    name
        One of :data:`NAMES`, or the path the user gave.
    path
        The library's file.
    ilp64
        Whether its integers are 64 bits wide.
    pointers
        Address of each routine of :data:`symtheano.codegen.abi.BLAS_FUNCTIONS`.
    set_num_threads, get_num_threads
        Its functions for the number of threads, or None. They affect the whole process, including
        NumPy's products if the library is NumPy's.
    exchange_threads
        Address of a C function that sets the number of threads and returns the previous one; 0 if
        there is none.
    kernels
        The processor for which OpenBLAS's kernels are, by its name; empty if it is unknown.
    own
        Addresses of our own kernels, which are tried first, in the order of
        the dtypes of :data:`symtheano.codegen.products.LIBRARY`, and of ``share``, which runs
        parts of a product in threads; empty if there are none.
    """

    name: str
    path: str
    ilp64: bool
    pointers: dict[str, int]
    set_num_threads: Callable[[int], None] | None = None
    get_num_threads: Callable[[], int] | None = None
    exchange_threads: int = 0
    kernels: str = ""
    own: dict[str, int] = field(default_factory=dict)

    def threads(self) -> int:
        """Return its number of threads; 1 if it is unknown."""
        return 1 if self.get_num_threads is None else self.get_num_threads()


def find_blas(
    choice: str | None = None,
    toolchain: Toolchain | None = None,
    cache: Cache | None = None,
    wait: bool = True,
) -> BlasProvider:
    """Find and load a BLAS library.

    Parameters
    ----------
    choice
        One of :data:`NAMES`, or the path of a shared library; by default the first name that is
        available.
    toolchain, cache
        Compiler and cache for our own kernels, and for the plain library if it is used. Without a
        toolchain there are no kernels.
    wait
        Whether to wait for kernels that are not in the cache. Otherwise they are compiled in the
        background, and the library computes all products until they are in its :func:`table`.

    Raises
    ------
    ValueError
        If the chosen library is not available or lacks a routine.
    NoCompilerError
        If the plain library is needed, and there is no compiler.

    Examples
    --------
    >>> find_blas("numpy") is find_blas("numpy")
    True
    """
    for name in NAMES if not choice else (choice,):
        if name == "plain":
            tools = toolchain or find_toolchain()
            provider: BlasProvider | None = _plain(tools, (cache or Cache()).place)
        else:
            provider = _find(name)
        if provider is not None:
            if toolchain is None:
                return provider
            place = (cache or Cache()).place
            if _own_kernels(toolchain, place, wait) is None:
                _begin_kernels(provider, toolchain, place)
                return provider
            return _with_kernels(provider, toolchain, place)
    raise ValueError(
        f"the BLAS library {choice!r} was not found or lacks one of {', '.join(BLAS_FUNCTIONS)}; "
        f"choose one of {', '.join(NAMES)}, or give the path of a shared library with CBLAS"
    )


@cache
def _find(name: str) -> BlasProvider | None:
    """Return the first usable library with a name."""
    for path in _candidates(name):
        try:
            load_openmp()
            library = ctypes.CDLL(path)
        except OSError:
            continue
        provider = _bind(name, library)
        if provider is not None:
            return provider
    return None


@cache
def _plain(toolchain: Toolchain, directory: str) -> BlasProvider:
    from symtheano.codegen.runtime.plain_blas import plain_blas_source

    library = Cache(directory).load(plain_blas_source(), toolchain, ctypes.CDLL)
    provider = _bind("plain", library)
    assert provider is not None
    return provider


@cache
def _with_kernels(provider: BlasProvider, toolchain: Toolchain, directory: str) -> BlasProvider:
    return replace(provider, own=_own_kernels(toolchain, directory) or {})


@cache
def _begin_kernels(provider: BlasProvider, toolchain: Toolchain, directory: str) -> Later[None]:
    """Compile our own kernels in the background, and then add them to a library's table."""

    def fill() -> None:
        addresses = _own_kernels(toolchain, directory) or {}
        whole = table(provider)
        for number, suffix in enumerate(LIBRARY.suffixes):
            # Calls may read it at any time: a pointer is written atomically.
            whole.own[number] = addresses.get(suffix)
        whole.share = addresses.get("share")

    return Later(fill)


_loaded: dict[tuple[Toolchain, str], dict[str, int]] = {}


def _own_kernels(toolchain: Toolchain, directory: str, wait: bool = True) -> dict[str, int] | None:
    """Load our own kernels, and return their addresses.

    They are compiled if the cache does not have them; without ``wait``, None is returned instead.
    """
    loaded = _loaded.get((toolchain, directory))
    if loaded is not None:
        return loaded
    libraries = load_libraries(library_units(LIBRARY), toolchain, directory, wait)
    if libraries is None:
        return None
    addresses = {}
    for suffix, library in libraries.items():
        addresses[suffix] = symbol_address(library, LIBRARY.exports["run"])
        if hasattr(library, LIBRARY.exports["share"]):
            addresses["share"] = symbol_address(library, LIBRARY.exports["share"])
    return _loaded.setdefault((toolchain, directory), addresses)


def _candidates(name: str) -> Iterator[str]:
    """Yield paths at which a provider's library may be."""
    if name == "numpy":
        # The library that the loader finds through NumPy's extension module is the one that NumPy
        # uses, whether it is part of the wheel or comes from conda or the distribution.
        for module in ("numpy._core._multiarray_umath", "numpy.core._multiarray_umath"):
            path = getattr(sys.modules.get(module), "__file__", None)
            if path is not None:
                yield path
    elif name == "scipy-openblas32":
        from glob import glob
        from importlib.util import find_spec

        spec = find_spec("scipy_openblas32")
        for folder in (spec.submodule_search_locations or ()) if spec is not None else ():
            yield from sorted(glob(os.path.join(folder, "lib", "libscipy_openblas.*")))
    elif name == "system":
        yield from _SYSTEM_LIBRARIES
    else:
        yield os.path.expanduser(name)


def _bind(name: str, library: ctypes.CDLL) -> BlasProvider | None:
    """Look up all routines with one prefix and suffix, or return None."""
    for prefix, suffix in _SPELLINGS:
        if not hasattr(library, f"{prefix}{BLAS_FUNCTIONS[0]}{suffix}"):
            continue
        try:
            pointers = {
                routine: symbol_address(library, f"{prefix}{routine}{suffix}")
                for routine in BLAS_FUNCTIONS
            }
        except AttributeError:
            continue
        return BlasProvider(
            name,
            file_of(pointers[BLAS_FUNCTIONS[0]]) or str(library._name),
            _has_wide_integers(pointers["cblas_ddot"]),
            pointers,
            *_thread_controls(library, prefix, suffix),
            _exchange_threads(library, prefix, suffix),
            _kernels(library, prefix, suffix),
        )
    return None


def _has_wide_integers(ddot: int) -> bool:
    """Determine by a test call whether a library's integers have 64 bits.

    The length is 1 in its lower half and negative as 64 bits: a library with 64-bit integers
    processes no elements, one with 32-bit integers processes one.
    """
    integer, array = ctypes.c_int64, ctypes.c_double * 1
    signature = ctypes.CFUNCTYPE(ctypes.c_double, integer, array, integer, array, integer)
    length = -(1 << 32) + 1
    return bool(signature(ddot)(length, array(1.0), 1, array(1.0), 1) == 0.0)


def _thread_controls(
    library: ctypes.CDLL, prefix: str, suffix: str
) -> tuple[Callable[[int], None] | None, Callable[[], int] | None]:
    """Return the functions that set and get the number of threads."""
    for names in _THREAD_CONTROLS:
        for before, after in ((prefix, suffix), ("", "")):
            setter, getter = (getattr(library, before + name + after, None) for name in names)
            if setter is not None and getter is not None:
                setter.argtypes, setter.restype = [ctypes.c_int], None
                getter.argtypes, getter.restype = [], ctypes.c_int
                return setter, getter
    return None, None


def _exchange_threads(library: ctypes.CDLL, prefix: str, suffix: str) -> int:
    """Return the address of OpenBLAS's function that sets and returns the number of threads."""
    for before, after in ((prefix, suffix), ("", "")):
        name = f"{before}openblas_set_num_threads_local{after}"
        if hasattr(library, name):
            return symbol_address(library, name)
    return 0


def _kernels(library: ctypes.CDLL, prefix: str, suffix: str) -> str:
    """Return the processor for which OpenBLAS has chosen its kernels; empty for other libraries."""
    for before, after in ((prefix, suffix), ("", "")):
        name = getattr(library, f"{before}openblas_get_corename{after}", None)
        if name is not None:
            name.argtypes, name.restype = [], ctypes.c_char_p
            return str(name().decode("ascii", "replace"))
    return ""


_OF_64_BYTES = frozenset(("SkylakeX", "Cooperlake", "Sapphirerapids"))


def has_narrow_kernels(provider: BlasProvider, levels: Collection[str]) -> bool:
    """Return whether OpenBLAS's vectors are shorter than those of the processor.

    It does so on processors that are newer than itself. A Zen 4 has its kernels for SkylakeX.

    Parameters
    ----------
    provider
        The library.
    levels
        The levels of the x86-64 psABI whose instructions the processor has.
    """
    return bool(provider.kernels and "x86-64-v4" in levels and provider.kernels not in _OF_64_BYTES)


def set_threads(provider: BlasProvider, threads: int) -> None:
    """Set the number of threads of a library, if possible.

    Raises
    ------
    ValueError
        When ``threads`` is less than 1.
    """
    if threads < 1:
        raise ValueError(f"a BLAS library can't run on {threads} threads; give 1 or more")
    if provider.set_num_threads is not None and provider.threads() != threads:
        provider.set_num_threads(threads)


class _Table(ctypes.Structure):
    """``st_blas`` of the interface, followed by ``own``: see ``blas_calls``."""

    _fields_ = (
        ("ilp64", ctypes.c_int32),
        ("lock", ctypes.c_int32),
        ("fn", ctypes.c_void_p * len(BLAS_FUNCTIONS)),
        ("set_threads", ctypes.c_void_p),
        ("alone", ctypes.c_int32),
        ("saved", ctypes.c_int32),
        ("own", ctypes.c_void_p * len(LIBRARY.dtypes)),
        ("share", ctypes.c_void_p),
    )


@cache
def table(provider: BlasProvider) -> _Table:
    """Return a provider's ``st_blas``, which lives as long as the process."""
    pointers = (provider.pointers[routine] for routine in BLAS_FUNCTIONS)
    routines = (ctypes.c_void_p * len(BLAS_FUNCTIONS))(*pointers)
    own = (ctypes.c_void_p * len(LIBRARY.dtypes))(*map(provider.own.get, LIBRARY.suffixes))
    share = provider.own.get("share")
    structure = _Table(provider.ilp64, 0, routines, provider.exchange_threads, 0, 0, own, share)
    _tables.append((provider, structure))
    return structure


_tables: list[tuple[BlasProvider, _Table]] = []


@after_fork
def _free_libraries() -> None:
    """Undo in a forked child what calls of other threads hold: the lock, the limit of threads."""
    for provider, structure in _tables:
        structure.lock = 0
        if structure.alone:
            structure.alone = 0
            set_threads(provider, structure.saved)

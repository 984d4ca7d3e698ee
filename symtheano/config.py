"""Configuration: the options, their values, and where each value was set.

An option can be set in three places. The first one that sets it has priority:

1. the program: ``config.floatX = "float32"``;
2. the environment: ``SYMTHEANO_FLAGS="floatX=float32,threads=2"``;
3. the user's file, ``~/.config/symtheano/config``: lines such as ``floatX = float32``.

Otherwise the option has its default. The environment and the file are read when an option is first
needed. ``function()`` takes one snapshot (:meth:`Config.snapshot`), so options cannot change during
a compilation.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from symtheano.dataclass import dataclass, replace
from symtheano.errors import format_error

MODES = ("FAST_RUN", "FAST_COMPILE", "INTERPRET", "Mode")
"""Names of modes; ``Mode`` is what Theano calls its default."""

MOST_THREADS = 4096
"""Limit of the option ``threads``."""

WATCHING = ("NanGuardMode", "DebugMode", "DEBUG_MODE")
"""Names of the modes for debugging, which check every computed value."""

LINKERS = {
    "c": "c", "cvm": "c", "cvm_nogc": "c", "vm": "c", "vm_nogc": "c", "c|py": "c",
    "c|py_nogc": "c", "interpret": "interpret", "numpy": "interpret", "py": "interpret",
}  # fmt: skip
"""Names of linkers, including Theano's: compiled C, or NumPy."""

OPTIMIZERS = {
    "fast_run": "fast_run", "o4": "fast_run", "o3": "fast_run", "o2": "fast_run",
    "default": "fast_run", "fast_compile": "fast_compile", "o1": "fast_compile", "none": "none",
    "None": "none", "merge": "none",
}  # fmt: skip
"""Names of optimizers, including Theano's: all rules, few, or none."""

_CHOICES: dict[str, tuple[str, ...]] = {
    "floatX": ("float16", "float32", "float64"),
    "cast_policy": ("custom", "numpy+floatX", "numpy"),
    "mode": (*MODES, *WATCHING),
    "linker": ("", *LINKERS),
    "optimizer": ("", *OPTIMIZERS),
    "device": ("cpu", "emulated", "cuda"),
    "device_updates": ("new", "in_place"),
    "on_unused_input": ("raise", "warn", "ignore"),
    "accuracy": ("default", "libm"),
    "convolution": ("default", "direct", "fast"),
    "fft": ("numpy", "theano"),
    "first_tier": ("none", "unoptimized", "interpreter"),
    "deterministic": ("default", "more"),
    "compute_test_value": ("off", "ignore", "warn", "raise", "pdb"),
}


@dataclass(frozen=True)
class Options:
    """One consistent set of options.

    Attributes
    ----------
    floatX
        Dtype of variables declared without a dtype (``matrix()``), and of float results of integer
        operations.
    cast_policy
        How Python numbers are typed; see ``docs/dtypes.md``.
    mode
        Mode of a ``function()`` call without a mode.
    linker, optimizer
        Linker and optimizer to use instead of those of the mode; empty for those of the mode.
    optimizer_including, optimizer_excluding
        Names or tags of rewrite rules to add to the mode or to remove from it, separated by colons.
    device
        The device on which functions run: ``cpu``; ``cuda``, or ``cuda:1`` for the second one; or
        ``emulated``: the processor runs the kernels that are written for CUDA, slowly, for tests.
    device_updates
        Where new values of shared variables on a device are. ``new``: in new memory, so that a call
        that fails changes nothing. ``in_place``: in that of the old values if nothing else refers
        to them. This takes less memory, but if the driver refuses something in the middle of a
        call, some values may be new ones. Checks of elements are done before.
    device_tf32
        Whether cuBLAS and cuDNN may round the factors of products of float32 to 11 significant
        bits, which is several times faster on devices since compute capability 8.0.
    device_atomics
        Whether threads of a device may add to elements that indices select in any order, as in the
        gradient of a lookup. It saves a sort, but sums differ in the last bits from run to run.
    on_unused_input
        How ``function()`` handles an input that is not used.
    allow_input_downcast
        Default of this argument of ``function()``: ``True`` allows the conversion of inputs of any
        dtype, ``False`` only conversions without loss, ``None`` also that of Python floats to
        floatX.
    threads
        Number of threads of compiled code, at most 4096; 0 for all processors that the process may
        use.
    cc
        The C compiler's command; empty to search for one.
    blas
        Name or path of the BLAS library; empty to search for one.
    accuracy
        ``default``: vectorized mathematical functions with errors of at most 4 ulp. ``libm``: the
        scalar functions of the C library.
    convolution
        The algorithms that convolutions may use. ``direct``: only sums of products. ``default``:
        also Winograd's F(2, 3) and Fourier transforms, which have errors of about the same size.
        ``fast``: also Winograd's F(4, 3), which has errors several times larger.
    fft
        The library whose conventions ``symtheano.tensor.fft.rfft`` and ``irfft`` follow: ``numpy``
        or ``theano``.
    cache_dir
        Directory of compiled code; empty means the user's cache directory.
    cache_size
        Limit of the size of the cache in megabytes (2^20 bytes); 0 for no limit.
    profile
        Whether functions count their calls and the seconds spent in them.
    first_tier
        How calls of a function run whose code is not in the cache, until the C compiler has
        finished in the background. ``none``: ``function()`` waits for the compiler.
        ``unoptimized``: as code that is compiled with few optimizations, in a third of the time, if
        that saves time. ``interpreter``: in the interpreter; ``function()`` returns immediately.
    deterministic
        ``more``: results have the same bits in each run on a machine. ``default``: the same, with
        one exception. When a machine needs kernels of products and convolutions for the first time,
        they are compiled in the background, and results may differ in the last bits until then.
    compute_test_value
        Whether expressions are also computed while they are built, from the values in
        ``tag.test_value``. ``off``: no. Otherwise yes, and the value says what to do about a
        variable without a test value: ``ignore``, ``warn``, ``raise`` or ``pdb``.
    theano_semantics
        Whether expressions mean what they mean in Theano where symtheano differs from it on
        purpose. :mod:`symtheano.compat` sets this for programs that were written for Theano;
        ``docs/compat.md`` lists the differences.
    mpi_timeout
        Seconds that a process waits for the others in an operation of all of them
        (:mod:`symtheano.distributed`) until all end with an error; 0: forever.

    Raises
    ------
    ValueError
        If an option has an invalid value.
    NotImplementedError
        For Theano's devices that are not implemented.
    """

    floatX: str = "float64"
    cast_policy: str = "custom"
    mode: str = "FAST_RUN"
    linker: str = ""
    optimizer: str = ""
    optimizer_including: str = ""
    optimizer_excluding: str = ""
    device: str = "cpu"
    device_updates: str = "new"
    device_tf32: bool = False
    device_atomics: bool = False
    on_unused_input: str = "raise"
    allow_input_downcast: bool | None = None
    threads: int = 0
    cc: str = ""
    blas: str = ""
    accuracy: str = "default"
    convolution: str = "default"
    fft: str = "numpy"
    cache_dir: str = ""
    cache_size: int = 1024
    profile: bool = False
    first_tier: str = "none"
    deterministic: str = "default"
    compute_test_value: str = "off"
    theano_semantics: bool = False
    mpi_timeout: int = 300

    def __post_init__(self) -> None:
        for name in _NAMES:
            _check(name, getattr(self, name), "config.")


_DEFAULTS: dict[str, object] = {name: getattr(Options, name) for name in Options.__match_args__}
_NAMES = tuple(_DEFAULTS)
_TRUTH = {"true": True, "1": True, "false": False, "0": False, "none": None, "": None}


def _check(name: str, value: object, place: str) -> None:
    """Raise an error for an invalid value; ``place`` is where it was set."""
    choices = _CHOICES.get(name)
    default = _DEFAULTS[name]
    hint = None
    if choices is not None:
        _check_implemented(name, value)
        fits, wanted = value in choices, f"one of {', '.join(filter(None, choices))}"
        if name == "device" and isinstance(value, str) and value.startswith("cuda"):
            suffix = value.removeprefix("cuda").removeprefix(":")
            fits = fits or (suffix.isascii() and suffix.isdigit())
        hint = None if fits else did_you_mean(str(value), choices)
    elif name == "allow_input_downcast":
        fits, wanted = value is None or isinstance(value, bool), "True, False or None"
    elif isinstance(default, bool):
        fits, wanted = isinstance(value, bool), "True or False"
    elif isinstance(default, int):
        number = isinstance(value, int) and not isinstance(value, bool)
        fits, wanted = number and value >= 0, "a whole number, 0 or greater"  # type: ignore[operator]
        if name == "threads" and fits and value > MOST_THREADS:  # type: ignore[operator]
            fits, wanted = False, f"at most {MOST_THREADS}"
    else:
        fits, wanted = isinstance(value, str), "a text"
    if not fits:
        raise ValueError(format_error(f"{place}{name} = {value!r}: must be {wanted}", hint=hint))


def _check_implemented(name: str, value: object) -> None:
    if name == "device" and isinstance(value, str) and value.startswith(("gpu", "opencl")):
        raise NotImplementedError(f"device {value}: there are cpu, cuda, cuda:1 ... and emulated")


def did_you_mean(name: str, choices: Sequence[str]) -> str | None:
    """Return a hint with the names that are similar to a misspelled name, or None.

    Examples
    --------
    >>> did_you_mean("flotX", ["floatX", "mode"])
    'did you mean floatX?'
    """
    from difflib import get_close_matches

    lower = {item.lower(): item for item in choices if item}
    close = get_close_matches(name.lower(), lower, n=3)
    return f"did you mean {' or '.join(lower[item] for item in close)}?" if close else None


# -- from outside the program --------------------------------------------------------------------


def config_file() -> str:
    """Return the path of the user's file, which may not exist.

    The path is ``$SYMTHEANO_CONFIG`` or, if this variable is not set, ``symtheano/config`` in
    ``$XDG_CONFIG_HOME`` or ``~/.config``. If ``$SYMTHEANO_CONFIG`` is set to nothing, the path is
    empty and no file is read.
    """
    named = os.environ.get("SYMTHEANO_CONFIG")
    if named is not None:
        return os.path.expanduser(named)
    base = os.environ.get("XDG_CONFIG_HOME", "")
    # According to the XDG specification, relative paths are ignored.
    if not os.path.isabs(base):
        base = os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(base, "symtheano", "config")


@dataclass(frozen=True)
class _Setting:
    """One option as it was written, and where."""

    source: str
    name: str
    text: str

    def value(self) -> object:
        """Convert the text to the type of the option's default, and check it."""
        if self.name not in _NAMES:
            what = f"{self.source}: there is no option {self.name!r}"
            raise ValueError(format_error(what, hint=did_you_mean(self.name, _NAMES)))
        value: object = self.text
        default = _DEFAULTS[self.name]
        if default is None or isinstance(default, bool):
            value = _TRUTH.get(self.text.lower(), self.text)
        elif isinstance(default, int) and self.text.isascii() and self.text.isdigit():
            value = int(self.text)
        _check(self.name, value, f"{self.source}: ")
        return value


def _in_file() -> Iterator[_Setting]:
    path = config_file()
    if not path:
        return
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.readlines()
    except (OSError, UnicodeDecodeError) as error:
        if "SYMTHEANO_CONFIG" in os.environ or os.path.lexists(path):
            reason = getattr(error, "strerror", None) or error
            message = format_error(f"the configuration file {path} can't be read: {reason}")
            raise ValueError(message) from None
        return
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _setting(f"{path}:{number}", line.split(" #", 1)[0])


def _in_environment() -> Iterator[_Setting]:
    threads = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    if threads.isascii() and threads.isdigit():
        # The variable is not only ours: a number that no machine has is no error.
        most = str(MOST_THREADS)
        within = len(threads.lstrip("0")) < len(most) or threads.lstrip("0") <= most
        yield _Setting("OMP_NUM_THREADS", "threads", threads if within else most)
    for name, variable in (("cache_dir", "SYMTHEANO_CACHE_DIR"), ("cc", "SYMTHEANO_CC")):
        if variable in os.environ:
            yield _Setting(variable, name, os.environ[variable])
    for item in os.environ.get("SYMTHEANO_FLAGS", "").split(","):
        if item.strip():
            yield _setting("SYMTHEANO_FLAGS", item)


def _setting(source: str, text: str) -> _Setting:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(
            format_error(
                f"{source}: {text.strip()!r} is not an assignment",
                hint="write an option as name=value",
            )
        )
    return _Setting(source, name.strip(), value.strip())


def _read() -> tuple[Options, dict[str, str]]:
    """Return the options set from outside, and the source of each that is set."""
    values: dict[str, Any] = {}
    sources: dict[str, str] = {}
    for setting in (*_in_file(), *_in_environment()):
        values[setting.name], sources[setting.name] = setting.value(), setting.source
    return Options(**values), sources


# -- within the program --------------------------------------------------------------------------


class Config:
    """The mutable interface to :class:`Options`: ``config.floatX = "float32"``.

    Examples
    --------
    >>> from symtheano import config
    >>> with config.change_flags(floatX="float32"):
    ...     config.floatX, config.source("floatX")
    ('float32', 'program')
    """

    _options: Options
    _sources: dict[str, str]

    def snapshot(self) -> Options:
        """Return the current options as an immutable record.

        Raises
        ------
        ValueError
            If the environment or the user's file sets an unknown option or an invalid value.
        """
        return self._options

    def __getattr__(self, name: str) -> Any:
        if name in ("_options", "_sources"):
            self._restore(*_read())
            return self.__dict__[name]
        if name not in _NAMES:
            raise AttributeError(_no_option(name))
        return getattr(self._options, name)  # which may read the environment first

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _NAMES:
            raise AttributeError(_no_option(name))
        changed = replace(self._options, **{name: value})
        self._restore(changed, {**self._sources, name: "program"})

    def _restore(self, options: Options, sources: dict[str, str]) -> None:
        # The options are attributes of their own, which are read often: once they are here,
        # Python does not call __getattr__ for them.
        values = {name: getattr(options, name) for name in _NAMES}
        self.__dict__.update(values, _options=options, _sources=sources)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_NAMES]

    def source(self, name: str) -> str:
        """Return where an option was set.

        The result is ``default``, ``program``, the name of an environment variable, or the file and
        line.
        """
        if name not in _NAMES:
            raise AttributeError(_no_option(name))
        return self._sources.get(name, "default")

    def describe(self) -> str:
        """Return one line for each option: name, value and source."""
        names = max(map(len, _NAMES))
        values = max(len(repr(getattr(self, name))) for name in _NAMES)
        return "\n".join(
            f"{name:<{names}} = {getattr(self, name)!r:<{values}}  {self.source(name)}"
            for name in _NAMES
        )

    def __repr__(self) -> str:
        return self.describe()

    @contextmanager
    def change_flags(self, **flags: object) -> Iterator[None]:
        """Return a context manager that sets options within a ``with`` block.

        Raises
        ------
        AttributeError
            If there is no option of a given name.
        ValueError
            If a value is invalid.
        """
        before = self._options, self._sources
        try:
            for name, value in flags.items():
                setattr(self, name, value)
            yield
        finally:
            self._restore(*before)


def _no_option(name: str) -> str:
    hint = did_you_mean(name, _NAMES) or f"it has {', '.join(_NAMES)}"
    return format_error(f"config has no option {name!r}", hint=hint)


config = Config()

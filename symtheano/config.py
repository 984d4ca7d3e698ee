"""Configuration: a typed record of options, from the environment, the program or a context.

It is read once per ``function()`` (:meth:`Config.snapshot`), so that nothing which is being
compiled can see it change. ``SYMTHEANO_FLAGS="floatX=float32,mode=INTERPRET"`` sets it from
outside.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any

_CHOICES: dict[str, tuple[str, ...]] = {
    "floatX": ("float16", "float32", "float64"),
    "cast_policy": ("custom", "numpy+floatX", "numpy"),
    "mode": ("FAST_RUN", "FAST_COMPILE", "INTERPRET"),
    "on_unused_input": ("raise", "warn", "ignore"),
    "compute_test_value": ("off", "ignore", "warn", "raise", "pdb"),
}


@dataclass(frozen=True)
class Options:
    """One consistent set of options.

    Attributes
    ----------
    floatX
        Dtype of constructors that name none (``matrix()``) and of float results from integers.
    cast_policy
        How Python numbers are typed; see ``docs/dtypes.md``.
    mode
        Default mode of ``function()``.
    on_unused_input
        What ``function()`` does about an input that is not used.
    allow_input_downcast
        ``True`` and ``False`` as for ``function()``; ``None`` lets Python floats become floatX.
    threads
        Number of threads of compiled code; 0 means as many as the process may use.
    cc
        The C compiler's command; empty means: find one.
    blas
        Name or path of the BLAS library; empty means: find one.
    cache_dir
        Directory of compiled code; empty means the user's cache directory.
    compute_test_value
        Accepted for programs written for Theano; test values are kept but never run.
    """

    floatX: str = "float64"
    cast_policy: str = "custom"
    mode: str = "FAST_RUN"
    on_unused_input: str = "raise"
    allow_input_downcast: bool | None = None
    threads: int = 0
    cc: str = ""
    blas: str = ""
    cache_dir: str = ""
    compute_test_value: str = "off"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise ValueError(
                    f"config.{name} = {getattr(self, name)!r}: must be one of {', '.join(choices)}"
                )


_NAMES = tuple(field.name for field in fields(Options))
_TRUTH = {"true": True, "1": True, "false": False, "0": False, "none": None, "": None}


def _parse(name: str, text: str) -> object:
    """Read one option from text, by the type of its default."""
    if name == "allow_input_downcast":
        return _TRUTH[text.lower()]
    return int(text) if isinstance(getattr(Options, name), int) else text


def _from_environment() -> Options:
    given: dict[str, Any] = {}
    for item in os.environ.get("SYMTHEANO_FLAGS", "").split(","):
        name, _, text = item.strip().partition("=")
        if not name:
            continue
        if name not in _NAMES:
            raise ValueError(f"SYMTHEANO_FLAGS names an unknown option {name!r}")
        given[name] = _parse(name, text)
    for name, variable in (("cache_dir", "SYMTHEANO_CACHE_DIR"), ("cc", "SYMTHEANO_CC")):
        if variable in os.environ:
            given.setdefault(name, os.environ[variable])
    if "OMP_NUM_THREADS" in os.environ and os.environ["OMP_NUM_THREADS"].isdigit():
        given.setdefault("threads", int(os.environ["OMP_NUM_THREADS"]))
    return Options(**given)


class Config:
    """The mutable face of :class:`Options`: ``config.floatX = "float32"``.

    Examples
    --------
    >>> from symtheano import config
    >>> with config.change_flags(floatX="float32"):
    ...     config.floatX
    'float32'
    """

    _options: Options

    def __init__(self) -> None:
        object.__setattr__(self, "_options", _from_environment())

    def snapshot(self) -> Options:
        """Return the options as they are now, immutable."""
        return self._options

    def __getattr__(self, name: str) -> Any:
        return getattr(self._options, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name not in _NAMES:
            raise AttributeError(f"config has no option {name!r}; it has {', '.join(_NAMES)}")
        changed = replace(self._options, **{name: value})  # type: ignore[arg-type]
        object.__setattr__(self, "_options", changed)

    def __repr__(self) -> str:
        return "\n".join(f"{name} = {getattr(self, name)!r}" for name in _NAMES)

    @contextmanager
    def change_flags(self, **flags: object) -> Iterator[None]:
        """Set options for the length of a ``with`` block."""
        before = self._options
        try:
            for name, value in flags.items():
                setattr(self, name, value)
            yield
        finally:
            object.__setattr__(self, "_options", before)


config = Config()

"""Modes: which rewrite rules are applied, and how the result is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from symtheano.config import (
    LINKERS,
    OPTIMIZERS,
    Options,
    config,
    did_you_mean,
)
from symtheano.errors import format_error

if TYPE_CHECKING:
    from symtheano.codegen.targets import Target
    from symtheano.rewrites.rule import Phase, Rule

_PHASES: dict[str, tuple[Phase, ...]] = {
    "fast_run": (
        *("canonicalize", "stabilize", "pushdown", "specialize"),
        *("loops", "blas", "expand", "scalarize"),
    ),
    "fast_compile": ("canonicalize", "stabilize", "pushdown", "expand"),
    "none": ("expand",),
}


@dataclass(frozen=True, init=False)
class Mode:
    """How a function is optimized and run.

    Theano's names of linkers and optimizers are accepted, too.

    Parameters
    ----------
    linker
        ``c``, the default: functions are compiled. Theano's ``cvm``, ``vm`` and ``c|py`` mean the
        same. ``interpret``: functions are run by NumPy. Other names are ``numpy`` and ``py``.
    optimizer
        ``fast_run``: all rules. Other names are ``o2`` to ``o4``. ``fast_compile``: only rules that
        normalize expressions and make them numerically stable. Another name is ``o1``. ``none``:
        only the rules that the linker needs. Other names are None and ``merge``. In every mode,
        equal expressions are computed once.
    included, excluded
        Names or tags of rules to add or to remove; see :meth:`including`. Passes on loops, such as
        ``tile``, can also be removed by name.

    Raises
    ------
    ValueError
        If there is no linker, optimizer, rule or tag of a given name.

    Examples
    --------
    >>> Mode(linker="py").excluding("log_of_one_plus")
    Mode(linker='interpret', optimizer='fast_run', included=(), excluded=('log_of_one_plus',))
    """

    linker: str
    optimizer: str
    included: tuple[str, ...]
    excluded: tuple[str, ...]

    def __init__(
        self,
        linker: str | None = None,
        optimizer: str | None = "fast_run",
        included: Iterable[str] = (),
        excluded: Iterable[str] = (),
    ) -> None:
        parts = {
            "linker": _meaning("linker", "c" if linker is None else linker, LINKERS),
            "optimizer": _meaning(
                "optimizer", "none" if optimizer is None else optimizer, OPTIMIZERS
            ),
            "included": tuple(sorted(set(included))),
            "excluded": tuple(sorted(set(excluded))),
        }
        for name, value in parts.items():
            object.__setattr__(self, name, value)
        if self.included or self.excluded:
            # the rules are imported when they are first needed, not with the package
            from symtheano.rewrites.library import check_names

            check_names((*self.included, *self._rules_excluded()))

    def including(self, *names: str) -> Mode:
        """Return this mode with rules added.

        Traces and ``explain`` show the names of rules. A tag selects all rules that have it. Tags
        are phases (``stabilize``, ``blas``), subjects (``algebra``, ``subtensor``) and numerical
        effects (``reassociates``, ``more_accurate``, ``needs_finite``). The name of a rule has
        priority over its tags. Later choices have priority over earlier ones.
        """
        return replace(
            self,
            included=(*self.included, *names),
            excluded=tuple(name for name in self.excluded if name not in names),
        )

    def excluding(self, *names: str) -> Mode:
        """Return this mode without some rules (names or tags) or passes on loops (names)."""
        return replace(
            self,
            included=tuple(name for name in self.included if name not in names),
            excluded=(*self.excluded, *names),
        )

    def run(self, stages: Any, values: Sequence[Any]) -> list[Any]:
        """Return the results of a function's graph for given inputs, without compiled code.

        ``stages`` are those of the function. Subclasses that watch the computation override this.
        """
        from symtheano.interpret import interpret

        return interpret(stages.graph, values)

    def rules(self) -> list[Rule]:
        """Return the rules to apply, in order."""
        from symtheano.rewrites.library import default_rules

        own = default_rules(self.included, self._rules_excluded(), _PHASES[self.optimizer])
        return [*own, *self.program_rules()]

    def program_rules(self) -> list[Rule]:
        """Return the rules that the user's program has added for this mode, in order."""
        return [rule for source in RULE_SOURCES for rule in source(self)]

    def target(self, device: str = "cpu") -> Target:
        """Return the processor, or the device, without passes that are excluded."""
        if device != "cpu":
            from symtheano.codegen.devices import CUDA

            return CUDA.without(self.excluded)
        from symtheano.codegen.processors import CPU

        return CPU.without(self.excluded)

    def _rules_excluded(self) -> list[str]:
        if not self.excluded:
            return []
        from symtheano.codegen.processors import CPU

        passes = {each.__name__ for each in CPU.passes}
        return [name for name in self.excluded if name not in passes]


def _meaning(part: str, name: object, names: dict[str, str]) -> str:
    if not isinstance(name, str) or name not in names:
        hint = did_you_mean(name, tuple(names)) if isinstance(name, str) else None
        raise ValueError(
            format_error(f"mode: {part} {name!r} is not one of {', '.join(names)}", hint=hint)
        )
    return names[name]


_MODES = {
    "FAST_RUN": Mode(),
    "FAST_COMPILE": Mode(optimizer="fast_compile"),
    "INTERPRET": Mode("interpret"),
    "Mode": Mode(),
}


RULE_SOURCES: list[Callable[[Mode], list[Rule]]] = []
"""Functions that return rules of the user's program for a mode; later packages add theirs."""

LATE: dict[str, Callable[[], Mode]] = {}
"""Modes of packages further right, by name, and what makes them; ``symtheano`` adds them."""


def get_mode(mode: str | Mode | None = None, options: Options | None = None) -> Mode:
    """Return a mode by name, or the mode itself.

    Parameters
    ----------
    mode
        A name or a mode. None for the mode that the options ``mode``, ``linker``, ``optimizer``,
        ``optimizer_including`` and ``optimizer_excluding`` determine.
    options
        The options; by default those of :data:`symtheano.config.config`.

    Raises
    ------
    ValueError
        If there is no mode of that name.

    Examples
    --------
    >>> get_mode("FAST_COMPILE").optimizer
    'fast_compile'
    """
    if isinstance(mode, Mode):
        return mode
    if mode is None:
        return _configured(options or config.snapshot())
    if mode in _MODES or mode in LATE:
        return _named(mode)
    names = (*_MODES, *LATE)
    hint = did_you_mean(str(mode), names)
    raise ValueError(
        format_error(f"unknown mode {mode!r}; the modes are {', '.join(names)}", hint=hint)
    )


@cache
def _named(name: str) -> Mode:
    return _MODES[name] if name in _MODES else LATE[name]()


def _configured(options: Options) -> Mode:
    mode = _named(options.mode)
    including, excluding = _names(options.optimizer_including), _names(options.optimizer_excluding)
    if options.linker or options.optimizer:
        mode = replace(
            mode,
            linker=options.linker or mode.linker,
            optimizer=options.optimizer or mode.optimizer,
        )
    if including or excluding:
        mode = mode.including(*including).excluding(*excluding)
    return mode


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(":") if name.strip()]

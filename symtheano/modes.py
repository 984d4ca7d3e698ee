"""Modes: which rules run, and what runs the result."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from symtheano.rewrites.rule import Rule

_QUICK_PHASES = ("canonicalize", "stabilize", "expand")


@dataclass(frozen=True)
class Mode:
    """How a function is made.

    Attributes
    ----------
    linker
        ``c`` (compiled) or ``interpret`` (NumPy).
    optimizer
        ``fast_run`` (all rules), ``fast_compile`` (few) or ``none``.
    included, excluded
        Names of rules or phases to add or leave out.

    Examples
    --------
    >>> Mode("interpret").excluding("log_of_one_plus").excluded
    ('log_of_one_plus',)
    """

    linker: str = "c"
    optimizer: str = "fast_run"
    included: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.linker not in ("c", "interpret"):
            raise ValueError(f"linker {self.linker!r} is neither 'c' nor 'interpret'")
        if self.optimizer not in ("fast_run", "fast_compile", "none"):
            raise ValueError(f"optimizer {self.optimizer!r} is not fast_run, fast_compile or none")

    def including(self, *names: str) -> Mode:
        """Return this mode with rules added."""
        return replace(self, included=(*self.included, *names))

    def excluding(self, *names: str) -> Mode:
        """Return this mode without the rules or phases named."""
        return replace(self, excluded=(*self.excluded, *names))

    def rules(self) -> list[Rule]:
        """Return the rules to apply, in order."""
        # the rules are imported when the first function is made, not with the package
        from symtheano.rewrites.library import default_rules

        rules: Iterable[Rule] = default_rules(including=self.included, excluding=self.excluded)
        if self.optimizer == "none":
            rules = [rule for rule in rules if rule.phase == "expand"]
        elif self.optimizer == "fast_compile":
            rules = [rule for rule in rules if rule.phase in _QUICK_PHASES]
        return list(rules)


_MODES = {
    "FAST_RUN": Mode(),
    "FAST_COMPILE": Mode(optimizer="fast_compile"),
    "INTERPRET": Mode("interpret"),
}


def get_mode(mode: str | Mode) -> Mode:
    """Return a mode by name, or the mode itself.

    Raises
    ------
    ValueError
        If there is no mode of that name.
    """
    if isinstance(mode, Mode):
        return mode
    try:
        return _MODES[mode]
    except KeyError:
        raise ValueError(f"no mode {mode!r}; there are {', '.join(_MODES)}") from None

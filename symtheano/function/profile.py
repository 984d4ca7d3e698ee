"""Profiles: the time of compilation of a function, and the number and time of its calls.

A function has a profile if it was made with ``function(profile=True)`` or ``config.profile``.
Otherwise nothing is measured, and there is no overhead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field
from threading import Lock
from typing import Any

from symtheano.errors import printable, printable_name
from symtheano.graph.forks import after_fork

PARTS = ("rewrite", "lower", "print", "compile", "load")
"""The stages of compilation, in order."""

_NAME, _PLACE = 22, 20
_STEPS_SHOWN = 20

# Shared by all profiles, so that one can be copied and pickled.
_lock = Lock()


@after_fork
def _renew_lock() -> None:
    global _lock
    _lock = Lock()


_profiles: list[Profile] = []


@dataclass
class ProfiledStep:
    """A part of a function's work, such as a loop nest or a matrix product.

    Attributes
    ----------
    label
        What the step computes.
    place
        The line of the user's program from which the step came, or None if it is not known.
    calls, seconds
        Number of runs, and total time.
    """

    label: str
    place: str | None
    calls: int = 0
    seconds: float = 0.0


@dataclass
class Profile:
    """The times measured for one function.

    Attributes
    ----------
    name
        The function's name.
    origin
        The line of the user's program that made the function, or None if it is not known.
    times
        Seconds of each stage of compilation, by the names in :data:`PARTS`. ``total`` includes the
        time between stages.
    calls, seconds
        Number of finished calls, and their total time.
    steps
        The steps of a call, if they are measured.

    Examples
    --------
    >>> profile = Profile("train", "model.py:12", {"compile": 0.25, "total": 0.5})
    >>> profile.record(0.002)
    >>> profile.record(0.004)
    >>> print(profile.summary())  # doctest: +NORMALIZE_WHITESPACE
    function               made at                  calls   seconds    us/call share
    train                  model.py:12                  2     0.006     3000.0  100%
    <BLANKLINE>
    seconds of compiling     total  rewrite    lower    print  compile     load
    train                    0.500        -        -        -    0.250        -
    """

    name: str
    origin: str | None = None
    times: dict[str, float] = field(default_factory=dict)
    calls: int = 0
    seconds: float = 0.0
    steps: list[ProfiledStep] = field(default_factory=list)

    def __post_init__(self) -> None:
        _profiles.append(self)

    def record(self, seconds: float, spent: Sequence[float] = ()) -> None:
        """Record one call, from any thread, and the times of its steps (negative: not run)."""
        with _lock:
            self.calls += 1
            self.seconds += seconds
            for step, part in zip(self.steps, spent, strict=False):
                if part >= 0:
                    step.calls += 1
                    step.seconds += part

    def record_steps(
        self, steps: Sequence[tuple[str, str | None]], seconds: Sequence[float], runs: Sequence[int]
    ) -> None:
        """Record, from any thread, how often the steps of one call have run, and for how long.

        Steps of the same label and line are one: code for other arguments has some in common.
        Kernels of which the host chooses one at each launch are listed when they have run.
        """
        with _lock:
            known = {(step.label, step.place): step for step in self.steps}
            for (label, place), spent, count in zip(steps, seconds, runs, strict=True):
                if not count:
                    continue
                step = known.get((label, place))
                if step is None:
                    step = known[label, place] = ProfiledStep(label, place)
                    self.steps.append(step)
                step.calls += count
                step.seconds += spent

    def summary(self) -> str:
        """Return tables of at most 80 columns about calls and compilation."""
        return report([self])

    def as_dict(self) -> dict[str, Any]:
        """Return names and numbers in a form that can be converted to JSON."""
        return {
            "name": self.name,
            "origin": self.origin,
            "times": dict(self.times),
            "calls": self.calls,
            "seconds": self.seconds,
            "steps": [asdict(step) for step in self.steps],
        }


def all_profiles() -> list[Profile]:
    """Return every profile made in this process, in order.

    Examples
    --------
    >>> profile = Profile("predict")
    >>> all_profiles()[-1] is profile
    True
    """
    return list(_profiles)


def report(profiles: Iterable[Profile]) -> str:
    """Return tables about several functions, sorted by the total time of calls.

    The last table lists the steps of the function with the longest time, if they were measured.
    """
    ordered = sorted(profiles, key=lambda profile: -profile.seconds)
    if not ordered:
        return "no function was compiled"
    parts = [_calls(ordered), _compiling(ordered)]
    if ordered[0].steps:
        parts.append(_steps(ordered[0]))
    return printable("\n\n".join("\n".join(line.rstrip() for line in part) for part in parts))


def _calls(profiles: Sequence[Profile]) -> list[str]:
    head = ("function", "made at", "calls", "seconds", "us/call", "share")
    row = _row(2, _NAME, _PLACE, 9, 9, 10, 5)
    everything = sum(profile.seconds for profile in profiles)
    lines = [row(*head)]
    for profile in profiles:
        each = 1e6 * profile.seconds / profile.calls if profile.calls else None
        lines.append(
            row(
                profile.name,
                profile.origin or "-",
                _number(profile.calls, 9, 0),
                _number(profile.seconds, 9, 3),
                _number(each, 10, 1),
                _share(profile.seconds, everything),
            )
        )
    return lines


def _compiling(profiles: Sequence[Profile]) -> list[str]:
    row = _row(1, _NAME, 7, *[8] * len(PARTS))
    lines = [row("seconds of compiling", "total", *PARTS)]
    for profile in profiles:
        shown = [_number(profile.times.get(part), 7, 3) for part in ("total", *PARTS)]
        lines.append(row(profile.name, *shown))
    return lines


def _steps(profile: Profile) -> list[str]:
    row = _row(2, _NAME + 9, _PLACE, 9, 10, 5)
    everything = sum(step.seconds for step in profile.steps)
    ordered = sorted(profile.steps, key=lambda step: -step.seconds)
    lines = [row(f"steps of {profile.name}", "written at", "runs", "seconds", "share")]
    for step in ordered[:_STEPS_SHOWN]:
        share = _share(step.seconds, everything)
        calls, seconds = _number(step.calls, 9, 0), _number(step.seconds, 10, 3)
        lines.append(row(step.label, step.place or "-", calls, seconds, share))
    rest = ordered[_STEPS_SHOWN:]
    if rest:
        left = sum(step.seconds for step in rest)
        share = _share(left, everything)
        lines.append(row(f"{len(rest)} more", "", "", _number(left, 10, 3), share))
    return lines


def _row(texts: int, *widths: int) -> Callable[..., str]:
    """Return a function that formats rows: truncated columns of text, then columns of numbers."""

    def write(*cells: str) -> str:
        shown = [_cut(c, w).ljust(w) for c, w in zip(cells[:texts], widths[:texts], strict=True)]
        shown += [c.rjust(w) for c, w in zip(cells[texts:], widths[texts:], strict=True)]
        return " ".join(shown)

    return write


def _cut(text: str, width: int) -> str:
    text = printable_name(text)
    return text if len(text) <= width else text[: width - 1] + "…"


def _number(value: float | None, width: int, digits: int) -> str:
    """Format a number with the given number of decimals, or fewer if it is too wide."""
    text = "-" if value is None else f"{value:.{digits}f}"
    return text if len(text) <= width else f"{value:.1e}"


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:.0f}%" if whole > 0 else "-"

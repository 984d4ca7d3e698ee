"""The package's rules, in the order in which they are tried."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from typing import cast

from symtheano.config import did_you_mean
from symtheano.errors import format_error
from symtheano.rewrites.index import INDEX
from symtheano.rewrites.rule import PHASES, REGISTRY, Phase, Rule

_BEFORE_LOOPS = (
    "canonicalize algebra signs quotients scalars logic reduce shape subtensor scatters onehot "
    "identities bells vanishing stabilize exponentials logarithms scaled rational clipped "
    "selections shares differences norms scaling specialize sums masks attention blas diagonals "
    "batched expand shifts rolls transposes"
).split()
_ABOUT_LOOPS = (
    "scan_merge scans scan_lengths scan_stored scan_unroll scan_rows scan_starts scan_draws "
    "scan_motion packed"
).split()
_AFTER_LOOPS = ("unrolled", "choices")
SUBJECTS = (*_BEFORE_LOOPS, *_ABOUT_LOOPS, *_AFTER_LOOPS)
"""The modules with rules, in the order in which their rules are tried."""


def _indexed() -> dict[str, Rule]:
    """Return the rules as the index describes them, for as long as their modules are not there."""
    rules, module = {}, ""
    for line in INDEX.replace("\n    ", " ").splitlines():
        if line.startswith("["):
            module = f"symtheano.rewrites.{line[1:-1]}"
            continue
        head, _, kinds = line.partition(":")
        name, phase, kind, *_ = f"{head}, ".split(", ")
        tracks, _, operands = kinds.partition(";")
        rules[name] = Rule(
            name,
            cast(Phase, phase),
            module,
            tuple(tracks.split()),
            tuple(operands.split()),
            kind != "unusual",
            kind == "graph",
        )
    return rules


# Some modules may have been imported, and their rules are there.
_OWN = {name: REGISTRY.setdefault(name, rule) for name, rule in _indexed().items()}


def all_rules(unneeded: bool = True) -> list[Rule]:
    """Return the package's rules in order, followed by rules defined elsewhere.

    ``unneeded`` is whether to return rules about ops whose module is not there: no graph has one.
    """
    own = _own_rules(
        unneeded or "symtheano.loops.scan_op" in sys.modules,
        unneeded or "symtheano.tensor.random" in sys.modules,
    )
    return [*own, *(rule for name, rule in REGISTRY.items() if name not in _OWN)]


@cache
def _own_rules(loops: bool, draws: bool) -> list[Rule]:
    """Return the package's rules in order, without those about scans, or about draws in them."""
    absent = {*(() if loops else _ABOUT_LOOPS), *(() if draws else ("scan_draws",))}
    return [rule for rule in _OWN.values() if _subject(rule) not in absent]


def _subject(rule: Rule) -> str:
    return rule.module.rpartition(".")[2]


def tags(rule: Rule) -> frozenset[str]:
    """Return the tags of a rule: its phase, its subject, and its numerical effect.

    Examples
    --------
    >>> sorted(tags(REGISTRY["multiply_by_zero"]))
    ['algebra', 'canonicalize', 'needs_finite']
    """
    marks = {rule.phase, rule.numerics.replace(" ", "_")}
    # a module named like a phase may contain rules of other phases: the tag means the phase
    return frozenset(marks | ({_subject(rule)} & {*SUBJECTS} - {*PHASES}))


def check_names(names: Iterable[str]) -> None:
    """Raise an error for names that are neither rules nor tags.

    Raises
    ------
    ValueError
        With similar names and tags.
    """
    wanted = list(names)
    if all(name in REGISTRY or name in PHASES for name in wanted):
        return
    known_tags = sorted({tag for rule in all_rules() for tag in tags(rule)})  # which imports all
    for name in wanted:
        if name not in REGISTRY and name not in known_tags:
            hint = did_you_mean(name, [*REGISTRY, *known_tags])
            raise ValueError(
                format_error(
                    f"there is no rewrite rule named {name}, nor a tag",
                    hint=hint or f"the tags are {', '.join(known_tags)}",
                )
            )


def default_rules(
    including: Iterable[str] = (),
    excluding: Iterable[str] = (),
    phases: Iterable[Phase] = PHASES,
) -> list[Rule]:
    """Return the rules to use, in order.

    Parameters
    ----------
    including
        Names or tags of additional rules. A rule that is not used by default is included only by
        its name.
    excluding
        Names or tags of rules to exclude. The name of a rule has priority over its tags.
    phases
        The phases whose rules are used by default.

    Raises
    ------
    ValueError
        If there is no rule or tag with a name.

    Examples
    --------
    >>> [
    ...     rule.name
    ...     for rule in default_rules(including=["multiply_by_zero"])
    ...     if rule.name not in {rule.name for rule in default_rules()}
    ... ]
    ['multiply_by_zero']
    """
    wanted, unwanted, usual = set(including), set(excluding), set(phases)
    check_names(wanted | unwanted)

    def is_used(rule: Rule) -> bool:
        if rule.name in unwanted or rule.name in wanted:
            return rule.name not in unwanted
        marks = tags(rule) if wanted or unwanted else frozenset()
        chosen = rule.phase in usual or bool(marks & wanted)
        return rule.default and chosen and not marks & unwanted

    return [rule for rule in all_rules(bool(wanted or unwanted)) if is_used(rule)]

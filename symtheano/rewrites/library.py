"""The package's rules, in the order in which they are tried."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import cache
from types import ModuleType

from symtheano.config import did_you_mean
from symtheano.errors import format_error
from symtheano.rewrites import (
    algebra,
    attention,
    batched,
    bells,
    blas,
    canonicalize,
    choices,
    clipped,
    diagonals,
    differences,
    expand,
    exponentials,
    identities,
    logarithms,
    logic,
    masks,
    norms,
    onehot,
    quotients,
    rational,
    reduce,
    scalars,
    scaled,
    scaling,
    scatters,
    selections,
    shape,
    shares,
    shifts,
    signs,
    specialize,
    stabilize,
    subtensor,
    sums,
    transposes,
    unrolled,
    vanishing,
)
from symtheano.rewrites.rule import PHASES, REGISTRY, Phase, Rule

_BEFORE_LOOPS = (
    canonicalize, algebra, signs, quotients, scalars, logic, reduce, shape, subtensor, scatters,
    onehot,
    identities, bells, vanishing, stabilize, exponentials, logarithms, scaled, rational, clipped,
    selections, shares, differences, norms, scaling, specialize, sums, masks, attention, blas,
    diagonals, batched, expand, shifts, transposes,
)  # fmt: skip
_AFTER_LOOPS = (unrolled, choices)


def _about_loops(draws: bool) -> tuple[ModuleType, ...]:
    """Return the modules with rules about scans, and about random numbers in them."""
    from symtheano.rewrites import (
        packed,
        scan_lengths,
        scan_merge,
        scan_motion,
        scan_rows,
        scan_starts,
        scan_stored,
        scan_unroll,
        scans,
    )

    about_draws: tuple[ModuleType, ...] = ()
    if draws:
        from symtheano.rewrites import scan_draws

        about_draws = (scan_draws,)
    return (
        *(scan_merge, scans, scan_lengths, scan_stored, scan_unroll, scan_rows, scan_starts),
        *(*about_draws, scan_motion, packed),
    )


def _modules(loops: bool = True, draws: bool = True) -> tuple[ModuleType, ...]:
    """Return the modules with rules, in the order in which their rules are tried.

    Parameters
    ----------
    loops, draws
        Whether rules about scans, and about random numbers in scans, are wanted.
    """
    return (*_BEFORE_LOOPS, *(_about_loops(draws) if loops else ()), *_AFTER_LOOPS)


def all_rules(unneeded: bool = True) -> list[Rule]:
    """Return the package's rules in order, followed by rules defined elsewhere.

    ``unneeded`` is whether to import rules about ops whose module is not there: no graph has one.
    """
    own = _own_rules(
        unneeded or "symtheano.loops.scan_op" in sys.modules,
        unneeded or "symtheano.tensor.random" in sys.modules,
    )
    if len(REGISTRY) == len(own):
        return [*own.values()]
    return [*own.values(), *(rule for name, rule in REGISTRY.items() if name not in own)]


@cache
def _own_rules(loops: bool, draws: bool) -> dict[str, Rule]:
    return {
        item.name: item
        for module in _modules(loops, draws)
        for item in vars(module).values()
        if isinstance(item, Rule)
    }


def tags(rule: Rule) -> frozenset[str]:
    """Return the tags of a rule: its phase, its subject, and its numerical effect.

    Examples
    --------
    >>> sorted(tags(REGISTRY["multiply_by_zero"]))
    ['algebra', 'canonicalize', 'needs_finite']
    """
    holding = (module for module in _modules() if _holds(module, rule))
    subjects = (module.__name__.rpartition(".")[2] for module in holding)
    return frozenset(
        [
            rule.phase,
            rule.numerics.replace(" ", "_"),
            # a module named like a phase may contain rules of other phases: the tag means the phase
            *(subject for subject in subjects if subject not in PHASES),
        ]
    )


def _holds(module: ModuleType, rule: Rule) -> bool:
    return vars(module).get(rule.name) is rule


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

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
    unrolled,
    vanishing,
)
from symtheano.rewrites.rule import PHASES, REGISTRY, Phase, Rule

_BEFORE_LOOPS = (
    canonicalize, algebra, signs, quotients, scalars, logic, reduce, shape, subtensor, scatters,
    onehot,
    identities, bells, vanishing, stabilize, exponentials, logarithms, scaled, rational, clipped,
    selections, shares, differences, norms, scaling, specialize, sums, masks, attention, blas,
    diagonals, batched, expand, shifts,
)  # fmt: skip
_AFTER_LOOPS = (unrolled, choices)


def _about_loops() -> tuple[ModuleType, ...]:
    """Return the modules with rules about scans, which import the ops that scans may contain."""
    from symtheano.rewrites import (
        packed,
        scan_draws,
        scan_merge,
        scan_motion,
        scan_rows,
        scan_unroll,
        scans,
    )

    return (scan_merge, scans, scan_unroll, scan_rows, scan_draws, scan_motion, packed)


def _modules(loops: bool) -> tuple[ModuleType, ...]:
    """Return the modules with rules, in the order in which their rules are tried."""
    return (*_BEFORE_LOOPS, *(_about_loops() if loops else ()), *_AFTER_LOOPS)


def all_rules(loops: bool = True) -> list[Rule]:
    """Return the package's rules in order, followed by rules defined elsewhere.

    ``loops`` is whether those about scans are wanted.
    """
    own = _own_rules(loops)
    if len(REGISTRY) == len(own):
        return [*own.values()]
    known = _own_rules(_have_loops())
    return [*own.values(), *(rule for name, rule in REGISTRY.items() if name not in known)]


def _have_loops() -> bool:
    """Return whether there may be scans: without the module of the op, no graph has one."""
    return "symtheano.loops.scan_op" in sys.modules


@cache
def _own_rules(loops: bool) -> dict[str, Rule]:
    return {
        item.name: item
        for module in _modules(loops)
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
    holding = (module for module in _modules(True) if _holds(module, rule))
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

    loops = bool(wanted or unwanted) or _have_loops()
    return [rule for rule in all_rules(loops) if is_used(rule)]

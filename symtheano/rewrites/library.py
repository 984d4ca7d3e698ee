"""The package's rules, in the order they are tried."""

from __future__ import annotations

from collections.abc import Iterable

from symtheano.rewrites import (
    algebra,
    blas,
    canonicalize,
    expand,
    logic,
    onehot,
    quotients,
    reduce,
    scalars,
    shape,
    signs,
    specialize,
    stabilize,
    subtensor,
)
from symtheano.rewrites.rule import REGISTRY, Rule

MODULES = (
    canonicalize, algebra, signs, quotients, scalars, logic, reduce, shape, subtensor, onehot,
    stabilize, specialize, blas, expand,
)  # fmt: skip
"""The modules that hold rules, in the order in which their rules are tried."""


def all_rules() -> list[Rule]:
    """Return the package's rules in order, then those that others have added."""
    own = [item for module in MODULES for item in vars(module).values() if isinstance(item, Rule)]
    return [*own, *(item for item in REGISTRY.values() if item not in own)]


def default_rules(including: Iterable[str] = (), excluding: Iterable[str] = ()) -> list[Rule]:
    """Return the rules to use, in order.

    Parameters
    ----------
    including
        Names of rules that are not used by default.
    excluding
        Names of rules, or of phases, to leave out.

    Raises
    ------
    ValueError
        If there is no rule or phase of a name.

    Examples
    --------
    >>> [
    ...     rule.name
    ...     for rule in default_rules(including=["multiply_by_zero"])
    ...     if rule.name not in {rule.name for rule in default_rules()}
    ... ]
    ['multiply_by_zero']
    """
    wanted, unwanted = set(including), set(excluding)
    phases = {rule.phase for rule in REGISTRY.values()}
    unknown = sorted((wanted | unwanted) - set(REGISTRY) - phases)
    if unknown:
        raise ValueError(f"there is no rewrite rule named {', '.join(unknown)}")
    return [
        rule
        for rule in all_rules()
        if (rule.default or rule.name in wanted)
        and rule.name not in unwanted
        and rule.phase not in unwanted
    ]

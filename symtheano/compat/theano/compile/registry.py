"""The database of optimizers, and the rules that are made of what programs register there.

Databases with the names of Theano's are in it: ``canonicalize``, ``stabilize``, ``specialize`` and
others. Our own rules are in them as one optimizer each, so that a query can be applied to a graph
by itself; in functions, they are the phases of symtheano.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from symtheano.compat import rules as _rules
from symtheano.function.modes import RULE_SOURCES, Mode
from symtheano.graph.interner import Interner
from symtheano.graph.variable import Apply, Constant, Variable
from symtheano.graph.walk import replace
from symtheano.rewrites.engine import Rewriter
from symtheano.rewrites.library import default_rules
from symtheano.rewrites.rule import Phase, Rule

from ..configdefaults import config
from ..gof.fg import FunctionGraph
from ..gof.merge import MergeOptimizer
from ..gof.navigators import EquilibriumOptimizer, read_replacements
from ..gof.optdb import DB, EquilibriumDB, LocalGroupDB, Query, SequenceDB, TopoDB
from ..gof.optimizers import LocalOptimizer, Optimizer, applies_to, report
from ..gof.toolbox import with_type_of


class OwnRules(Optimizer):
    """The rules of one of our phases, for graphs that a program optimizes itself."""

    def __init__(self, phase: Phase) -> None:
        self.phase = phase

    def apply(self, fgraph: Any) -> None:
        """Replace the outputs of a graph by their normal forms."""
        outputs = list(fgraph.outputs)
        rules = default_rules(phases=[self.phase])
        results = Rewriter(rules).rewrite_outputs(outputs, Interner(), [self.phase])
        for old, new in zip(outputs, results, strict=True):
            if new is not old:
                fgraph.replace(old, new, reason=self.name)


class AddFeatureOptimizer(Optimizer):
    """Adds a feature to graphs."""

    def __init__(self, feature: Any) -> None:
        self.feature = feature

    def add_requirements(self, fgraph: Any) -> None:
        """Add the feature."""
        fgraph.attach_feature(self.feature)


class AddDestroyHandler(Optimizer):
    """Does nothing: what an op writes into is copied by what runs it."""


class PrintCurrentFunctionGraph(Optimizer):
    """Prints a graph, after a text."""

    def __init__(self, header: str) -> None:
        self.header = header

    def apply(self, fgraph: Any) -> None:
        """Print it."""
        from symtheano.printing import debugprint

        print(f"PrintCurrentFunctionGraph: {self.header}")
        debugprint(list(fgraph.outputs))


PHASE_OF_DB: dict[str, Phase] = {
    "canonicalize": "canonicalize",
    "stabilize": "stabilize",
    "specialize": "specialize",
    "uncanonicalize": "blas",
    "specialize_device": "blas",
}
"""The phase in which optimizers of nodes run that are registered in a database."""

optdb = SequenceDB()
local_useless = LocalGroupDB(apply_all_opts=True)


def _fill() -> None:
    fast = ("fast_run", "fast_compile")
    optdb.register("merge1", MergeOptimizer(), 0, *fast, "merge")
    optdb.register("useless", TopoDB(local_useless), 0.6, *fast)
    optdb.register("canonicalize", EquilibriumDB(False), 1, *fast, "canonicalize_db")
    optdb.register("stabilize", EquilibriumDB(), 1.5, "fast_run")
    optdb.register("specialize", EquilibriumDB(), 2, "fast_run", "fast_compile_gpu")
    optdb.register("uncanonicalize", EquilibriumDB(), 3, "fast_run")
    optdb.register("specialize_device", EquilibriumDB(), 48.6, *fast)
    optdb.register("merge2", MergeOptimizer(), 49, "fast_run", "merge")
    optdb.register("add_destroy_handler", AddDestroyHandler(), 49.5, "fast_run", "inplace")
    optdb.register("merge3", MergeOptimizer(), 100, "fast_run", "merge")
    for name in ("canonicalize", "stabilize", "specialize"):
        own = OwnRules(PHASE_OF_DB[name])
        optdb[name].register(f"symtheano_{name}", own, *fast)


_fill()

_OURS = (MergeOptimizer, OwnRules, AddDestroyHandler)
"""Optimizers that functions do not need."""


# -- from optimizers to rules ----------------------------------------------------------------------


def rules_of(query: Query) -> list[Rule]:
    """Return the rules for the optimizers of programs that a query chooses, in order."""
    made: list[tuple[float, Rule]] = []
    for name, item in optdb._items.items():
        position = optdb.position(name)
        if position >= query.position_cutoff or not query.wants(optdb.tags_of(name)):
            continue
        made += [(position, rule) for rule in _rules_in(name, item, position, query)]
    for item, position in query.extra_optimizations:
        made.append((position, rule_of(item, position)))
    return [rule for _, rule in sorted(made, key=lambda pair: pair[0])]


def _rules_in(name: str, item: Any, position: float, query: Query) -> list[Rule]:
    """Return the rules of one entry of the database, which may be a database."""
    if isinstance(item, EquilibriumDB | TopoDB | LocalGroupDB) and _is_known(item, name):
        inner = item.db if isinstance(item, TopoDB) else item
        phase = PHASE_OF_DB.get(name, "canonicalize")
        chosen = DB.chosen(inner, query.subquery.get(name, query._with(extra_optimizations=[])))
        return [rule_of(each, position, phase) for each in chosen if not isinstance(each, _OURS)]
    if isinstance(item, DB):
        found = item.query(query.subquery.get(name, query._with(extra_optimizations=[])))
        found.name = name
        return [rule_of(found, position)] if _does_anything(found) else []
    return [] if isinstance(item, _OURS) else [rule_of(item, position)]


def _is_known(item: DB, name: str) -> bool:
    return name in PHASE_OF_DB or item is optdb._items.get("useless")


def _does_anything(item: Any) -> bool:
    if isinstance(item, EquilibriumOptimizer):
        return bool(item.local_optimizers or item.global_optimizers or item.final_optimizers)
    return not isinstance(item, list) or bool(item)


def rule_of(item: Any, position: float, phase: Phase | None = None) -> Rule:
    """Return the rule that an optimizer is; the same one each time.

    Parameters
    ----------
    item
        The optimizer.
    position
        Theano's position.
    phase
        The phase in which an optimizer of nodes runs.
    """
    known: dict[Any, Rule] = item.__dict__.setdefault("_rules", {})
    key = phase if isinstance(item, LocalOptimizer) else _rules.phase_at(position)
    if key not in known:
        known[key] = _rule(item, key or _rules.phase_at(position))
    return known[key]


def _rule(item: Any, phase: Phase) -> Rule:
    name = str(getattr(item, "name", None) or getattr(item, "__name__", None) or item)
    text = item.__doc__ or f"An optimizer of the program: {name}."
    if isinstance(item, LocalOptimizer):
        return _rules.node_rule(name, phase, item.tracks(), _transform(item), text)
    return _rules.graph_rule(name, phase, _guarded(item), _graph, with_type_of, text)


def _graph(inputs: list[Variable], outputs: list[Variable]) -> FunctionGraph:
    return FunctionGraph(inputs, outputs, clone=False)


def _guarded(item: Any) -> Callable[[Any], Any]:
    """Return a function that applies an optimizer to a graph; errors are reported."""

    def optimize(fgraph: Any) -> None:
        try:
            item.optimize(fgraph)
        except Exception as error:
            report(error, item)

    return optimize


def _transform(item: Any) -> Callable[[Apply], Sequence[Variable | None] | None]:
    """Return a function of a node that returns its new outputs; errors are reported."""

    def transform(node: Apply) -> Sequence[Variable | None] | None:
        if not applies_to(item, node):
            return None
        try:
            pairs, _ = read_replacements(item, node, item.transform(node))
            new = dict(pairs)
            if not new:
                return None
            results = [_fitting(item, old, new.pop(old, None)) for old in node.outputs]
            if new:
                raise NotImplementedError(f"{item} replaces {list(new)}, which are of other nodes")
            return results
        except Exception as error:
            report(error, item, node)
            return None

    return transform


def _fitting(item: Any, old: Variable, new: Variable | None) -> Variable | None:
    """Return a new output with the type of the old one.

    Raises
    ------
    TypeError
        If it can't have it.
    """
    if new is None:
        return None
    fitting = with_type_of(old, new)
    if fitting is None:
        raise TypeError(f"{item}: {old} is {old.type}, and its replacement {new.type}")
    return fitting


# -- modes -----------------------------------------------------------------------------------------

QUERIES = {
    "fast_run": Query(include=["fast_run"]),
    "fast_compile": Query(include=["fast_compile", "fast_compile_gpu"]),
    "none": Query(include=[]),
}
"""What symtheano's optimizers choose."""


def query_of(mode: Mode) -> Query:
    """Return which optimizers of programs a mode has."""
    own: Query | None = getattr(mode, "query", None)
    query = QUERIES[mode.optimizer] if own is None else own
    if own is None:
        query = query.including(*_names(config.optimizer_including))
        query = query.excluding(*_names(config.optimizer_excluding))
    return query


def _names(text: str) -> list[str]:
    return [name.strip() for name in str(text).split(":") if name.strip()]


_module = sys.modules[__name__]


def _of_mode(mode: Mode) -> list[Rule]:
    # After compat.uninstall(), this module is not the one of its name any more.
    return rules_of(query_of(mode)) if sys.modules.get(__name__) is _module else []


RULE_SOURCES.append(_of_mode)


# -- registration ----------------------------------------------------------------------------------


def _register(database: str, lopt: Any, tags: Sequence[str], options: dict[str, Any]) -> Any:
    if isinstance(lopt, str):  # a decorator with tags only
        return lambda inner: _register(database, inner, (lopt, *tags), options)
    name = options.pop("name", None) or getattr(lopt, "__name__", None) or str(lopt)
    inner = local_useless if database == "useless" else optdb[database]
    inner.register(name, lopt, "fast_run", *tags, **options)
    return lopt


def register_useless(lopt: Any, *tags: str, **kwargs: Any) -> Any:
    """Register an optimizer of nodes that removes nodes; also a decorator."""
    return _register("useless", lopt, ("fast_compile", *tags), kwargs)


def register_canonicalize(lopt: Any, *tags: str, **kwargs: Any) -> Any:
    """Register an optimizer of nodes in the phase ``canonicalize``; also a decorator.

    Parameters
    ----------
    lopt
        The optimizer, or a tag.
    tags
        Its tags.
    name
        Its name.
    """
    return _register("canonicalize", lopt, tags, kwargs)


def register_stabilize(lopt: Any, *tags: str, **kwargs: Any) -> Any:
    """Register an optimizer of nodes in the phase ``stabilize``; also a decorator."""
    return _register("stabilize", lopt, tags, kwargs)


def register_specialize(lopt: Any, *tags: str, **kwargs: Any) -> Any:
    """Register an optimizer of nodes in the phase ``specialize``; also a decorator."""
    return _register("specialize", lopt, tags, kwargs)


def register_uncanonicalize(lopt: Any, *tags: str, **kwargs: Any) -> Any:
    """Register an optimizer of nodes that runs after ``specialize``; also a decorator."""
    return _register("uncanonicalize", lopt, tags, kwargs)


def register_specialize_device(lopt: Any, *tags: str, **kwargs: Any) -> Any:
    """Register an optimizer of nodes for a processor; also a decorator."""
    return _register("specialize_device", lopt, tags, kwargs)

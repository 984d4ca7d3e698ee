"""Databases of optimizers, from which queries choose by names and tags.

:data:`symtheano.compat.theano.compile.mode.optdb` is the one whose content functions use.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ..configdefaults import config
from . import opt as opt
from .navigators import EquilibriumOptimizer, NavigatorOptimizer, TopoOptimizer
from .optimizers import LocalOptGroup, LocalOptimizer, Optimizer, SeqOptimizer, _Numbered


class Query:
    """Which optimizers to take.

    Parameters
    ----------
    include
        Names or tags of which an optimizer needs one.
    require
        Tags of which it needs all.
    exclude
        Names or tags of which it must not have any.
    subquery
        Queries for databases inside, by their names.
    position_cutoff
        The position before which optimizers of a sequence are taken.
    extra_optimizations
        Pairs (optimizer, position) to add.
    """

    def __init__(
        self,
        include: Iterable[str],
        require: Iterable[str] | None = None,
        exclude: Iterable[str] | None = None,
        subquery: dict[str, Query] | None = None,
        position_cutoff: float = float("inf"),
        extra_optimizations: Iterable[tuple[Any, float]] | None = None,
    ) -> None:
        self.include = list(dict.fromkeys(include))
        self.require = list(dict.fromkeys(require or ()))
        self.exclude = list(dict.fromkeys(exclude or ()))
        self.subquery = dict(subquery or {})
        self.position_cutoff = position_cutoff
        self.extra_optimizations = list(extra_optimizations or ())

    name: str | None = None

    def _with(self, **parts: Any) -> Query:
        return Query(**{**{name: getattr(self, name) for name in _PARTS}, **parts})

    def including(self, *tags: str) -> Query:
        """Return this query with more optimizers."""
        return self._with(include=[*self.include, *tags])

    def excluding(self, *tags: str) -> Query:
        """Return this query without some optimizers."""
        return self._with(exclude=[*self.exclude, *tags])

    def requiring(self, *tags: str) -> Query:
        """Return this query for optimizers that also have these tags."""
        return self._with(require=[*self.require, *tags])

    def register(self, *optimizations: tuple[Any, float]) -> Query:
        """Return this query with pairs (optimizer, position)."""
        return self._with(extra_optimizations=[*self.extra_optimizations, *optimizations])

    def wants(self, tags: set[str]) -> bool:
        """Return whether an optimizer with some names and tags is taken."""
        chosen = not tags.isdisjoint(self.include) and tags.issuperset(self.require)
        return chosen and tags.isdisjoint(self.exclude)

    def __str__(self) -> str:
        return (
            f"Query{{inc={self.include},ex={self.exclude},require={self.require},"
            f"subquery={self.subquery},position_cutoff={self.position_cutoff:f},"
            f"extra_opts={self.extra_optimizations}}}"
        )


_PARTS = ("include", "require", "exclude", "subquery", "position_cutoff", "extra_optimizations")


class DB(_Numbered):
    """A database of optimizers with names and tags."""

    def __init__(self) -> None:
        self.name: str | None = None
        self._items: dict[str, Any] = {}
        self._tags: dict[str, set[str]] = {}

    def register(self, name: str, obj: Any, *tags: str, **kwargs: Any) -> None:
        """Add an optimizer, or another database.

        Parameters
        ----------
        name, obj
            The name and the optimizer.
        tags
            Its tags; the name of the database is one.
        use_db_name_as_tag
            Whether that is so.

        Raises
        ------
        TypeError
            If it is not an optimizer.
        ValueError
            If the name is a name or tag already, or a tag is a name.
        """
        if not isinstance(obj, DB | Optimizer | LocalOptimizer):
            raise TypeError("Object cannot be registered in OptDB", obj)
        if name in self:
            raise ValueError(
                "The name of the object cannot be an existing tag or the name of another existing "
                "object.",
                obj,
                name,
            )
        if kwargs.pop("use_db_name_as_tag", True) and self.name is not None:
            tags = (*tags, self.name)
        if kwargs:
            raise TypeError(f"register: there is no argument {', '.join(kwargs)}")
        self._check_tags(obj, [tag for tag in tags if tag != name])
        obj.name = name
        self._items[name] = obj
        self._tags[name] = {type(obj).__name__, *tags}

    def _check_tags(self, obj: Any, tags: Iterable[str]) -> None:
        for tag in tags:
            if tag in self._items:
                raise ValueError("The tag of the object collides with a name.", obj, tag)

    def add_tags(self, name: str, *tags: str) -> None:
        """Add tags to an optimizer."""
        self._check_tags(self._items[name], tags)
        self._tags[name].update(tags)

    def remove_tags(self, name: str, *tags: str) -> None:
        """Remove tags from an optimizer."""
        self._tags[name].difference_update(tags)

    def tags_of(self, name: str) -> set[str]:
        """Return the tags of an optimizer, with its name."""
        return {name, *self._tags[name]}

    def query(self, *tags: Any, **kwtags: Any) -> Any:
        """Return the optimizers that a :class:`Query`, or ``+tag``, ``-tag``, ``&tag``, choose."""
        return self.chosen(_as_query(tags, kwtags))

    def chosen(self, query: Query) -> list[Any]:
        """Return the optimizers that a query chooses; databases are replaced by what they have."""
        inner = query._with(extra_optimizations=[])
        found = []
        for name, obj in self._items.items():
            if not query.wants(self.tags_of(name)):
                continue
            if isinstance(obj, DB):
                made = obj.query(query.subquery.get(name, inner))
                made.name = name
                found.append(made)
            else:
                found.append(obj)
        return found

    def __getitem__(self, name: str) -> Any:
        if name in self._items:
            return self._items[name]
        found = [self._items[item] for item, tags in self._tags.items() if name in tags]
        if not found:
            raise KeyError(f"Nothing registered for '{name}'")
        if len(found) > 1:
            raise ValueError(f"More than one match for {name} (please use query)")
        return found[0]

    def __contains__(self, name: object) -> bool:
        return name in self._items or any(name in tags for tags in self._tags.values())

    def print_summary(self, stream: Any = None) -> None:
        """Print names and tags."""
        out = stream or sys.stdout
        print(f"{type(self).__name__} (id {id(self)})", file=out)
        for name, tags in self._tags.items():
            print(f"  {name}: {', '.join(sorted(tags))}", file=out)


def _as_query(tags: tuple[Any, ...], subquery: dict[str, Any]) -> Query:
    if tags and isinstance(tags[0], Query):
        if len(tags) > 1 or subquery:
            raise TypeError("query: there are no other arguments beside a Query", tags, subquery)
        return tags[0]
    parts: dict[str, list[str]] = {"+": [], "&": [], "-": []}
    for tag in tags:
        if tag[:1] not in parts:
            raise ValueError(f"query: tags start with '+', '&' or '-', unlike {tag!r}")
        parts[tag[0]].append(tag[1:])
    return Query(parts["+"], parts["&"], parts["-"], subquery)


class EquilibriumDB(DB):
    """Optimizers that are applied until none of them changes anything."""

    def __init__(self, ignore_newtrees: bool = True, tracks_on_change_inputs: bool = False) -> None:
        super().__init__()
        self.ignore_newtrees = ignore_newtrees
        self.tracks_on_change_inputs = tracks_on_change_inputs
        self._kinds: dict[str, str] = {}

    def register(self, name: str, obj: Any, *tags: str, **kwargs: Any) -> None:
        """Add an optimizer; see :meth:`DB.register`.

        Parameters
        ----------
        final_opt, cleanup
            Whether it is applied after each round, or after each change.
        """
        final, cleanup = kwargs.pop("final_opt", False), kwargs.pop("cleanup", False)
        if final and cleanup:
            raise ValueError(f"register: {name} can't be both final_opt and cleanup")
        super().register(name, obj, *tags, **kwargs)
        self._kinds[name] = "final" if final else "cleanup" if cleanup else ""

    def query(self, *tags: Any, **kwtags: Any) -> EquilibriumOptimizer:
        """Return one optimizer that applies those that were chosen."""
        parts: dict[str, list[Any]] = {"": [], "final": [], "cleanup": []}
        for item in super().query(*tags, **kwtags):
            parts[self._kinds.get(item.name, "")].append(item)
        return EquilibriumOptimizer(
            parts[""],
            max_use_ratio=config.optdb.max_use_ratio,
            ignore_newtrees=self.ignore_newtrees,
            tracks_on_change_inputs=self.tracks_on_change_inputs,
            failure_callback=NavigatorOptimizer.warn_inplace,
            final_optimizers=parts["final"],
            cleanup_optimizers=parts["cleanup"],
        )


class _Positioned(DB):
    """Optimizers in an order."""

    def __init__(self) -> None:
        super().__init__()
        self.__position__: dict[str, float] = {}

    def _place(self, name: str, position: Any) -> None:
        if position == "last":
            position = max(self.__position__.values(), default=-1) + 1
        if not isinstance(position, int | float):
            raise TypeError(f"register: the position of {name} is {position!r}, not a number")
        self.__position__[name] = position

    def position(self, name: str) -> float:
        """Return the position of an optimizer."""
        return self.__position__[name]


class SequenceDB(_Positioned):
    """Optimizers that are applied one after the other, in the order of their positions."""

    seq_opt = SeqOptimizer

    def __init__(self, failure_callback: Any = SeqOptimizer.warn) -> None:
        super().__init__()
        self.failure_callback = failure_callback

    def register(
        self, name: str, obj: Any, position: Any = "last", *tags: str, **kwargs: Any
    ) -> None:
        """Add an optimizer at a position: a number, or ``last``; see :meth:`DB.register`."""
        super().register(name, obj, *tags, **kwargs)
        self._place(name, position)

    def query(self, *tags: Any, **kwtags: Any) -> SeqOptimizer:
        """Return one optimizer that applies those that were chosen.

        Parameters
        ----------
        position_cutoff
            The position before which they are taken.
        """
        cutoff = kwtags.pop("position_cutoff", config.optdb.position_cutoff)
        query = _as_query(tags, kwtags)
        pairs = [(self.__position__[item.name], item) for item in self.chosen(query)]
        for item, position in query.extra_optimizations:
            item.name = item.name or f"{type(item).__name__}_{id(item)}"
            pairs.append((position, item))
        last = min(cutoff, query.position_cutoff)
        chosen = sorted(
            ((place, item) for place, item in pairs if place < last),
            key=lambda pair: (pair[0], pair[1].name),
        )
        result = self.seq_opt([item for _, item in chosen], failure_callback=self.failure_callback)
        result.name = getattr(query, "name", None)
        return result

    def __str__(self) -> str:
        return f"SequenceDB({sorted(self.__position__.items(), key=lambda pair: pair[1])})"


class LocalGroupDB(_Positioned):
    """Optimizers of nodes of which the first one that applies is used."""

    def __init__(
        self, apply_all_opts: bool = False, profile: Any = False, local_opt: Any = LocalOptGroup
    ) -> None:
        super().__init__()
        self.apply_all_opts, self.profile, self.local_opt = apply_all_opts, profile, local_opt
        self.failure_callback = None

    def register(self, name: str, obj: Any, *tags: str, **kwargs: Any) -> None:
        """Add an optimizer at a ``position``, by default the last; see :meth:`DB.register`."""
        position = kwargs.pop("position", "last")
        super().register(name, obj, *tags, **kwargs)
        self._place(name, position)

    def query(self, *tags: Any, **kwtags: Any) -> Any:
        """Return one optimizer that applies those that were chosen."""
        chosen = super().query(*tags, **kwtags)
        chosen.sort(key=lambda item: (self.__position__[item.name], item.name))
        return self.local_opt(*chosen, apply_all_opts=self.apply_all_opts, profile=self.profile)


class TopoDB(DB):
    """A database whose optimizers of nodes visit a graph in topological order."""

    def __init__(
        self,
        db: DB,
        order: str = "in_to_out",
        ignore_newtrees: bool = False,
        failure_callback: Any = None,
    ) -> None:
        super().__init__()
        self.db, self.order = db, order
        self.ignore_newtrees, self.failure_callback = ignore_newtrees, failure_callback

    def query(self, *tags: Any, **kwtags: Any) -> TopoOptimizer:
        """Return the optimizer for what a query chooses."""
        chosen = self.db.query(*tags, **kwtags)
        return TopoOptimizer(chosen, self.order, self.ignore_newtrees, self.failure_callback)


class ProxyDB(DB):
    """A database that stands for another one, to register it twice."""

    def __init__(self, db: DB) -> None:
        super().__init__()
        if not isinstance(db, DB):
            raise TypeError(f"ProxyDB: {db!r} is not a database of optimizers")
        self.db = db

    def query(self, *tags: Any, **kwtags: Any) -> Any:
        """Return what the other one does."""
        return self.db.query(*tags, **kwtags)

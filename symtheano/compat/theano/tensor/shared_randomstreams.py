"""``theano.tensor.shared_randomstreams``: random streams with the numbers of ``RandomState``."""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.graph.shared import SharedVariable
from symtheano.tensor.variable import Tensor, TensorMixin

from ..compile.sharedvalue import shared_constructor
from . import raw_random


class RandomStateSharedVariable(TensorMixin, Tensor, SharedVariable):
    """A shared ``numpy.random.RandomState``."""

    __slots__ = ()

    def get_value(self, borrow: bool = False, return_internal_type: bool = False) -> Any:
        """Return a generator with the state.

        With ``borrow``, later draws from it are not seen by functions, unless it is set again.
        """
        words: Any = self.container.read()
        return words.copy() if return_internal_type else raw_random.generator_of(words)

    def set_value(self, new_value: Any, borrow: bool = False) -> None:
        """Set the state: a ``RandomState``, or the words of one."""
        self.container.put(self.type.filter(new_value).copy())


@shared_constructor
def randomstate_constructor(
    value: Any,
    name: str | None = None,
    strict: bool = False,
    allow_downcast: bool | None = None,
    borrow: bool = False,
) -> RandomStateSharedVariable:
    """Return a shared generator; other values are refused with ``TypeError``."""
    if not isinstance(value, np.random.RandomState):
        raise TypeError("randomstate_constructor takes a numpy.random.RandomState")
    kind = raw_random.random_state_type
    words = raw_random.state_words(value)
    return RandomStateSharedVariable(kind, words, name, strict, allow_downcast)


class RandomStreams(raw_random.RandomStreamsBase):
    """Symbolic random numbers; each variable has a generator of its own.

    Parameters
    ----------
    seed
        Seed of the generator that seeds those of the variables.
    """

    def __init__(self, seed: int | None = None) -> None:
        self.state_updates: list[tuple[Any, Any]] = []
        self.default_instance_seed = seed
        self.gen_seedgen = np.random.RandomState(seed)

    def updates(self) -> list[tuple[Any, Any]]:
        """Return pairs of each generator and what it becomes."""
        return list(self.state_updates)

    def seed(self, seed: int | None = None) -> None:
        """Seed the generators of all variables anew."""
        seeds = np.random.RandomState(self.default_instance_seed if seed is None else seed)
        for old, _ in self.state_updates:
            own = int(seeds.randint(2**30))
            old.set_value(np.random.RandomState(own), borrow=True)

    def __getitem__(self, item: Any) -> Any:
        return item.get_value(borrow=True)

    def __setitem__(self, item: Any, val: Any) -> None:
        item.set_value(val, borrow=True)

    def gen(self, op: Any, *args: Any, **kwargs: Any) -> Any:
        """Return a variable drawn by a function of a generator and arguments."""
        seed = int(self.gen_seedgen.randint(2**30))
        state = randomstate_constructor(np.random.RandomState(seed), borrow=True)
        state.tag.is_rng = True
        new, out = op(state, *args, **kwargs)
        out.rng, out.update = state, (state, new)
        self.state_updates.append(out.update)
        state.default_update = new
        return out

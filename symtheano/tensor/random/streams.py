"""RandomStreams: random variables whose states are shared variables with default updates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from symtheano.tensor.random.base import RandomStreamsBase, checked_spawn_key
from symtheano.tensor.random.raw import from_state
from symtheano.tensor.random.state import RandomStateSharedVariable, random_state


class RandomStreams(RandomStreamsBase):
    """Random variables with the numbers of ``numpy.random.default_rng(seed)``.

    Each random variable has its own generator, a PCG64. The generator of the first variable is
    ``numpy.random.default_rng(seed)``; further variables have generators spawned from it. A
    function that uses a random variable draws new numbers in each call, because the state of the
    generator is a shared variable with a default update.

    Parameters
    ----------
    seed
        An integer; None for a seed from the operating system.
    spawn_key
        Integers that distinguish processes or tasks with the same seed, as in
        ``numpy.random.SeedSequence``: the first generator is ``numpy.random.default_rng`` of
        ``SeedSequence(seed, spawn_key=spawn_key)``. Keys of equal length give different numbers.

    Attributes
    ----------
    state_updates
        Pairs of the state of each random variable, and its update.
    default_instance_seed
        The seed.

    Raises
    ------
    TypeError, ValueError
        If the key is not a sequence of non-negative integers.

    Examples
    --------
    >>> from symtheano import function
    >>> srng = RandomStreams(seed=234)
    >>> x, y = srng.normal((2,), dtype="float64"), srng.uniform((2,), dtype="float64")
    >>> f = function([], [x, y])
    >>> first, second = np.random.default_rng(234), np.random.default_rng(234).spawn(1)[0]
    >>> for _ in range(2):
    ...     a, b = f()
    ...     print((a == first.normal(size=2)).all(), (b == second.uniform(size=2)).all())
    True True
    True True

    A variable's generator can be read and replaced:

    >>> srng[x.rng] = np.random.default_rng(1)
    >>> (f()[0] == np.random.default_rng(1).normal(size=2)).all()
    np.True_
    """

    def __init__(self, seed: int | None = None, *, spawn_key: Sequence[int] = ()) -> None:
        self.state_updates: list[tuple[RandomStateSharedVariable, Any]] = []
        self.default_instance_seed = seed
        self._spawn_key = checked_spawn_key(spawn_key, "RandomStreams")
        self._root = np.random.SeedSequence(seed, spawn_key=self._spawn_key)

    def __repr__(self) -> str:
        seed = self.default_instance_seed
        return f"{type(self).__name__}({'' if seed is None else seed})"

    def updates(self) -> list[tuple[RandomStateSharedVariable, Any]]:
        return list(self.state_updates)

    def _generator(self, number: int) -> np.random.PCG64:
        """Return the generator of a random variable, as it is first."""
        root = self._root
        key = (*root.spawn_key, number - 1) if number else root.spawn_key
        return np.random.PCG64(np.random.SeedSequence(root.entropy, spawn_key=key))

    def seed(self, seed: int | None = None, *, spawn_key: Sequence[int] | None = None) -> None:
        """Restart all random variables.

        Parameters
        ----------
        seed, spawn_key
            See the class; None for those of the instance.
        """
        key = self._spawn_key
        if spawn_key is not None:
            key = checked_spawn_key(spawn_key, "RandomStreams")
        chosen = self.default_instance_seed if seed is None else seed
        self._root = np.random.SeedSequence(chosen, spawn_key=key)
        for k, (state, _) in enumerate(self.state_updates):
            state.set_value(self._generator(k))

    def __getitem__(self, item: RandomStateSharedVariable) -> np.random.Generator:
        """Return the generator of a random variable's ``rng``."""
        generator: np.random.Generator = item.get_value()
        return generator

    def __setitem__(self, item: RandomStateSharedVariable, value: Any) -> None:
        """Set the generator of a random variable's ``rng``."""
        item.set_value(value)

    def gen(self, op: Callable[..., tuple[Any, Any]], *args: Any, **kwargs: Any) -> Any:
        """Return a random variable with its own generator.

        Parameters
        ----------
        op
            Function of a state that returns the new state and the variable. The functions of
            ``symtheano.tensor.raw_random`` are examples.
        args, kwargs
            Its other arguments.
        """
        state = random_state(self._generator(len(self.state_updates)))
        new, drawn = op(state, *args, **kwargs)
        drawn.rng, drawn.update = state, (state, new)
        state.default_update = new
        self.state_updates.append(drawn.update)
        return drawn

    def draw(self, distribution: Callable[..., Any], *args: Any) -> Any:
        return self.gen(from_state(distribution), *args)

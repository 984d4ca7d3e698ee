"""The state of NumPy's generator PCG64 as an array, so that compiled code can use it.

It is six words: the state and the increment, each of 128 bits with the high word first; whether
half of a number is held for the next number of 32 bits; and this half.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from symtheano.errors import describe_value
from symtheano.graph.shared import SharedVariable, generic_shared
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import Tensor, TensorMixin

Words = np.ndarray[Any, np.dtype[np.uint64]]

_LOW = (1 << 64) - 1

random_state_type = TensorType("uint64", (6,), name="random_state_type")
"""The type of states; ``random_state_type()`` makes a variable."""


def as_generator(value: Any) -> np.random.Generator:
    """Return a new generator with the state of another one.

    Parameters
    ----------
    value
        A ``numpy.random.Generator`` or ``PCG64``, the words of a state, or a seed.

    Raises
    ------
    TypeError
        If the generator is not PCG64.

    Examples
    --------
    >>> as_generator(3).random() == np.random.default_rng(3).random()
    True
    """
    return generator_of(state_words(value))


def state_words(value: Any) -> Words:
    """Return the state of a generator as an array; see :func:`as_generator`.

    Examples
    --------
    >>> state_words(np.random.default_rng(3)).shape
    (6,)
    """
    if isinstance(value, np.ndarray) and value.dtype == np.uint64 and value.shape == (6,):
        return value
    if isinstance(value, np.random.Generator):
        value = value.bit_generator
    if isinstance(value, int | np.integer | np.random.SeedSequence):
        value = np.random.PCG64(value)
    if type(value) is not np.random.PCG64:
        raise TypeError(
            f"random state: {describe_value(value)} is not a generator with PCG64\n"
            "  hint: use numpy.random.default_rng(seed)"
        )
    state = value.state
    inner = state["state"]
    words = [
        *(inner["state"] >> 64, inner["state"] & _LOW, inner["inc"] >> 64, inner["inc"] & _LOW),
        *(state["has_uint32"], state["uinteger"]),
    ]
    return np.array(words, "uint64")


def generator_of(words: Words) -> np.random.Generator:
    """Return a generator with a state; the inverse of :func:`state_words`.

    Of the last two words, only the bits count that a state can have, as in compiled code. So does
    the increment, which is odd: with an even one, all numbers may be the same one, and some methods
    would draw them forever.
    """
    high, low, high_step, low_step, holds, held = map(int, words)
    bits = np.random.PCG64(0)
    bits.state = {
        "bit_generator": "PCG64",
        "state": {"state": high << 64 | low, "inc": high_step << 64 | low_step | 1},
        "has_uint32": int(holds != 0),
        "uinteger": held & 0xFFFFFFFF,
    }
    return np.random.Generator(bits)


class RandomStateSharedVariable(TensorMixin, Tensor, SharedVariable):
    """A shared variable with the state of a generator; its value is a ``numpy.random.Generator``.

    Examples
    --------
    >>> rng = random_state(np.random.default_rng(5))
    >>> bool(rng.get_value().random() == np.random.default_rng(5).random())
    True
    >>> rng.set_value(np.random.default_rng(6))
    """

    __slots__ = ()

    def get_value(self, borrow: bool = False, return_internal_type: bool = False) -> Any:
        """Return a generator with this state, or the words of the state.

        Drawing numbers from the generator does not change the variable.

        Parameters
        ----------
        borrow
            Has no effect.
        return_internal_type
            Whether to return the words.
        """
        words: Any = self.container.read()
        return words.copy() if return_internal_type else generator_of(words)

    def set_value(self, new_value: Any, borrow: bool = False) -> None:
        """Set the state: a generator, the words, or a seed."""
        super().set_value(state_words(new_value), borrow=False)


def random_state(value: Any, name: str | None = None) -> RandomStateSharedVariable:
    """Return a shared variable with the state of a generator; see :func:`as_generator`."""
    return RandomStateSharedVariable(random_state_type, state_words(value).copy(), name)


def randomstate_constructor(
    value: Any, name: str | None = None, strict: bool = False, allow_downcast: bool | None = None,
    borrow: bool = False,
) -> SharedVariable:  # fmt: skip
    """Return a shared variable for a NumPy generator, as ``shared`` does.

    If the generator is a PCG64, the variable has its state. Otherwise it is a generic variable.

    Examples
    --------
    >>> from symtheano import shared
    >>> from symtheano.tensor.raw_random import uniform
    >>> rng = shared(np.random.default_rng(5))
    >>> after, x = uniform(rng, dtype="float64")
    >>> bool(x.eval() == np.random.default_rng(5).random())
    True
    """
    bits = getattr(value, "bit_generator", value)
    if type(bits) is not np.random.PCG64:
        return generic_shared(value, name)
    return random_state(value, name)

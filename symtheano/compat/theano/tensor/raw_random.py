"""``theano.tensor.raw_random``: random numbers of NumPy's ``RandomState``, bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from operator import add
from typing import Any

import numpy as np

from symtheano import Apply, Op, config
from symtheano.dtypes import DISCRETE, upcast
from symtheano.gradient import grad_undefined
from symtheano.tensor import (
    TensorType,
    as_tensor_variable,
    cast,
    constant,
    get_vector_length,
    permute_row_elements,
    stack,
)

RandomState = np.random.RandomState


_KEYS = 624


def state_words(value: Any) -> Any:
    """Return the state of a ``RandomState`` as an array, which compiled code can pass on.

    It consists of the 624 words of the Mersenne twister, the position among them, whether a normal
    number is held for the next draw, and this number.
    """
    if isinstance(value, np.ndarray):
        return value
    if not isinstance(value, RandomState):
        raise TypeError(f"expected a numpy.random.RandomState, got {type(value).__name__}")
    kind, keys, position, holds, held = value.get_state()
    if kind != "MT19937":
        raise TypeError(f"a RandomState of {kind} is not supported, only of MT19937")
    words = np.empty(_KEYS + 4, "uint32")
    words[:_KEYS], words[_KEYS:-2] = keys, (position, holds)
    words[-2:] = np.array([held]).view("uint32")
    return words


def generator_of(words: Any) -> RandomState:
    """Return a ``RandomState`` with a state; the inverse of :func:`state_words`."""
    generator = RandomState(0)
    position, holds = map(int, words[_KEYS:-2])
    (held,) = np.ascontiguousarray(words[-2:]).view("float64")
    generator.set_state(("MT19937", np.array(words[:_KEYS]), position, holds, float(held)))
    return generator


class RandomStateType(TensorType):
    """The type of states of NumPy's ``RandomState``; its values are :func:`state_words`."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__("uint32", (_KEYS + 4,), name="RandomStateType")

    def filter(self, value: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        return super().filter(state_words(value), strict, allow_downcast)

    def is_valid_value(self, value: object) -> bool:
        return type(value) is RandomState

    @staticmethod
    def values_eq(a: Any, b: Any, force_same_dtype: bool = True) -> bool:
        """Return whether two generators are in the same state."""
        return bool(np.array_equal(state_words(a), state_words(b)))

    def __repr__(self) -> str:
        return "RandomStateType"

    def __reduce_ex__(self, protocol: Any) -> Any:
        return RandomStateType, ()


random_state_type = RandomStateType()


def _state(r: Any) -> Any:
    """Return a generator as a variable."""
    if isinstance(r, RandomState):
        return constant(state_words(r))
    if isinstance(getattr(r, "type", None), TensorType) and random_state_type.accepts(r.type):
        return r
    raise TypeError(f"{r} is not a random state; make one with random_state_type()")


class RandomFunction(Op):
    """A method of ``RandomState`` (or a function of one) that draws an array.

    Parameters
    ----------
    fn
        Name of the method, or a function of a generator, the arguments and a shape.
    outtype
        Type of the array.
    inplace
        Has no effect.
    ndim_added
        Number of axes that a draw adds to the shape.
    """

    __props__ = ("fn", "outtype", "inplace", "ndim_added")
    differentiable_inputs = 0

    def __init__(self, fn: Any, outtype: Any, inplace: bool = False, ndim_added: int = 0) -> None:
        self.fn, self.outtype, self.inplace, self.ndim_added = fn, outtype, inplace, ndim_added

    @property
    def exec_fn(self) -> Callable[..., Any]:
        """The function."""
        return getattr(RandomState, self.fn) if isinstance(self.fn, str) else self.fn

    def make_node(self, r: Any, shape: Any = (), *args: Any) -> Apply:
        empty = isinstance(shape, tuple | list) and not shape
        shape = as_tensor_variable(np.zeros(0, "int64") if empty else shape)
        if shape.ndim != 1 or shape.dtype not in DISCRETE:
            raise TypeError(f"{self}: the shape must be a vector of integers, got {shape.type}")
        shape = cast(shape, "int64")
        operands = [as_tensor_variable(each) for each in args]
        return Apply(self, [_state(r), shape, *operands], [random_state_type(), self.outtype()])

    def perform(self, node: Apply, inputs: Any, output_storage: Any) -> None:
        r, lengths, *args = inputs
        shape = tuple(map(int, lengths)) if len(lengths) else None
        want = self.outtype.ndim
        if shape is not None and want != len(shape) + self.ndim_added:
            raise ValueError(
                f"{self}: the result has {want} axes, but the shape {shape} and {self.ndim_added} "
                "more axes are asked for"
            )
        generator = generator_of(r)
        drawn = np.asarray(self.exec_fn(generator, *args, shape), self.outtype.dtype)
        if shape is None and drawn.ndim == 0 and want:
            drawn = drawn.reshape((1,) * want)
        kept = drawn.shape[: drawn.ndim - self.ndim_added]
        if drawn.ndim != want or (shape is not None and kept != shape):
            raise ValueError(f"{self}: drew an array of shape {drawn.shape}, not {shape}")
        output_storage[0][0], output_storage[1][0] = state_words(generator), drawn

    @property
    def infers_shape(self) -> bool:
        """Whether it is known what the axes that a draw adds are."""
        return self.ndim_added == 0 or self.fn in (permutation_helper, multinomial_helper)

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[Any]:
        (count,), vector, args = shapes[1], node.inputs[1], node.inputs[2:]
        kept = self.outtype.ndim - self.ndim_added
        if count == 0:
            lengths = [_length_of(axis, kept, args, shapes[2:]) for axis in range(kept)]
        else:
            lengths = [vector[axis] for axis in range(kept)]
        if self.ndim_added:
            count_of = args[0] if self.fn is permutation_helper else shapes[-1][-1]
            lengths.append(cast(count_of, "int64"))
        return [shapes[0], tuple(lengths)]

    def L_op(self, inputs: Any, outputs: Any, output_gradients: Any) -> Any:
        reason = "random numbers have no gradient"
        return [grad_undefined(self, k, each, reason) for k, each in enumerate(inputs)]

    def __str__(self) -> str:
        return f"RandomFunction{{{self.exec_fn.__name__}}}"


def _length_of(axis: int, ndim: int, args: Sequence[Any], shapes: Sequence[Any]) -> Any:
    """Return the length of an axis of a draw whose shape is that of its arguments."""
    for arg, lengths in zip(args, shapes, strict=True):
        own = axis - ndim + arg.ndim
        if own >= 0 and not arg.broadcastable[own]:
            return lengths[own]
    return 1


def _known(ndim: int | None, length: int, shape: Any) -> int:
    if ndim is not None and ndim != length:
        raise ValueError(f"ndim is {ndim}, and the shape {shape} has {length} lengths")
    return length


def _borrowed(position: int, ndim: int, args: Sequence[Any]) -> tuple[Any, bool]:
    """Return the length -1 of a shape: that of the arguments along this axis."""
    reaching = [arg for arg in args if position >= ndim - arg.ndim]
    if not reaching:
        raise ValueError(f"length -1 of axis {position}: no argument has that axis")
    for arg in reaching:
        axis = position + arg.ndim - ndim
        if not arg.broadcastable[axis]:
            return arg.shape[axis], False
    return as_tensor_variable(1), True


def _infer_ndim_bcast(ndim: int | None, shape: Any, *args: Any) -> tuple[int, Any, Any]:
    """Return number of axes, the shape as a vector, and which axes are broadcastable."""
    if isinstance(shape, tuple | list):
        ndim = _known(ndim, len(shape), shape)
        lengths: list[tuple[Any, bool]] = []
        for position, length in enumerate(shape):
            if hasattr(length, "type"):
                lengths.append((length, False))
            elif length == -1:
                lengths.append(_borrowed(position, ndim, args))
            elif length < 0:
                raise ValueError(f"a shape has no length {length}")
            else:
                lengths.append((as_tensor_variable(length), bool(length == 1)))
        vector = (
            stack([length for length, _ in lengths]) if lengths else constant([], dtype="int64")
        )
        bcast = tuple(one for _, one in lengths)
    elif shape is None:
        if not args:
            raise TypeError("without arguments, a shape is needed")
        template = reduce(add, args)
        vector, bcast, ndim = template.shape, template.broadcastable, template.ndim
    else:
        vector = as_tensor_variable(shape)
        if vector.ndim != 1:
            raise TypeError(f"the shape must be a vector or a list, got {shape}")
        ndim = get_vector_length(vector) if ndim is None else ndim
        bcast = (False,) * ndim
    if vector.ndim != 1 or (vector.dtype not in DISCRETE):
        raise TypeError(f"the shape must be a vector of integers, got {vector.type}")
    most = max((arg.ndim for arg in args), default=0)
    if most > ndim:
        raise ValueError(f"an argument has {most} axes, and the result {ndim}")
    return ndim, cast(vector, "int64"), bcast


def _float_dtype(dtype: Any, *args: Any) -> str:
    if dtype is None:
        return upcast(config.floatX, *[arg.dtype for arg in args])
    return config.floatX if dtype == "floatX" else dtype


def _draw(
    fn: Any, state: Any, size: Any, args: Sequence[Any], ndim: int | None, dtype: str, used: int = 9
) -> Any:
    """Apply a function; its first ``used`` arguments say something of the shape."""
    _, size, bcast = _infer_ndim_bcast(ndim, size, *args[:used])
    return RandomFunction(fn, TensorType(dtype, broadcastable=bcast))(state, size, *args)


def uniform(
    random_state: Any,
    size: Any = None,
    low: Any = 0.0,
    high: Any = 1.0,
    ndim: int | None = None,
    dtype: Any = None,
) -> Any:
    """Draw numbers from a uniform distribution."""
    args = [as_tensor_variable(low), as_tensor_variable(high)]
    return _draw("uniform", random_state, size, args, ndim, _float_dtype(dtype, *args))


def normal(
    random_state: Any,
    size: Any = None,
    avg: Any = 0.0,
    std: Any = 1.0,
    ndim: int | None = None,
    dtype: Any = None,
) -> Any:
    """Draw numbers from a normal distribution."""
    args = [as_tensor_variable(avg), as_tensor_variable(std)]
    return _draw("normal", random_state, size, args, ndim, _float_dtype(dtype, *args))


def binomial(
    random_state: Any,
    size: Any = None,
    n: Any = 1,
    p: Any = 0.5,
    ndim: int | None = None,
    dtype: str = "int64",
    prob: Any = None,
) -> Any:
    """Draw numbers of successes in ``n`` trials; ``prob`` is an old name of ``p``."""
    args = [as_tensor_variable(n), as_tensor_variable(p if prob is None else prob)]
    return _draw("binomial", random_state, size, args, ndim, _float_dtype(dtype))


def poisson(
    random_state: Any, size: Any = None, lam: Any = 1.0, ndim: int | None = None,
    dtype: str = "int64",
) -> Any:  # fmt: skip
    """Draw numbers from a Poisson distribution."""
    return _draw("poisson", random_state, size, [as_tensor_variable(lam)], ndim, dtype, used=0)


def random_integers_helper(random_state: RandomState, low: Any, high: Any, size: Any) -> Any:
    """Draw integers from ``low`` to ``high``, both included, one after the other."""
    shape = np.broadcast_shapes(low.shape, high.shape) if size is None else tuple(size)
    if max(low.ndim, high.ndim) > len(shape):
        raise ValueError(f"random_integers: the bounds have more axes than the shape {shape}")
    out = np.empty(shape)
    lows, highs = np.broadcast_to(low, shape), np.broadcast_to(high, shape)
    for position in np.ndindex(shape):
        out[position] = random_state.randint(low=lows[position], high=highs[position] + 1)
    return out


def random_integers(
    random_state: Any,
    size: Any = None,
    low: Any = 0,
    high: Any = 1,
    ndim: int | None = None,
    dtype: str = "int64",
) -> Any:
    """Draw integers from ``low`` to ``high``, both included."""
    args = [as_tensor_variable(low), as_tensor_variable(high)]
    return _draw(random_integers_helper, random_state, size, args, ndim, dtype)


def choice_helper(random_state: RandomState, a: Any, replace: Any, p: Any, size: Any) -> Any:
    """Choose from the integers below ``a``, or from the elements of a vector."""
    if a.ndim > 1 or p.ndim != 1:
        raise ValueError("choice: a must be a number or a vector, and p a vector")
    return random_state.choice(a, size, bool(replace), p if p.size else None)


def choice(
    random_state: Any,
    size: Any = None,
    a: Any = 2,
    replace: Any = True,
    p: Any = None,
    ndim: int | None = None,
    dtype: str = "int64",
) -> Any:
    """Choose from the integers below ``a``, or from the elements of a vector."""
    if isinstance(replace, bool):
        replace = constant(replace, dtype="int8")
    none = p is None or (isinstance(p, int | float | list | tuple) and not p)
    weights = constant([], dtype=config.floatX) if none else p
    args = [as_tensor_variable(each) for each in (a, replace, weights)]
    return _draw(choice_helper, random_state, size, args, ndim, dtype, used=0)


def permutation_helper(random_state: RandomState, n: Any, shape: Any) -> Any:
    """Draw permutations of the integers below ``n``."""
    count = int(n.item())
    shape = () if shape is None else tuple(shape)
    out = np.empty((*shape, count), int)
    for position in np.ndindex(*shape):
        out[position] = random_state.permutation(count)
    return out


def permutation(
    random_state: Any, size: Any = None, n: Any = 1, ndim: int | None = None, dtype: str = "int64"
) -> Any:
    """Draw permutations of the integers below ``n``, along a last axis."""
    if size is None or size == ():
        if ndim not in (None, 1):
            raise TypeError(f"permutation: one permutation has 1 axis, ndim is {ndim}")
        vector, bcast = (), ()
    else:
        _, vector, bcast = _infer_ndim_bcast(ndim, size)
    kind = TensorType(dtype, broadcastable=(*bcast, False))
    return RandomFunction(permutation_helper, kind, ndim_added=1)(random_state, vector, n)


def multinomial_helper(random_state: RandomState, n: Any, pvals: Any, size: Any) -> Any:
    """Draw counts of outcomes, for each number of trials and each row of probabilities."""
    ndim = max(n.ndim, pvals.ndim - 1) if size is None else len(size)
    if max(n.ndim, pvals.ndim - 1) > ndim:
        raise ValueError(f"multinomial: the arguments have more axes than the shape {size}")
    shape = np.broadcast_shapes(n.shape, pvals.shape[:-1]) if size is None else tuple(size)
    out = np.empty((*shape, pvals.shape[-1]))
    trials = np.broadcast_to(n, shape)
    rows = np.broadcast_to(pvals, (*shape, pvals.shape[-1]))
    if pvals.min() < 0:
        raise ValueError("multinomial: a probability is negative")
    for position in np.ndindex(shape):
        row = rows[position]
        # The last probability is what the others leave: sums slightly above one are scaled.
        if 1.0 < row.sum() < 1.0 + 1e-5 or (row.sum() <= 1.0 and row[-1] < 5e-5):
            row = row * (1.0 - 5e-5)
        if row.sum() > 1.0:
            raise ValueError(f"multinomial: probabilities sum to {row.sum()}")
        out[position] = random_state.multinomial(n=trials[position], pvals=row.astype("float64"))
    return out


def multinomial(
    random_state: Any,
    size: Any = None,
    n: Any = 1,
    pvals: Any = (0.5, 0.5),
    ndim: int | None = None,
    dtype: str = "int64",
) -> Any:
    """Draw counts of outcomes, along a last axis."""
    n, pvals = as_tensor_variable(n), as_tensor_variable(pvals)
    _, size, bcast = _infer_ndim_bcast(ndim, size, n, pvals[..., 0])
    kind = TensorType(dtype, broadcastable=(*bcast, pvals.type.broadcastable[-1]))
    return RandomFunction(multinomial_helper, kind, ndim_added=1)(random_state, size, n, pvals)


class RandomStreamsBase:
    """The distributions as methods; subclasses define ``gen(op, *args, **kwargs)``."""

    gen: Callable[..., Any]

    def binomial(
        self,
        size: Any = None,
        n: Any = 1,
        p: Any = 0.5,
        ndim: int | None = None,
        dtype: str = "int64",
        prob: Any = None,
    ) -> Any:
        return self.gen(binomial, size, n, p if prob is None else prob, ndim=ndim, dtype=dtype)

    def uniform(
        self, size: Any = None, low: Any = 0.0, high: Any = 1.0, ndim: int | None = None,
        dtype: Any = None,
    ) -> Any:  # fmt: skip
        return self.gen(uniform, size, low, high, ndim=ndim, dtype=dtype)

    def normal(
        self, size: Any = None, avg: Any = 0.0, std: Any = 1.0, ndim: int | None = None,
        dtype: Any = None,
    ) -> Any:  # fmt: skip
        return self.gen(normal, size, avg, std, ndim=ndim, dtype=dtype)

    def random_integers(
        self, size: Any = None, low: Any = 0, high: Any = 1, ndim: int | None = None,
        dtype: str = "int64",
    ) -> Any:  # fmt: skip
        return self.gen(random_integers, size, low, high, ndim=ndim, dtype=dtype)

    def choice(
        self,
        size: Any = None,
        a: Any = 2,
        replace: Any = True,
        p: Any = None,
        ndim: int | None = None,
        dtype: str = "int64",
    ) -> Any:
        return self.gen(choice, size, a, replace, p, ndim=ndim, dtype=dtype)

    def poisson(
        self, size: Any = None, lam: Any = 1.0, ndim: int | None = None, dtype: str = "int64"
    ) -> Any:
        return self.gen(poisson, size, lam, ndim=ndim, dtype=dtype)

    def permutation(
        self, size: Any = None, n: Any = 1, ndim: int | None = None, dtype: str = "int64"
    ) -> Any:
        return self.gen(permutation, size, n, ndim=ndim, dtype=dtype)

    def multinomial(
        self,
        size: Any = None,
        n: Any = 1,
        pvals: Any = (0.5, 0.5),
        ndim: int | None = None,
        dtype: str = "int64",
    ) -> Any:
        return self.gen(multinomial, size, n, pvals, ndim=ndim, dtype=dtype)

    def shuffle_row_elements(self, input: Any) -> Any:
        """Shuffle each row; the result's ``permutation`` is what was drawn."""
        drawn = self.permutation(size=input.shape[:-1], n=input.shape[-1], ndim=input.ndim - 1)
        shuffled = permute_row_elements(input, drawn)
        shuffled.permutation = drawn
        return shuffled

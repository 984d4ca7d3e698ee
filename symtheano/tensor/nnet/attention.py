"""Attention and its gradient, a block of scores at a time: ops that rules make of plain operations.

The scores of q (..., rows, depth) and k (..., keys, depth) are ``scale * q @ k.T``, plus a bias.
They may be masked: where a condition is false, they are a number, mostly minus infinity. The result
is ``softmax(scores) @ v`` for v (..., keys, width). All arrays have the same number of axes. Axes
in front of the last two are broadcast if their length is known to be 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, get_args

import numpy as np

from symtheano.errors import ShapeError
from symtheano.graph.op import Op, Requirement
from symtheano.graph.variable import Apply
from symtheano.lowering import Statements
from symtheano.scalar import table as scalar
from symtheano.tensor.elemwise import same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.type import TensorType

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, NodeArrays, View

Choice: TypeAlias = Literal["all", "chosen", "causal"]

MOST_AXES = 5
"""Maximum axes of an array: three of them are batches."""

MOST_KEPT = 256
"""Maximum rows and keys of which exponentials are kept: the gradient takes less time with them."""

_DTYPES = ("float32", "float64")
_MAKER = "only rules make it, from operations that have a gradient"


class Attends(Op):
    """Base class of attention and its gradient.

    The inputs are q, k, v, the scale; the bias, if there is one; the condition if they are chosen;
    and the number that other scores are, unless all are chosen. More inputs follow in the gradient.

    Attributes
    ----------
    bias
        Whether there is a bias.
    choice
        ``"all"``; ``"chosen"``, by a condition; ``"causal"``: a row's scores up to its own number.
    """

    __call__: Callable[..., Any]
    __props__: tuple[str, ...] = ("bias", "choice")
    takes = "f2+ f2+ f2+ f0 **..."
    more: tuple[str, ...] = ()

    def __init__(self, bias: bool = False, choice: Choice = "all") -> None:
        if bias not in (True, False) or choice not in get_args(Choice):
            what = f"attention: bias is a bool and choice is one of {', '.join(get_args(Choice))}"
            raise ValueError(build_message(what))
        self.bias = bias
        self.choice = choice

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the inputs."""
        of_choice = {"all": (), "chosen": ("chosen", "fill"), "causal": ("fill",)}
        optional = (*["bias"] * self.bias, *of_choice[self.choice])
        return ("q", "k", "v", "scale", *optional, *self.more)

    def _named(self, items: Sequence[Any]) -> dict[str, Any]:
        return dict(zip(self.names, items, strict=True))

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Check the dtypes and the known lengths."""
        if len(inputs) != len(self.names):
            raise TypeError(build_message(f"{self}: takes {', '.join(self.names)}", *inputs))
        arrays = self._named(inputs)
        q = arrays["q"]
        if q.dtype not in _DTYPES or not 2 <= q.ndim <= MOST_AXES:
            raise TypeError(build_message(f"{self}: q must be a batch of matrices of floats", q))
        for name, item in arrays.items():
            dtype = "bool" if name == "chosen" else q.dtype
            ndim = 0 if name in _NUMBERS else q.ndim - (name in _OF_ROWS)
            if item.dtype != dtype or item.ndim != ndim:
                raise TypeError(build_message(f"{self}: {name} has another type", q, item))
        shapes = {name: item.type.shape for name, item in arrays.items()}
        for length, other, name in self._pairs(shapes):
            if None not in (length, other) and length != other:
                raise ShapeError(build_message(_misfit(self, name, [length, other]), *inputs))
        return [TensorType(q.dtype, shape) for shape in self._result_shapes(shapes)]

    def _batch(self, shapes: dict[str, Any]) -> list[Any]:
        """Return the lengths of the axes of batches."""
        names = [name for name in (*"qkv", *_MASKS) if name in shapes]
        batch = []
        for axis in range(len(shapes["q"]) - 2):
            dims = [1 if name in _MASKS else shapes[name][axis] for name in names]
            lengths = [n for n in dims if n != 1] or [1]
            static_lengths = [
                n for name in names if isinstance(n := shapes[name][axis], int) and n != 1
            ]
            batch.append(lengths[0] if lengths == [1] else (*static_lengths, lengths[0])[0])
        return batch

    def _length(self, shapes: dict[str, Any], name: str) -> Any:
        """Return the number of rows of q, k or v: an integer if one of the arrays tells it."""
        others = ("q",) if name == "q" else ("k", "v")
        masks = [shapes[mask][-2 if name == "q" else -1] for mask in _MASKS if mask in shapes]
        lengths = [shapes[name][-2], *(shapes[other][-2] for other in others)]
        static_lengths = [
            n for n in (*lengths, *(n for n in masks if n != 1)) if isinstance(n, int)
        ]
        return static_lengths[0] if static_lengths else lengths[0]

    def _pairs(self, shapes: dict[str, Any]) -> list[tuple[Any, Any, str]]:
        """Return pairs of lengths that are to be equal, each with the name of an input."""
        q, k, v = (shapes[name] for name in "qkv")
        batch, rows, keys, width = self._batch(shapes), q[-2], k[-2], v[-1]
        pairs = [(k[-1], q[-1], "k"), (v[-2], keys, "v")]
        wanted: dict[str, Sequence[Any]] = {
            **{name: (*batch, *shapes[name][-2:]) for name in ("q", "k", "v")},
            **dict.fromkeys(("bias", "chosen"), (*batch, rows, keys)),
            **dict.fromkeys(("result", "g"), (*batch, rows, width)),
            **dict.fromkeys(_OF_ROWS, (*batch, rows)),
            **{name: (*batch, rows, shapes[name][-1]) for name in ("kept",) if name in shapes},
        }
        for name, shape in shapes.items():
            may_repeat = name not in (*_FORWARD_OUTPUTS, "g")
            for length, other in zip(shape, wanted.get(name, ()), strict=bool(shape)):
                if not (may_repeat and length == 1):
                    pairs.append((length, other, name))
        return pairs

    def _result_shapes(self, shapes: dict[str, Any]) -> list[tuple[Any, ...]]:
        raise NotImplementedError

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The lengths of the arrays."""
        return self._result_shapes(self._lengths_by_name(node, shapes))

    def _lengths_by_name(self, node: Apply, shapes: Sequence[Any]) -> dict[str, Any]:
        """Return lengths; 1 where it is known."""
        return {
            name: [1 if one == 1 else n for one, n in zip(item.type.shape, shape, strict=True)]
            for name, item, shape in zip(self.names, node.inputs, shapes, strict=True)
        }

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """The lengths agree."""
        pairs = self._pairs(self._lengths_by_name(node, shapes))
        messages = [partial(_message, node, name) for _, _, name in pairs]
        requirements = [
            same_length(*pair[:2], message) for pair, message in zip(pairs, messages, strict=True)
        ]
        return [*chain.from_iterable(requirements)]

    def _checked(self, node: Apply, inputs: Sequence[Any]) -> dict[str, Any]:
        """Return the arrays of a call by name."""
        shapes = self._lengths_by_name(node, [item.shape for item in inputs])
        for length, other, name in self._pairs(shapes):
            if length != other:
                raise ShapeError(_message(node, name, [length, other]))
        return self._named(inputs)

    def _scores(self, arrays: dict[str, Any]) -> Any:
        """Return the scores, and whether each is chosen, in NumPy."""
        scores = arrays["scale"] * np.matmul(arrays["q"], np.swapaxes(arrays["k"], -1, -2))
        if self.bias:
            scores = scores + arrays["bias"]
        chosen = np.ones((1,) * scores.ndim, bool)
        if self.choice == "causal":
            chosen = np.tri(*scores.shape[-2:], dtype=bool)
        elif self.choice == "chosen":
            chosen = arrays["chosen"]
        if self.choice != "all":
            scores = np.where(chosen, scores, arrays["fill"])
        return scores, chosen

    def pullback(self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]) -> list[Any]:
        """Refuse.

        Raises
        ------
        NotImplementedError
            Always: gradients are taken before rules make this op.
        """
        raise NotImplementedError(f"{self} has no gradient: {_MAKER}")

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Refuse, as :meth:`pullback`."""
        raise NotImplementedError(f"{self} has no derivative: {_MAKER}")

    def accepts(self, number: int, view: View) -> bool:
        """Rows are contiguous; a bias or a condition may be the same along an axis."""
        name = self.names[number]
        if name in _FORWARD_OUTPUTS:
            return view.is_contiguous()
        if name in _NUMBERS:
            return True
        return view.strides[-1] == 1 or view.shape[-1] == 1

    def _call(
        self,
        b: Builder,
        name: str,
        views: dict[str, View],
        outputs: Sequence[View],
        kept: View | None,
    ) -> None:
        """Call a routine; ``kept`` are exponentials."""
        from symtheano.loopir import Index
        from symtheano.loopir.index import product

        q, k, v = views["q"], views["k"], views["v"]
        batch = [_batch_length([q, k, v], axis) for axis in range(q.ndim - 2)]
        missing = MOST_AXES - q.ndim
        axes = (*[Index.of(1)] * missing, *batch)

        def steps(of: str) -> tuple[Index, ...]:
            if of not in views:
                return (Index.of(0),) * MOST_AXES
            view = views[of]
            is_repeated = [dim == 1 for dim in view.shape]
            strides = [
                Index.of(0) if one else stride
                for one, stride in zip(is_repeated, view.strides, strict=True)
            ]
            if of not in ("bias", "chosen") and is_repeated[-2]:
                strides[-2] = view.shape[-1]  # the step of a single row has no meaning
            return (*[Index.of(0)] * missing, *strides)

        def number(of: str) -> Any:
            return b.load(views[of], []) if of in views else b.literal(0.0, q.dtype)

        def array(of: str) -> Any:
            return views[of].address if of in views else Index.of(0)

        of_slopes = [] if not self.more else [steps("g")]
        after = [
            number(of) if of in _NUMBERS else array(of)
            for of in ("q", "k", "v", "scale", "bias", "chosen", "fill", *self.more)
        ]
        b.call(
            name, product(tuple(batch)), q.shape[-2], k.shape[-2], q.shape[-1], v.shape[-1],
            Index.of(int(self.choice == "causal")),
            Index.of(0) if kept is None else kept.shape[-1], axes,
            *(steps(of) for of in ("q", "k", "v", "bias", "chosen")), *of_slopes, *after,
            *(view.address for view in outputs), *[Index.of(0)] * (not self.more and kept is None),
        )  # fmt: skip


_MASKS = ("bias", "chosen")
_OF_ROWS = ("tops", "sums")
_FORWARD_OUTPUTS = ("result", "kept", *_OF_ROWS)
_NUMBERS = ("scale", "fill", "q_scale", "k_scale")


class Attention(Attends):
    """``softmax(scores) @ v``; of each row, the largest score, and the sum of exponentials.

    These are relative to the largest score, which is 0 where it is infinite.

    Attributes
    ----------
    keeps
        Whether there is one more output: the exponentials, of no columns if there are more than
        :data:`MOST_KEPT` rows or keys.
    """

    __props__ = ("bias", "choice", "keeps")

    def __init__(self, bias: bool = False, choice: Choice = "all", keeps: bool = False) -> None:
        super().__init__(bias, choice)
        if keeps not in (True, False):
            raise ValueError(build_message("attention: keeps is a bool"))
        self.keeps = keeps

    def _result_shapes(self, shapes: dict[str, Any]) -> list[tuple[Any, ...]]:
        rows = (*self._batch(shapes), self._length(shapes, "q"))
        kept = [(*rows, _kept(rows[-1], self._length(shapes, "k")))] if self.keeps else []
        return [(*rows, shapes["v"][-1]), rows, rows, *kept]

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        arrays = self._checked(node, inputs)
        with np.errstate(all="ignore"):
            scores, _ = self._scores(arrays)
            top = scores.max(axis=-1, keepdims=True, initial=-np.inf)
            top = np.where(np.isinf(top), 0, top).astype(scores.dtype)
            shares = np.exp(scores - top)
            total = shares.sum(axis=-1, keepdims=True, dtype="float64").astype(scores.dtype)
            output_storage[0][0] = np.matmul(shares / total, arrays["v"])
            output_storage[1][0], output_storage[2][0] = top[..., 0], total[..., 0]
            if self.keeps:
                output_storage[3][0] = shares[..., : _kept(*shares.shape[-2:])].copy()

    @partial(Statements, accepts=Attends.accepts, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        kept = arrays.outputs[3] if self.keeps else None
        self._call(b, "attention", self._named(arrays.inputs), arrays.outputs, kept)


class AttentionGradient(Attends):
    """The gradients of q, k and v, from the gradient ``g`` of the result.

    The gradient of q is multiplied by ``q_scale`` and that of k by ``k_scale``. The axes of batches
    are those of the result; what is broadcast is not summed.
    """

    more = ("result", "tops", "sums", "kept", "g", "q_scale", "k_scale")

    def _result_shapes(self, shapes: dict[str, Any]) -> list[tuple[Any, ...]]:
        gradient_shapes = []
        for name in "qkv":
            own = (*shapes[name][:-2], shapes[name][-2])
            full = (*self._batch(shapes), self._length(shapes, name))
            lengths = zip(own, full, strict=True)
            axes = [n if one == 1 or isinstance(n, int) else one for one, n in lengths]
            gradient_shapes.append((*axes, shapes[name][-1]))
        return gradient_shapes

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        arrays = self._checked(node, inputs)
        g = arrays["g"]
        with np.errstate(all="ignore"):
            scores, chosen = self._scores(arrays)
            tops, sums = (arrays[name][..., None] for name in _OF_ROWS)
            shares = np.exp(scores - tops) / sums
            inner = (g * arrays["result"]).sum(axis=-1, keepdims=True)
            slopes = shares * (np.matmul(g, np.swapaxes(arrays["v"], -1, -2)) - inner)
            slopes = np.where(chosen, slopes, 0).astype(g.dtype)
            output_storage[0][0] = arrays["q_scale"] * np.matmul(slopes, arrays["k"])
            across = np.swapaxes(slopes, -1, -2)
            output_storage[1][0] = arrays["k_scale"] * np.matmul(across, arrays["q"])
            output_storage[2][0] = np.matmul(np.swapaxes(shares, -1, -2), g)

    @partial(Statements, accepts=Attends.accepts, workspace=True)
    def lowering(self, b: Builder, node: Apply, arrays: NodeArrays) -> None:
        views = self._named(arrays.inputs)
        self._call(b, "attention_gradient", views, arrays.outputs, views["kept"])


def _kept(rows: Any, keys: Any) -> Any:
    """Return of how many columns exponentials are kept, if it is known."""
    if rows is None or keys is None:
        return None
    if isinstance(rows, int) and isinstance(keys, int):
        return keys if max(rows, keys) <= MOST_KEPT else 0
    return scalar.switch(scalar.maximum(rows, keys) <= MOST_KEPT, keys, 0)


def _batch_length(views: Sequence[View], axis: int) -> Index:
    lengths = [view.shape[axis] for view in views]
    return next((length for length in lengths if length != 1), lengths[0])


def _misfit(op: Attends, name: str, lengths: Sequence[int]) -> str:
    return f"{op}: {name} has length {lengths[0]} where {lengths[1]} is needed"


def _message(node: Apply, name: str, lengths: Sequence[int]) -> str:
    assert isinstance(node.op, Attends)
    return call_message(_misfit(node.op, name, lengths), node, *node.inputs[:3])

"""Basic indexing: integers and slices, and their counterparts that set or increment a part."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from symtheano import dtypes
from symtheano.errors import BoundsError, ShapeError
from symtheano.graph.op import Requirement
from symtheano.graph.variable import Apply, Variable
from symtheano.scalar import table as scalar
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.elemwise import TensorOp, same_length
from symtheano.tensor.messages import build_message, call_message
from symtheano.tensor.shape import dim_value
from symtheano.tensor.type import TensorType
from symtheano.tensor.variable import TensorConstant

if TYPE_CHECKING:
    from symtheano.loopir import Builder, Index, View
    from symtheano.loopir.nodes import Operand

Item = tuple[bool, bool, bool] | None
"""One axis of a pattern: None for an integer, else which of start, stop, step are given."""

Pattern = tuple[Item, ...]


class Indexed(TensorOp):
    """What taking, setting and incrementing a part have in common: the pattern.

    The 0-d int64 inputs after the arrays are, axis by axis, the integer or the given ones of
    start, stop and step.
    """

    __props__: tuple[str, ...] = ("pattern",)
    arrays = 1

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern

    def items(self, node: Apply) -> Iterator[tuple[int, Any]]:
        """Yield (axis, integer variable) or (axis, (start, stop, step)) with None where absent."""
        return unpack(self.pattern, node.inputs[self.arrays :])

    def geometry(self, node: Apply, dims: Sequence[Any]) -> list[tuple[Any, Any, Any]]:
        """Return (first, length, step) of each axis; the length of an integer's axis is None."""
        result: list[tuple[Any, Any, Any]] = []
        for axis, item in self.items(node):
            if isinstance(item, tuple):
                start, stop, step = (_known(part) for part in item)
                result.append(slice_geometry(start, stop, step, dims[axis]))
            else:
                result.append((wrap(dim_value(item), dims[axis]), None, None))
        return result

    def scalars(self, node: Apply, shapes: list[Any]) -> list[Any]:
        """Return first, length and step of each axis; for an integer's axis its position."""
        flat: list[Any] = []
        for first, length, step in self.geometry(node, shapes[0]):
            flat.extend([first] if length is None else [first, length, step])
        return flat

    def part(self, whole: View, scalars: Sequence[Index]) -> View:
        """Return the selected part of an array as a view."""
        values, axis, view = iter(scalars), 0, whole
        for item in self.pattern:
            if item is None:
                view = view.item(axis, next(values))
            else:
                view = view.sliced(axis, next(values), next(values), next(values))
                axis += 1
        return view

    def bounds(self, node: Apply, dims: Sequence[Any]) -> list[Requirement]:
        """Integers lie within their axis, and steps are not zero."""
        found = []
        for axis, item in self.items(node):
            if isinstance(item, tuple):
                step = _known(item[2])
                if step is not None and not isinstance(step, int):
                    message = partial(step_message, node, axis)
                    found.append(Requirement(scalar.neq(step, 0), (), message, code="value"))
            else:
                position = dim_value(item)
                known = isinstance(position, int) and isinstance(dims[axis], int)
                inside: Any = (
                    -dims[axis] <= position < dims[axis]
                    if known
                    else scalar.and_(
                        as_tensor_variable(scalar.ge(position, -dims[axis])),
                        as_tensor_variable(scalar.lt(position, dims[axis])),
                    )
                )
                found.append(
                    Requirement(
                        condition=inside,
                        values=(position, dims[axis]),
                        message=partial(bounds_message, node, axis),
                        code="index",
                    )
                )
        return found

    def numpy_key(self, node: Apply, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the key for NumPy's indexing, bounds checked."""
        key: list[Any] = []
        for axis, item in unpack(self.pattern, values[self.arrays :]):
            if isinstance(item, tuple):
                if item[2] is not None and int(item[2]) == 0:
                    raise ValueError(step_message(node, axis, []))
                key.append(slice(*(None if part is None else int(part) for part in item)))
            else:
                length = values[0].shape[axis]
                if not -length <= int(item) < length:
                    raise BoundsError(bounds_message(node, axis, [int(item), length]))
                key.append(int(item))
        return tuple(key)

    def __str__(self) -> str:
        text = []
        for item in self.pattern:
            if item is None:
                text.append("int64")
            else:
                start, stop, step = ("int64" if given else "" for given in item)
                text.append(f"{start}:{stop}:{step}")
        return f"{type(self).__name__}{{{', '.join(text)}}}"


class Subtensor(Indexed):
    """A part of an array by integers and slices: always a view."""

    def infer(self, *inputs: Any) -> Sequence[Any]:
        """Return the static lengths that follow from known bounds."""
        x, shape = inputs[0], []
        for axis, item in unpack(self.pattern, inputs[1:]):
            if isinstance(item, tuple):
                shape.append(_static_length(item, x.type.shape[axis]))
        return [TensorType(x.dtype, [*shape, *x.type.shape[len(self.pattern) :]])]

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """Return the lengths of the slices and the untouched axes."""
        lengths = [n for _, n, _ in self.geometry(node, shapes[0]) if n is not None]
        dims = [*lengths, *shapes[0][len(self.pattern) :]]
        static = node.outputs[0].type.shape
        return [
            tuple(dim if known is None else known for known, dim in zip(static, dims, strict=True))
        ]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Integers lie within their axis."""
        return self.bounds(node, shapes[0])

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy."""
        output_storage[0][0] = np.asarray(inputs[0][self.numpy_key(node, inputs)])

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """Put the gradient where the part was taken."""
        x, *bounds = inputs
        whole = IncSubtensor(self.pattern, False)(x.zeros_like(), output_grads[0], *bounds)
        return [whole, *[None] * len(bounds)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Take the same part of the direction."""
        return [None if eval_points[0] is None else self(eval_points[0], *inputs[1:])]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Bounds are not smooth."""
        return [[True], *[[False]] * (len(node.inputs) - 1)]

    def view(
        self, node: Apply, operand: View, scalars: list[Index], shape: Sequence[Index]
    ) -> View:
        """Return the part as an index map over the operand's buffer."""
        return self.part(operand, scalars)


class Change:
    """What ops that set or increment a part of an array have in common."""

    set_instead_of_inc: bool

    def put(self, b: Builder, target: View, place: Sequence[Index], value: Operand) -> None:
        """Set or increment one element of an array."""
        new = value
        if not self.set_instead_of_inc:
            new = b.let("add", target.dtype, [b.load(target, place), value])
        b.store(target, place, new)


class IncSubtensor(Change, Indexed):
    """An array with a part of it set to, or incremented by, another array."""

    __props__ = ("pattern", "set_instead_of_inc")
    arrays = 2
    overwrites = 0

    def __init__(self, pattern: Pattern, set_instead_of_inc: bool) -> None:
        super().__init__(pattern)
        self.set_instead_of_inc = set_instead_of_inc

    def make_node(self, *inputs: Any) -> Apply:
        """Bring the value to the dtype and number of dims of the part."""
        x, y, *bounds = (self.as_variable(item) for item in inputs)
        part = Subtensor(self.pattern).infer(x, *bounds)[0]
        y = converted(y, x.dtype)
        if y.ndim > part.ndim:
            raise ShapeError(
                build_message(
                    f"{_change(self)}: a part of {part.ndim} dims can't take a value of {y.ndim}",
                    x,
                    y,
                )
            )
        y = as_tensor_variable(y, ndim=part.ndim)
        return Apply(self, [x, y, *bounds], [TensorType(x.dtype, x.type.shape)])

    def infer_shape(self, node: Apply, shapes: list[Any]) -> list[tuple[Any, ...]]:
        """The shape of the whole."""
        return [shapes[0]]

    def requirements(self, node: Apply, shapes: list[Any]) -> list[Requirement]:
        """Integers lie within their axis, and the value has the shape of the part."""
        found = self.bounds(node, shapes[0])
        lengths = [n for _, n, _ in self.geometry(node, shapes[0]) if n is not None]
        part = [*lengths, *shapes[0][len(self.pattern) :]]
        for axis, (mine, wanted) in enumerate(zip(shapes[1], part, strict=True)):
            if node.inputs[1].type.shape[axis] != 1:
                found += same_length(mine, wanted, partial(part_message, node, axis))
        return found

    def perform(self, node: Apply, inputs: Sequence[Any], output_storage: list[list[Any]]) -> None:
        """Compute with NumPy on a copy."""
        x, y = inputs[:2]
        key = self.numpy_key(node, inputs)
        result = x.copy()
        part = result[key]
        for axis, (mine, wanted) in enumerate(zip(y.shape, np.shape(part), strict=True)):
            if mine != wanted and node.inputs[1].type.shape[axis] != 1:
                raise ShapeError(part_message(node, axis, [mine, wanted]))
        with np.errstate(all="ignore"):
            result[key] = y if self.set_instead_of_inc else part + y
        output_storage[0][0] = result

    def pullback(
        self, inputs: list[Any], outputs: list[Any], output_grads: list[Any]
    ) -> Sequence[Any]:
        """The value's gradient is the part's; setting hides what was there."""
        from symtheano.tensor.elemwise import fit_grad

        _, y, *bounds = inputs
        (g,) = output_grads
        part = Subtensor(self.pattern)(g, *bounds)
        left = g
        if self.set_instead_of_inc:
            left = IncSubtensor(self.pattern, True)(g, y.zeros_like(), *bounds)
        return [left, fit_grad(part, y), *[None] * len(bounds)]

    def R_op(self, inputs: list[Any], eval_points: list[Any]) -> list[Any]:
        """Linear in the whole and the value."""
        points = [
            item.zeros_like() if point is None else point
            for item, point in zip(inputs[:2], eval_points[:2], strict=True)
        ]
        return [self(*points, *inputs[2:])]

    def connection_pattern(self, node: Apply) -> list[list[bool]]:
        """Bounds are not smooth."""
        return [[True], [True], *[[False]] * (len(node.inputs) - 2)]

    def put_inputs(self, node: Apply) -> Sequence[int]:
        """Return which input is put into the part: the value, unless it may be repeated there."""
        return () if 1 in node.inputs[1].type.shape else (1,)

    def parts(
        self, whole: View, scalars: Sequence[Index], shapes: Sequence[Sequence[Index]]
    ) -> dict[int, View]:
        """Return where the value goes."""
        return {1: self.part(whole, scalars)}

    def __str__(self) -> str:
        kind = "Set" if self.set_instead_of_inc else "Inc"
        return super().__str__().replace("{", f"{{{kind};", 1)


def converted(value: Any, dtype: str) -> Any:
    """Return a value in the dtype of the array it is put into.

    Raises
    ------
    TypeError
        If that may lose precision.
    """
    exact = isinstance(value, TensorConstant) and bool(_converts(value.data, dtype))
    if not exact and dtypes.upcast(dtype, value.dtype) != dtype:
        raise TypeError(
            build_message(
                f"set_subtensor or inc_subtensor: an array of {dtype} can't take values of "
                f"{value.dtype} without losing precision",
                value,
                hint="cast one of them",
            )
        )
    return cast(value, dtype)


def _converts(data: Any, dtype: str) -> bool:
    if dtypes.is_complex(data.dtype.name) and not dtypes.is_complex(dtype):
        return False
    with np.errstate(all="ignore"):
        return np.array_equal(data, data.astype(dtype), equal_nan=data.dtype.kind in "fc")


def unpack(pattern: Pattern, values: Sequence[Any]) -> Iterator[tuple[int, Any]]:
    """Yield for each axis of a pattern its integer, or its (start, stop, step)."""
    rest = iter(values)
    for axis, item in enumerate(pattern):
        if item is None:
            yield axis, next(rest)
        else:
            yield axis, tuple(next(rest) if given else None for given in item)


def _known(part: Any) -> Any:
    return None if part is None else dim_value(part)


def _static_length(item: tuple[Any, Any, Any], length: int | None) -> int | None:
    parts = [_known(part) for part in item]
    if any(part is not None and not isinstance(part, int) for part in parts):
        return None
    if length is not None:
        return len(range(*slice(*parts).indices(length)))
    return None


def wrap(position: Any, length: Any) -> Any:
    """Return a position counted from the end as one counted from the start."""
    if isinstance(position, int):
        return position if position >= 0 else length + position
    return scalar.switch(position < 0, position + length, position)


def _minimum(a: Any, b: Any) -> Any:
    return min(a, b) if isinstance(a, int) and isinstance(b, int) else scalar.minimum(a, b)


def _maximum(a: Any, b: Any) -> Any:
    return max(a, b) if isinstance(a, int) and isinstance(b, int) else scalar.maximum(a, b)


def slice_geometry(start: Any, stop: Any, step: Any, length: Any) -> tuple[Any, Any, Any]:
    """Return (first, count, step) of a slice of an axis; ints where everything is known.

    Python's rules: negative bounds count from the end, all bounds are clipped.
    """
    step = 1 if step is None else step
    if not isinstance(step, int):
        return _symbolic_step(start, stop, step, length)
    if step == 0:
        raise ValueError(build_message("indexing: the step of a slice is zero"))
    if step > 0:
        first = 0 if start is None else _clip_bound(start, 0, length, length)
        last = length if stop is None else _clip_bound(stop, 0, length, length)
        if isinstance(first, int) and first == 0 and step == 1:
            return first, last, step
        # Where a bound is clipped, nothing is selected, and nothing is read where it begins.
        begin = start if isinstance(start, int) and start >= 0 else first
        if step == 1 and stop is None:
            return begin, length - first, step
        return begin, _maximum((last - first + (step - 1)) // step, 0), step
    first = length - 1 if start is None else _clip_bound(start, -1, length - 1, length)
    last = -1 if stop is None else _clip_bound(stop, -1, length - 1, length)
    if step == -1 and start is None and stop is None:
        return first, length, step
    return first, _maximum((first - last + (-step - 1)) // -step, 0), step


def _clip_bound(bound: Any, low: Any, high: Any, length: Any) -> Any:
    wrapped = wrap(bound, length)
    if isinstance(bound, int) and bound >= 0:
        return _minimum(wrapped, high)
    if isinstance(bound, int):
        return _maximum(wrapped, low)
    return _maximum(_minimum(wrapped, high), low)


def _symbolic_step(start: Any, stop: Any, step: Any, length: Any) -> tuple[Any, Any, Any]:
    forward = slice_geometry(start, stop, 1, length)
    backward = slice_geometry(start, stop, -1, length)
    up = step > 0
    first = scalar.switch(up, forward[0], backward[0])
    span = scalar.switch(up, forward[1], backward[1])
    stride = scalar.abs(step)
    return cast(first, "int64"), cast((span + stride - 1) // stride, "int64"), step


def bounds_message(node: Apply, axis: int, values: Sequence[int]) -> str:
    """Return the message for an integer outside its axis."""
    return call_message(
        f"indexing: {values[0]} is outside axis {axis} of length {values[1]}",
        node,
        node.inputs[0],
    )


def step_message(node: Apply, axis: int, values: Sequence[int]) -> str:
    """Return the message for a slice whose step turns out to be zero."""
    return call_message(
        f"indexing: the step of a slice of axis {axis} is zero", node, node.inputs[0]
    )


def part_message(node: Apply, axis: int, values: Sequence[int]) -> str:
    """Return the message for a value that does not fit the part it is put into."""
    return call_message(
        f"{_change(node.op)}: a value of length {values[0]} along axis {axis} does not fit a part "
        f"of length {values[1]}",
        node,
        *node.inputs[:2],
    )


def _change(op: Any) -> str:
    return "set_subtensor" if op.set_instead_of_inc else "inc_subtensor"


# -- x[key] -------------------------------------------------------------------------------------


def getitem(x: Any, key: Any) -> Any:
    """Return ``x[key]`` for integers, slices, None, Ellipsis, and arrays of integers or bools."""
    view, items = _expand_key(x, key)
    basic: list[Any] = []
    advanced: list[tuple[int, Any]] = []
    axis = 0
    for item in items:
        if isinstance(item, slice) or _is_integer(item):
            basic.append(item)
            axis += isinstance(item, slice)
        else:
            basic.append(slice(None))
            advanced.append((axis, item))
            axis += 1
    if advanced and any(_is_integer(item) for item in items):
        # NumPy broadcasts integers with the arrays, so they belong to the advanced part
        advanced = [(a, i) for a, i in enumerate(items) if not isinstance(i, slice)]
        basic = [item if isinstance(item, slice) else slice(None) for item in items]
    part = _basic(view, basic)
    if advanced:
        from symtheano.tensor.advanced import take_at

        part, advanced = _together(part, advanced)
        result = take_at(part, advanced)
    else:
        part, result = view, part
    if part is not x:
        result.tag.indexed = x  # in several steps: what changes it goes back to x
    return result


def _together(x: Any, advanced: list[tuple[int, Any]]) -> tuple[Any, list[tuple[int, Any]]]:
    """Bring the axes of index arrays to the front if others stand between them, as NumPy does."""
    axes = [axis for axis, _ in advanced]
    if axes == list(range(axes[0], axes[0] + len(axes))):
        return x, advanced
    others = [axis for axis in range(x.ndim) if axis not in axes]
    return x.dimshuffle(*axes, *others), list(enumerate(item for _, item in advanced))


def everything(x: Any) -> Any:
    """Return ``x[:]``: all of an array, as a part that can be set or incremented."""
    return Subtensor(((False, False, False),))(x)


def _expand_key(x: Any, key: Any) -> tuple[Any, list[Any]]:
    """Resolve Ellipsis and None: returns ``x`` with new axes and one item per axis."""
    given = list(key) if isinstance(key, tuple) else [key]
    if any(is_mask(item) for item in given):
        from symtheano.tensor.mask import without_masks

        x, given = without_masks(x, given)
    used = sum(item is not None and item is not Ellipsis for item in given)
    if used > x.ndim:
        raise IndexError(build_message(f"indexing: {used} indices for {x.ndim} dims", x))
    if sum(item is Ellipsis for item in given) > 1:
        raise IndexError(build_message("indexing: an index holds at most one Ellipsis", x))
    if not any(item is Ellipsis for item in given):
        given.append(Ellipsis)
    position = next(k for k, item in enumerate(given) if item is Ellipsis)
    given[position : position + 1] = [slice(None)] * (x.ndim - used)
    if any(item is None for item in given):
        axes = iter(range(x.ndim))
        x = x.dimshuffle(*["x" if item is None else next(axes) for item in given])
        given = [slice(None) if item is None else item for item in given]
    return x, given


def is_mask(item: Any) -> bool:
    """Tell whether an item of an index is a truth value, or an array of them."""
    if isinstance(item, list):
        return bool(item) and all(is_mask(part) for part in item)
    return bool(getattr(item, "dtype", type(item)) in (bool, np.bool_, "bool"))


def _is_integer(item: Any) -> bool:
    if isinstance(item, int | np.integer):
        return True
    return isinstance(item, Variable | np.ndarray) and getattr(item, "ndim", None) == 0


def _basic(x: Any, items: list[Any]) -> Any:
    while items and items[-1] == slice(None):
        items.pop()
    if not items:
        return x
    pattern, bounds = pattern_of(items)
    return Subtensor(pattern)(x, *bounds)


def pattern_of(items: Sequence[Any]) -> tuple[Pattern, list[Any]]:
    """Return integers and slices as a pattern and its 0-d int64 inputs."""
    pattern: list[Item] = []
    bounds: list[Any] = []
    for item in items:
        if isinstance(item, slice):
            parts = (item.start, item.stop, item.step)
            if isinstance(item.step, int | np.integer) and item.step == 0:
                raise ValueError(build_message("indexing: the step of a slice is zero"))
            pattern.append(tuple(part is not None for part in parts))  # type: ignore[arg-type]
            bounds.extend(_bound(part) for part in parts if part is not None)
        else:
            pattern.append(None)
            bounds.append(_bound(item))
    return tuple(pattern), bounds


def _bound(value: Any) -> Any:
    if isinstance(value, int | np.integer):
        return constant(int(value), dtype="int64")
    variable = as_tensor_variable(value)
    if variable.ndim or variable.dtype not in dtypes.INTEGER:
        raise TypeError(
            build_message("indexing: an index is an integer, and this is not", variable)
        )
    return cast(variable, "int64")


def set_subtensor(
    x: Any, y: Any, inplace: bool = False, tolerate_inplace_aliasing: bool = False
) -> Any:
    """Return the array that ``x`` is a part of, with that part set to ``y``.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> v = T.vector("v")
    >>> T.set_subtensor(v[:2], 0.0).eval({v: [1.0, 2.0, 3.0]})
    array([0., 0., 3.])
    """
    return inc_subtensor(x, y, set_instead_of_inc=True)


def inc_subtensor(
    x: Any,
    y: Any,
    inplace: bool = False,
    set_instead_of_inc: bool = False,
    tolerate_inplace_aliasing: bool = False,
) -> Any:
    """Return the array that ``x`` is a part of, with that part incremented by ``y``.

    Where integer arrays name an element several times, every increment counts.

    Examples
    --------
    >>> import symtheano.tensor as T
    >>> inc_subtensor(T.as_tensor([0, 0, 0])[[1, 1]], 5).eval().tolist()
    [0, 10, 0]
    """
    from symtheano.tensor.advanced import AdvancedIncSubtensor, AdvancedSubtensor
    from symtheano.tensor.elemwise import DimShuffle

    owner = x.owner
    indexed: Any = getattr(x.tag, "indexed", None)
    if owner is not None and isinstance(owner.op, Subtensor):
        whole, *bounds = owner.inputs
        changed = IncSubtensor(owner.op.pattern, set_instead_of_inc)(whole, y, *bounds)
        return _put_back(whole, changed, indexed)
    if owner is not None and isinstance(owner.op, AdvancedSubtensor):
        whole, *indices = owner.inputs
        op = AdvancedIncSubtensor(owner.op.axis, set_instead_of_inc)
        return _put_back(whole, op(whole, y, *indices), indexed)
    if owner is not None and isinstance(owner.op, DimShuffle):
        order = owner.op.new_order
        inner = owner.inputs[0]
        y = as_tensor_variable(y, ndim=x.ndim)
        place = {axis: position for position, axis in enumerate(order)}
        if set(place) >= set(range(inner.ndim)):
            back = y.dimshuffle(*[place[axis] for axis in range(inner.ndim)])
            if indexed is inner:  # x[:, None]: all of x
                pattern: Pattern = ((False, False, False),) * inner.ndim
                return IncSubtensor(pattern, set_instead_of_inc)(inner, back)
            return inc_subtensor(inner, back, set_instead_of_inc=set_instead_of_inc)
    name = "set_subtensor" if set_instead_of_inc else "inc_subtensor"
    raise TypeError(
        build_message(f"{name} can only take a part of an array", x, hint="give x[2:4] or the like")
    )


def _put_back(part: Any, changed: Any, indexed: Any) -> Any:
    """Return the array that an index was applied to, given its last step's array after the change.

    An index such as ``x[1:, i]`` takes a basic part first, ``x[None, ::2]`` adds an axis first.
    """
    while indexed is not None and part is not indexed:
        op, (inner, *bounds) = part.owner.op, part.owner.inputs
        if isinstance(op, Subtensor):
            changed = IncSubtensor(op.pattern, True)(inner, changed, *bounds)
        else:
            place = {axis: position for position, axis in enumerate(op.new_order)}
            changed = changed.dimshuffle(*[place[axis] for axis in range(inner.ndim)])
        part = inner
    return changed


def take(a: Any, indices: Any, axis: int | None = None, mode: str = "raise") -> Any:
    """Return the items of ``a`` at ``indices`` along ``axis`` (of the flat array by default).

    Indices beyond the end are errors (``mode="raise"``), begin again (``"wrap"``), or stand for the
    nearest item (``"clip"``, for which negative ones are the first).

    Examples
    --------
    >>> take([[1, 2], [3, 4]], [1, 0], axis=1).eval().tolist()
    [[2, 1], [4, 3]]
    """
    from symtheano.tensor.reduce import normalize_axis

    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(build_message(f"take: mode {mode!r} is none of raise, wrap and clip"))
    a, indices = as_tensor_variable(a), as_tensor_variable(indices)
    if axis is None:
        a, axis = a.flatten(), 0
    (position,) = normalize_axis(axis, a.ndim)
    length = a.shape[position]
    if mode == "wrap":
        indices = cast(indices, "int64") % length
    elif mode == "clip":
        indices = scalar.clip(cast(indices, "int64"), 0, length - 1)
    return a[(*[slice(None)] * position, indices)]

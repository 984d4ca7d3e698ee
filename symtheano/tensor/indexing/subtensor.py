"""Indexing: ``x[key]``, and functions that set, increment and take parts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from symtheano import dtypes
from symtheano.scalar import table as scalar
from symtheano.scalar.operand import Tensor, TensorLike
from symtheano.tensor.basic import as_tensor_variable, cast, constant
from symtheano.tensor.indexing.keys import Item, Pattern, as_positions, is_integer, is_mask
from symtheano.tensor.indexing.slices import IncSubtensor, Subtensor, converted
from symtheano.tensor.messages import build_message
from symtheano.tensor.shapes.shape import shape_of


def getitem(x: Any, key: Any) -> Tensor:
    """Return ``x[key]`` for integers, slices, None, Ellipsis, and arrays of integers or bools."""
    view, items = _expand_key(x, key)
    basic: list[Any] = []
    advanced: list[tuple[int, Any]] = []
    axis = 0
    for item in items:
        if isinstance(item, slice) or is_integer(item):
            basic.append(item)
            axis += isinstance(item, slice)
        else:
            basic.append(slice(None))
            advanced.append((axis, item))
            axis += 1
    if advanced and any(is_integer(item) for item in items):
        # NumPy broadcasts integers with the arrays, so they belong to the advanced part
        advanced = [(a, i) for a, i in enumerate(items) if not isinstance(i, slice)]
        basic = [item if isinstance(item, slice) else slice(None) for item in items]
    part = _basic(view, basic)
    result: Tensor
    if advanced:
        from symtheano.tensor.indexing.advanced import take_at

        part, advanced = _together(part, advanced)
        result = take_at(part, advanced)
    else:
        part, result = view, part
    if part is not x:
        result.tag.indexed = x  # in several steps: changes refer to x
    return result


def _together(x: Any, advanced: list[tuple[int, Any]]) -> tuple[Any, list[tuple[int, Any]]]:
    """Move the axes of index arrays to the front if others are between them, as NumPy does."""
    axes = [axis for axis, _ in advanced]
    if axes == list(range(axes[0], axes[0] + len(axes))):
        return x, advanced
    others = [axis for axis in range(x.ndim) if axis not in axes]
    return x.dimshuffle(*axes, *others), list(enumerate(item for _, item in advanced))


def everything(x: Any) -> Tensor:
    """Return ``x[:]``: the whole array, as a part that can be set or incremented."""
    return Subtensor(((False, False, False),))(x)


def _expand_key(x: Any, key: Any) -> tuple[Any, list[Any]]:
    """Resolve Ellipsis and None: returns ``x`` with new axes and one item per axis."""
    several = isinstance(key, tuple)
    if isinstance(key, list) and any(isinstance(item, slice) for item in key):
        several = True  # as in NumPy's older versions and in Theano
    items = [as_positions(item) for item in key] if several else [as_positions(key)]
    if any(is_mask(item) for item in items):
        from symtheano.tensor.indexing.mask import without_masks

        x, items = without_masks(x, items)
    used = sum(item is not None and item is not Ellipsis for item in items)
    if used > x.ndim:
        raise IndexError(build_message(f"indexing: {used} indices for {x.ndim} dims", x))
    if sum(item is Ellipsis for item in items) > 1:
        raise IndexError(build_message("indexing: an index holds at most one Ellipsis", x))
    if not any(item is Ellipsis for item in items):
        items.append(Ellipsis)
    position = next(k for k, item in enumerate(items) if item is Ellipsis)
    items[position : position + 1] = [slice(None)] * (x.ndim - used)
    if any(item is None for item in items):
        axes = iter(range(x.ndim))
        x = x.dimshuffle(*["x" if item is None else next(axes) for item in items])
        items = [slice(None) if item is None else item for item in items]
    return x, items


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
        raise TypeError(build_message("indexing: an index must be an integer", variable))
    return cast(variable, "int64")


def set_subtensor(
    x: Any, y: Any, inplace: bool = False, tolerate_inplace_aliasing: bool = False
) -> Tensor:
    """Return a new array with one part set to ``y``.

    ``x`` is the part, an indexing expression such as ``a[2:4]``. The result is all of ``a``.

    Examples
    --------
    >>> v = T.vector("v")
    >>> T.set_subtensor(v[:2], 0.0).eval({v: [1.0, 2.0, 3.0]})
    array([0., 0., 3.])
    """
    return inc_subtensor(x, y, set_instead_of_inc=True)


def inc_subtensor(
    x: TensorLike,
    y: Any,
    inplace: bool = False,
    set_instead_of_inc: bool = False,
    tolerate_inplace_aliasing: bool = False,
) -> Tensor:
    """Return a new array with one part incremented by ``y``.

    ``x`` is the part, an indexing expression such as ``a[2:4]``. The result is all of ``a``.

    If integer arrays select an element several times, all increments are added.

    Examples
    --------
    >>> inc_subtensor(T.as_tensor([0, 0, 0])[[1, 1]], 5).eval().tolist()
    [0, 10, 0]
    """
    from symtheano.tensor.elemwise import DimShuffle
    from symtheano.tensor.indexing.advanced import AdvancedIncSubtensor, AdvancedSubtensor
    from symtheano.tensor.shapes.static_shape import addbroadcast

    x = as_tensor_variable(x)
    name = "set_subtensor" if set_instead_of_inc else "inc_subtensor"
    owner = x.owner
    indexed: Any = getattr(x.tag, "indexed", None)
    if owner is not None and isinstance(owner.op, Subtensor):
        whole, *bounds = owner.inputs
        y = _fitted(name, y, x)
        changed = IncSubtensor(owner.op.pattern, set_instead_of_inc)(whole, y, *bounds)
        result: Tensor = _put_back(whole, changed, indexed)
        return result
    if owner is not None and isinstance(owner.op, AdvancedSubtensor):
        whole, *indices = owner.inputs
        op = AdvancedIncSubtensor(owner.op.axis, set_instead_of_inc)
        stored: Tensor = _put_back(whole, op(whole, _fitted(name, y, x), *indices), indexed)
        return stored
    if owner is not None and isinstance(owner.op, DimShuffle):
        order = owner.op.new_order
        inner = owner.inputs[0]
        y = as_tensor_variable(y, ndim=x.ndim)
        place = {axis: position for position, axis in enumerate(order)}
        if set(place) >= set(range(inner.ndim)):
            y = addbroadcast(y, *[place for place, axis in enumerate(order) if axis == "x"])
            back = y.dimshuffle(*[place[axis] for axis in range(inner.ndim)])
            if indexed is inner:  # x[:, None]: all of x
                pattern: Pattern = ((False, False, False),) * inner.ndim
                return IncSubtensor(pattern, set_instead_of_inc)(inner, _fitted(name, back, inner))
            return inc_subtensor(inner, back, set_instead_of_inc=set_instead_of_inc)
    raise TypeError(
        build_message(f"{name} needs a part of an array", x, hint="give for example x[2:4]")
    )


def _fitted(name: str, y: Any, part: Any) -> Any:
    """Return a value that is stored into a part, repeated where it has length 1 in a call."""
    from symtheano.tensor.indexing.call_broadcast import broadcast_in_call

    y = converted(as_tensor_variable(y), part.dtype)
    if y.ndim > part.ndim or _is_made_from(y, part):
        return y  # if it has more dims, the op says so
    return broadcast_in_call(name, as_tensor_variable(y, ndim=part.ndim), shape_of(part))


def _is_made_from(y: Any, part: Any) -> bool:
    """Return whether elementwise operations compute a value from the part, so that it fits."""
    from symtheano.tensor.elemwise import Elemwise

    waiting, seen = [y], 0
    while waiting and seen < 20:
        item, seen = waiting.pop(), seen + 1
        if item is part:
            return True
        if item.owner is not None and isinstance(item.owner.op, Elemwise):
            waiting.extend(item.owner.inputs)
    return False


def _put_back(part: Any, changed: Any, indexed: Any) -> Any:
    """Return the array to which an index was applied, given the changed array of its last step.

    An index such as ``x[1:, i]`` selects a basic part first; ``x[None, ::2]`` adds an axis first.
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


def take(
    a: TensorLike, indices: TensorLike, axis: int | None = None, mode: str = "raise"
) -> Tensor:
    """Return the items of ``a`` at ``indices`` along ``axis`` (by default, of the flattened array).

    Indices out of range are errors (``mode="raise"``), wrap around (``"wrap"``), or select the
    nearest item (``"clip"``). With ``"clip"``, negative indices select the first item.

    Examples
    --------
    >>> take([[1, 2], [3, 4]], [1, 0], axis=1).eval().tolist()
    [[2, 1], [4, 3]]
    """
    from symtheano.tensor.shapes.axis_numbers import normalize_axis

    if mode not in ("raise", "wrap", "clip"):
        raise ValueError(build_message(f"take: mode {mode!r} is not one of raise, wrap and clip"))
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

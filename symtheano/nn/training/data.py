"""The data of training: arrays that are checked once, or batches from an iterable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from symtheano.nn.values import Value, shown

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Samples:
    """Arrays of inputs and targets for the same samples.

    Attributes
    ----------
    inputs, targets
        Arrays whose first axis is that of the samples.
    weights
        The weight of each sample, or None.
    """

    inputs: tuple[Array, ...]
    targets: tuple[Array, ...] = ()
    weights: Array | None = None

    def __len__(self) -> int:
        return len(self.inputs[0])

    def __getitem__(self, chosen: Any) -> Samples:
        weights = None if self.weights is None else self.weights[chosen]
        return Samples(
            tuple(a[chosen] for a in self.inputs), tuple(a[chosen] for a in self.targets), weights
        )

    @property
    def arrays(self) -> tuple[Array, ...]:
        """The inputs, the targets, and the weights if there are any."""
        return (*self.inputs, *self.targets, *(() if self.weights is None else (self.weights,)))

    @property
    def kind(self) -> tuple[tuple[str, int], ...]:
        """The dtype and number of axes of each array, which determine the compiled functions."""
        return tuple((str(a.dtype), a.ndim) for a in self.arrays)


def gather_inputs(values: Sequence[Value], given: Any) -> tuple[Array, ...]:
    """Return the arrays for the inputs of a network, with their dtypes.

    Parameters
    ----------
    values
        The inputs.
    given
        An array, or several in a list or tuple, or a mapping from the names of inputs.

    Raises
    ------
    ValueError
        If their number, shapes or lengths do not fit.
    """
    arrays = []
    for k, (value, array) in enumerate(zip(values, by_name(values, given), strict=True)):
        name = value.train.name or f"input {k}"
        array = as_array(array, value.dtype, name)
        if array.ndim != len(value.shape) + 1 or any(
            want is not None and want != have
            for want, have in zip(value.shape, array.shape[1:], strict=False)
        ):
            raise ValueError(
                f"{name} takes arrays of shape {shown(value.shape)}, n samples, and was given one "
                f"of shape {array.shape}"
            )
        arrays.append(array)
    same_length(arrays)
    return tuple(arrays)


def gather_targets(
    outputs: Sequence[Value], given: Any, length: int, padded: Sequence[bool] = ()
) -> tuple[Array, ...]:
    """Return the arrays of targets for the outputs of a network.

    Integers with one axis less than the output are labels and stay integers, all else has the dtype
    of the output. Labels may have a last axis of length 1, and so may be without it the targets of
    outputs that have it. ``padded`` says for which outputs they are rows of labels of any length,
    of which negative ones do not count.

    Raises
    ------
    ValueError
        If shapes do not fit, or a label is none of the output's.
    """
    arrays = []
    for k, (value, array) in enumerate(zip(outputs, by_name(outputs, given), strict=True)):
        array = numeric(array, "targets")
        if array.ndim == 0 or len(array) != length:
            raise ValueError(f"there are {length} samples, and {len(array)} targets")
        last, ndim = value.shape[-1] if value.shape else None, len(value.shape) + 1
        if padded and padded[k]:
            arrays.append(rows_of_labels(array, last, value))
            continue
        whole = array.dtype.kind in "iub"
        if ndim > 1 and array.ndim == ndim and array.shape[-1] == 1 and last != 1 and whole:
            array = array[..., 0]
        if array.ndim == ndim - 1 and last == 1:
            array = array[..., np.newaxis]
        if array.ndim == ndim - 1 and whole:
            check_labels(array, last, value)
            array = np.ascontiguousarray(array, dtype="int32")
        elif array.ndim == ndim:
            fits = zip(value.shape, array.shape[1:], strict=True)
            if any(want is not None and want != have for want, have in fits):
                raise ValueError(misfit(k, value, array))
            array = as_array(array, value.dtype, "targets")
        else:
            raise ValueError(misfit(k, value, array))
        arrays.append(array)
    return tuple(arrays)


def gather_weights(
    sample_weight: Any, class_weight: Any, targets: tuple[Array, ...]
) -> Array | None:
    """Return the weight of each sample: its own, times that of its class.

    Raises
    ------
    ValueError
        If the weights are not one for each sample, or there are classes without labels.
    """
    weights = None
    if sample_weight is not None:
        given = numeric(sample_weight, "sample_weight")
        weights = np.ascontiguousarray(given, dtype="float32")
        if weights.shape != (len(targets[0]),):
            raise ValueError(
                f"sample_weight: one weight for each of the {len(targets[0])} samples expected, "
                f"not an array of shape {weights.shape}"
            )
    if class_weight is not None:
        if len(targets) != 1:
            raise ValueError("class_weight: weights of classes need a model with one output")
        labels = labels_of(targets[0])
        if isinstance(class_weight, str) and class_weight == "balanced":
            class_weight = balanced(labels)
        if not isinstance(class_weight, Mapping) or not all(map(is_number, class_weight)):
            raise ValueError(
                "class_weight: 'balanced', or a dict from labels, which are numbers, to factors "
                f"expected, not {class_weight!r}"
            )
        factors = np.ones(len(labels), "float32")
        for label, weight in class_weight.items():
            factors[labels == label] = weight
        weights = factors if weights is None else weights * factors
    return weights


def labels_of(target: Array) -> Array:
    """Return the labels of targets that are labels, one-hot rows or columns of zeros and ones."""
    if target.ndim > 2:
        raise ValueError(
            f"class_weight: targets of shape {target.shape} have several labels for a sample; "
            "give sample_weight"
        )
    if target.ndim == 1:
        return target
    return target[:, 0] if target.shape[1] == 1 else target.argmax(axis=1)


def balanced(labels: Array) -> dict[Any, float]:
    """Return factors with which all classes that occur weigh the same, 1 on average.

    Examples
    --------
    >>> balanced(np.array([0, 0, 0, 1]))
    {0: 0.6666666666666666, 1: 2.0}
    """
    classes, counts = np.unique(labels, return_counts=True)
    factors = len(labels) / (len(classes) * counts)
    return dict(zip(classes.tolist(), factors.tolist(), strict=True))


def split(samples: Samples, fraction: float) -> tuple[Samples, Samples]:
    """Return the samples without the last ones, and the last ones, as Keras splits them."""
    if not 0 < fraction < 1:
        raise ValueError(f"validation_split: a number between 0 and 1 expected, not {fraction}")
    first = int(len(samples) * (1 - fraction))
    if not 0 < first < len(samples):
        raise ValueError(
            f"validation_split: {fraction} of {len(samples)} samples leaves one part empty"
        )
    return samples[:first], samples[first:]


def batches(iterable: Any, steps: int | None) -> Iterator[tuple[Any, ...]]:
    """Yield batches, (inputs, targets) or (inputs, targets, weights), up to a number of them.

    Raises
    ------
    ValueError
        If an item is something else.
    """
    for k, item in enumerate(iterable):
        if k == steps:
            return
        if not isinstance(item, tuple | list) or len(item) not in (2, 3):
            raise ValueError(
                "an iterable of batches yields (inputs, targets) or (inputs, targets, weights), "
                f"not {type(item).__name__}"
            )
        yield tuple(item)
        if k + 1 == steps:
            return


def is_batches(x: Any, y: Any) -> bool:
    """Return whether data are an iterable of batches, not arrays.

    A list is one if its items are tuples, and there are no targets beside it.
    """
    if y is not None:
        return False
    if isinstance(x, list):
        return bool(x) and all(isinstance(item, tuple) and len(item) in (2, 3) for item in x)
    if isinstance(x, np.ndarray | tuple | Mapping) or hasattr(x, "__array__"):
        return False
    return isinstance(x, Iterable) and not hasattr(x, "toarray")


def by_name(values: Sequence[Value], given: Any) -> list[Any]:
    """Return what is given for each of several values, by order or by name."""
    if isinstance(given, Mapping):
        names = [v.layer.name if v.layer else v.train.name for v in values]
        if set(names) != set(given):
            raise ValueError(f"arrays for {sorted(map(str, names))} expected, not {sorted(given)}")
        return [given[name] for name in names]
    if len(values) == 1:
        alone = isinstance(given, list | tuple) and len(given) == 1 and np.ndim(given[0]) > 1
        return [given[0]] if alone and isinstance(given[0], np.ndarray) else [given]
    if not isinstance(given, list | tuple) or len(given) != len(values):
        raise ValueError(f"a list of {len(values)} arrays expected")
    return list(given)


def as_array(given: Any, dtype: str, what: str) -> Array:
    """Return an array of a dtype with adjacent elements, not copied if it is one.

    Raises
    ------
    ValueError
        If it is no array of numbers, or they are no integers of an integer dtype.
    """
    array = numeric(given, what)
    if np.dtype(dtype).kind in "iu" and array.dtype != dtype:
        whole = np.rint(array) if array.dtype.kind == "f" else array
        limits = np.iinfo(dtype)
        if not ((whole == array) & (array >= limits.min) & (array <= limits.max)).all():
            raise ValueError(
                f"{what}: integers of {dtype} expected, and some of {array.dtype} are not"
            )
    return np.ascontiguousarray(array, dtype=dtype)


def numeric(given: Any, what: str) -> Array:
    """Return an array of numbers.

    Raises
    ------
    ValueError
        If it is none; the message says what to do.
    """
    if hasattr(given, "toarray"):
        raise ValueError(f"{what}: a sparse matrix given; call its method toarray() first")
    try:
        array = np.asarray(given)
    except ValueError as error:
        raise ValueError(f"{what}: the items do not make one array: {error}") from None
    if array.dtype.kind not in "fiub":
        hint = ""
        if array.dtype.kind in "USO" and array.size and isinstance(array.flat[0], str):
            hint = "; numbers of words are np.unique(words, return_inverse=True)[1]"
        got = type(given).__name__ if array.ndim == 0 else f"one of {array.dtype}"
        raise ValueError(f"{what}: an array of numbers expected, not {got}{hint}")
    if isinstance(given, np.ma.MaskedArray) and np.ma.is_masked(given):
        raise ValueError(f"{what}: a masked array given; fill it, or leave masked samples out")
    return array


def is_number(given: Any) -> bool:
    """Return whether something is a number, not a string."""
    return isinstance(given, int | float | np.number | np.bool_)


def same_length(arrays: Sequence[Array]) -> None:
    """Raise an error if arrays are for different numbers of samples."""
    if len({len(array) for array in arrays}) > 1:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ValueError(f"arrays of shapes {shapes} are not for the same number of samples")


def check_labels(labels: Array, classes: int | None, output: Value) -> None:
    """Raise an error if a label is not the number of one of the output's elements."""
    if labels.size and classes is not None:
        low, high = int(labels.min()), int(labels.max())
        if low < 0 or high >= classes:
            wrong = low if low < 0 else high
            where = tuple(int(k[0]) for k in np.nonzero(labels == wrong))
            raise ValueError(
                f"label {wrong} at {where} is none of 0 to {classes - 1}, the numbers of the "
                f"{classes} elements of {output}"
            )


def rows_of_labels(array: Array, classes: int | None, output: Value) -> Array:
    """Return rows of labels, of which negative ones are padding.

    Raises
    ------
    ValueError
        If they are none.
    """
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise ValueError(
            f"targets of shape {array.shape} and dtype {array.dtype} are no rows of labels for "
            f"{output}: integers of shape (n, labels) expected, of which negative ones are padding"
        )
    check_labels(np.maximum(array, 0), classes, output)
    return np.ascontiguousarray(array, dtype="int32")


def misfit(k: int, value: Value, array: Array) -> str:
    """Return the message for targets that do not fit an output."""
    whole = f" or integers of shape {shown(value.shape[:-1])}" if value.shape else ""
    if array.ndim == len(value.shape) and (array == np.rint(array)).all():
        whole += ", which y.astype(int) makes of labels,"
    return (
        f"targets of shape {array.shape} and dtype {array.dtype} do not fit output {k}, {value}: "
        f"arrays of shape {shown(value.shape)}{whole} expected"
    )

"""The data of training: arrays, or batches from an iterable, and the checks of both."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np
import numpy.typing as npt

from symtheano.nn.values import Shape, Value, shown

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Samples:
    """Arrays of inputs and targets for the same samples.

    Attributes
    ----------
    inputs, targets
        Tuples of arrays, one for each input or output of the network. The first axis of each array
        is the batch.
    weights
        A vector with the weight of each sample, or None.
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


def gather_inputs(values: Sequence[Value], inputs: Any) -> tuple[Array, ...]:
    """Return the arrays for the inputs of a network, converted to the dtypes of the inputs.

    Parameters
    ----------
    values
        The inputs of the network.
    inputs
        An array; a list or tuple with an array for each input; or a mapping from the names of the
        inputs to arrays.

    Raises
    ------
    ValueError
        If the number of arrays, a shape or a length does not fit.
    """
    arrays = []
    for k, (value, array) in enumerate(zip(values, by_name(values, inputs), strict=True)):
        name = value.train.name or f"input {k}"
        array = as_array(array, value.dtype, name)
        if array.ndim != len(value.shape) + 1 or any(
            want is not None and want != have
            for want, have in zip(value.shape, array.shape[1:], strict=False)
        ):
            raise ValueError(
                f"{name} takes arrays of shape {shown(value.shape)} for n samples, but was given "
                f"one of shape {array.shape}{moved_channels(value.shape, array.shape[1:])}"
            )
        arrays.append(array)
    same_length(arrays)
    return tuple(arrays)


def moved_channels(shape: Shape, sample_shape: tuple[int, ...]) -> str:
    """Return what to do about samples that have the axis of their channels in another place.

    Examples
    --------
    >>> moved_channels((3, 8, 8), (8, 8, 3))[:45], moved_channels((3, 8, 8), (8, 8))
    ('; its channels are the last axis and those of', '')
    """
    if len(shape) < 3:
        return ""
    if (*shape[1:], shape[0]) == sample_shape:
        return (
            f"; its channels are the last axis and those of the input the first: x.transpose(0, "
            f"{len(shape)}, {', '.join(map(str, range(1, len(shape))))}), or "
            f'nn.Input({sample_shape}) and data_format="channels_last" of the layers'
        )
    if (shape[-1], *shape[:-1]) == sample_shape:
        return (
            "; its channels are the first axis and those of the input the last: np.moveaxis(x, "
            "1, -1)"
        )
    return ""


def gather_targets(
    outputs: Sequence[Value], targets: Any, length: int, padded: Sequence[bool] = ()
) -> tuple[Array, ...]:
    """Return the arrays of targets for the outputs of a network.

    Integers with one axis less than the output are labels and become ``int32``. All other targets
    are converted to the dtype of the output. A last axis of length 1 may be missing in the targets,
    or may be added to labels.

    Parameters
    ----------
    outputs
        The outputs of the network.
    targets
        An array; a list or tuple with an array for each output; or a mapping from the names of the
        outputs to arrays.
    length
        The number of samples.
    padded
        For each output, whether its targets are rows of labels of any length, where negative labels
        are padding.

    Raises
    ------
    ValueError
        If a shape does not fit, or a label is not one of the output's.
    """
    arrays = []
    for k, (value, array) in enumerate(zip(outputs, by_name(outputs, targets), strict=True)):
        array = numeric(array, "targets")
        if array.ndim == 0 or len(array) != length:
            raise ValueError(f"there are {length} samples, but {len(array)} targets")
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
    """Return the weight of each sample: its own weight times the weight of its class.

    Raises
    ------
    ValueError
        If there is not one weight for each sample, or if the targets have no classes.
    """
    weights = None
    if sample_weight is not None:
        numbers = numeric(sample_weight, "sample_weight")
        weights = np.ascontiguousarray(numbers, dtype="float32")
        if weights.shape != (len(targets[0]),):
            raise ValueError(
                f"sample_weight must have one weight for each of the {len(targets[0])} samples, "
                f"not the shape {weights.shape}"
            )
    if class_weight is not None:
        if len(targets) != 1:
            raise ValueError("class_weight can only be used for models with one output")
        labels = labels_of(targets[0])
        if isinstance(class_weight, str) and class_weight == "balanced":
            class_weight = balanced(labels)
        if not isinstance(class_weight, Mapping) or not all(map(is_number, class_weight)):
            raise ValueError(
                "class_weight must be 'balanced', or a dict from labels, which are numbers, to "
                f"factors, not {class_weight!r}"
            )
        factors = np.ones(len(labels), "float32")
        for label, weight in class_weight.items():
            factors[labels == label] = weight
        weights = factors if weights is None else weights * factors
    return weights


def labels_of(target: Array) -> Array:
    """Return labels, from labels, one-hot rows, or a column of zeros and ones."""
    if target.ndim > 2:
        raise ValueError(
            f"class_weight: targets of shape {target.shape} have several labels for each sample; "
            "use sample_weight instead"
        )
    if target.ndim == 1:
        return target
    return target[:, 0] if target.shape[1] == 1 else target.argmax(axis=1)


def balanced(labels: Array) -> dict[Any, float]:
    """Return weights with which all classes in the labels have the same total weight.

    The mean of the weights of all samples is 1.

    Examples
    --------
    >>> balanced(np.array([0, 0, 0, 1]))
    {0: 0.6666666666666666, 1: 2.0}
    """
    classes, counts = np.unique(labels, return_counts=True)
    factors = len(labels) / (len(classes) * counts)
    return dict(zip(classes.tolist(), factors.tolist(), strict=True))


def split(samples: Samples, fraction: float) -> tuple[Samples, Samples]:
    """Return the first samples, and the last ones, which are the given fraction, as in Keras."""
    if not 0 < fraction < 1:
        raise ValueError(f"validation_split must be between 0 and 1, not {fraction}")
    first = int(len(samples) * (1 - fraction))
    if not 0 < first < len(samples):
        raise ValueError(
            f"validation_split: {fraction} of {len(samples)} samples leaves one part empty"
        )
    return samples[:first], samples[first:]


def batches(iterable: Any, steps: int | None) -> Iterator[tuple[Any, ...]]:
    """Yield the batches of an iterable, at most a number of them.

    A batch is a tuple (inputs, targets) or (inputs, targets, weights).

    Raises
    ------
    ValueError
        If an item of the iterable is something else.
    """
    for k, item in enumerate(iterable):
        if k == steps:
            return
        if not isinstance(item, tuple | list) or len(item) not in (2, 3):
            raise ValueError(
                "an iterable of batches must yield (inputs, targets) or (inputs, targets, "
                f"weights), not {type(item).__name__}"
            )
        yield tuple(item)
        if k + 1 == steps:
            return


def is_batches(x: Any, y: Any) -> bool:
    """Return whether data are an iterable of batches, not arrays.

    A list is an iterable of batches if its items are tuples and no targets are given.

    Raises
    ------
    TypeError
        If they are a function, such as one that makes a generator.
    """
    if isinstance(x, FunctionType):
        raise TypeError(
            f"the samples are the function '{x.__name__}', not what it yields or returns: call it, "
            f"{x.__name__}()"
        )
    if y is not None:
        return False
    if isinstance(x, list):
        return bool(x) and all(isinstance(item, tuple) and len(item) in (2, 3) for item in x)
    if isinstance(x, np.ndarray | tuple | Mapping) or hasattr(x, "__array__"):
        return False
    return isinstance(x, Iterable) and not hasattr(x, "toarray")


def by_name(values: Sequence[Value], arrays: Any) -> list[Any]:
    """Return the array for each of several values, which are given in order or by name."""
    if isinstance(arrays, Mapping):
        names = [v.layer.name if v.layer else v.train.name for v in values]
        if set(names) != set(arrays):
            raise ValueError(
                f"the mapping must have arrays for {sorted(map(str, names))}, not for "
                f"{sorted(arrays)}"
            )
        return [arrays[name] for name in names]
    if len(values) == 1:
        alone = isinstance(arrays, list | tuple) and len(arrays) == 1 and np.ndim(arrays[0]) > 1
        return [arrays[0]] if alone and isinstance(arrays[0], np.ndarray) else [arrays]
    if not isinstance(arrays, list | tuple) or len(arrays) != len(values):
        names = [str(v.layer.name if v.layer else v.train.name) for v in values]
        got = f"{len(arrays)} items" if isinstance(arrays, list | tuple) else type(arrays).__name__
        raise ValueError(f"takes a list of {len(values)} arrays, for {', '.join(names)}, not {got}")
    return list(arrays)


def as_array(argument: Any, dtype: str, what: str) -> Array:
    """Return a contiguous array of a dtype. An array that has these properties is not copied.

    Raises
    ------
    ValueError
        If the argument is not an array of numbers, or if an integer dtype cannot represent one of
        the numbers.
    """
    array = numeric(argument, what)
    if np.dtype(dtype).kind in "iu" and array.dtype != dtype:
        whole = np.rint(array) if array.dtype.kind == "f" else array
        limits = np.iinfo(dtype)
        if not ((whole == array) & (array >= limits.min) & (array <= limits.max)).all():
            raise ValueError(
                f"{what} must be integers of {dtype}, but some of the {array.dtype} numbers are not"
            )
    return np.ascontiguousarray(array, dtype=dtype)


def numeric(argument: Any, what: str) -> Array:
    """Return the argument as an array of numbers.

    Raises
    ------
    ValueError
        If it is not an array of numbers. The message says what to do.
    """
    if hasattr(argument, "toarray"):
        raise ValueError(
            f"{what}: sparse matrices are not supported; call the method toarray() first"
        )
    try:
        array = np.asarray(argument)
    except ValueError as error:
        raise ValueError(f"{what}: the items cannot be combined to an array: {error}") from None
    if array.dtype.kind not in "fiub":
        hint = ""
        if array.dtype.kind in "USO" and array.size and isinstance(array.flat[0], str):
            hint = "; np.unique(words, return_inverse=True)[1] converts words to numbers"
        got = type(argument).__name__ if array.ndim == 0 else f"one of {array.dtype}"
        raise ValueError(f"{what} must be an array of numbers, not {got}{hint}")
    if isinstance(argument, np.ma.MaskedArray) and np.ma.is_masked(argument):
        raise ValueError(
            f"{what}: masked arrays are not supported; fill the array, or leave masked samples out"
        )
    return array


def whole(what: str, argument: Any, least: int) -> int:
    """Return an argument that is an integer.

    Raises
    ------
    ValueError
        If it is none, or less than ``least``.
    """
    try:
        number = operator.index(argument)
    except TypeError:
        number = least - 1
    if number < least:
        raise ValueError(f"{what} must be an integer of at least {least}, not {argument!r}")
    return number


def is_number(argument: Any) -> bool:
    """Return whether the argument is a number."""
    return isinstance(argument, int | float | np.number | np.bool_)


def same_length(arrays: Sequence[Array]) -> None:
    """Raise an error if arrays have different numbers of samples."""
    if len({len(array) for array in arrays}) > 1:
        shapes = ", ".join(str(array.shape) for array in arrays)
        raise ValueError(f"arrays of shapes {shapes} have different numbers of samples")


def check_labels(labels: Array, classes: int | None, output: Value) -> None:
    """Raise an error if a label is not from 0 to the number of classes of an output minus 1."""
    if labels.size and classes is not None:
        low, high = int(labels.min()), int(labels.max())
        if low < 0 or high >= classes:
            wrong = low if low < 0 else high
            where = tuple(int(k[0]) for k in np.nonzero(labels == wrong))
            raise ValueError(
                f"label {wrong} at {where} is out of range: {output} has {classes} elements, so "
                f"labels must be from 0 to {classes - 1}"
            )


def rows_of_labels(array: Array, classes: int | None, output: Value) -> Array:
    """Return rows of labels as an array of int32. Negative labels are padding.

    Raises
    ------
    ValueError
        If the array does not have rows of labels.
    """
    if array.ndim != 2 or array.dtype.kind not in "iu":
        raise ValueError(
            f"targets of shape {array.shape} and dtype {array.dtype} are not rows of labels for "
            f"{output}: they must be integers of shape (n, labels), where negative numbers are "
            "padding"
        )
    check_labels(np.maximum(array, 0), classes, output)
    return np.ascontiguousarray(array, dtype="int32")


def misfit(k: int, value: Value, array: Array) -> str:
    """Return the message for targets that do not fit an output."""
    whole = f", or integer labels of shape {shown(value.shape[:-1])}" if value.shape else ""
    if array.ndim == len(value.shape) and (array == np.rint(array)).all():
        whole += "; y.astype(int) converts labels to integers"
    return (
        f"targets of shape {array.shape} and dtype {array.dtype} do not fit output {k}, {value}: "
        f"they must have shape {shown(value.shape)}{whole}"
    )

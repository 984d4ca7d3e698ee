"""Data: what fits a network, labels, weights, batches."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from symtheano import nn
from symtheano.nn.training import data

X, Y = nn.Input((3,), name="x"), nn.Input((2,), "int32", "y")
SCORES, NUMBER = nn.Dense(4, "softmax")(X), nn.Dense(1)(X)


def test_inputs_get_the_dtype_of_the_network_and_are_not_copied_if_they_have_it() -> None:
    given = np.ones((5, 3), "float32")
    assert data.gather_inputs([X], given)[0] is given
    whole, labels = data.gather_inputs([X, Y], [np.ones((5, 3), int), np.ones((5, 2))])
    assert (whole.dtype, labels.dtype) == ("float32", "int32")
    by_name = data.gather_inputs([X, Y], {"y": np.zeros((1, 2)), "x": given[:1]})
    assert [a.shape for a in by_name] == [(1, 3), (1, 2)]
    for awkward in (np.asfortranarray(given), given[::-1], given[:, ::-1], given.astype(">f4")):
        found = data.gather_inputs([X], awkward)[0]
        assert found.flags.c_contiguous
        assert found.dtype == "float32"
        assert np.array_equal(found, awkward)


@pytest.mark.parametrize(
    ("values", "given", "message"),
    [
        ([X], np.ones((5, 4)), r"x takes arrays of shape \(n, 3\).*\(5, 4\)"),
        ([X], np.ones(3), r"x takes arrays of shape \(n, 3\).*\(3,\)"),
        ([X], np.array(["a"]), "must be an array of numbers"),
        ([X, Y], np.ones((5, 3)), "takes a list of 2 arrays"),
        ([X, Y], [np.ones((5, 3)), np.ones((4, 2))], "have different numbers of samples"),
        ([X, Y], {"x": 0}, r"must have arrays for \['x', 'y'\], not for \['x'\]"),
    ],
)
def test_inputs_that_do_not_fit(values: Any, given: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        data.gather_inputs(values, given)


@pytest.mark.parametrize(
    ("output", "given", "dtype", "shape"),
    [
        (SCORES, [0, 3, 1], "int32", (3,)),
        (SCORES, [[0], [3], [1]], "int32", (3,)),
        (SCORES, np.eye(4, dtype=int)[:3], "float32", (3, 4)),
        (SCORES, np.zeros((3, 4), bool), "float32", (3, 4)),
        (NUMBER, [0.5, 1.5, 2.5], "float32", (3, 1)),
        (NUMBER, [0, 1, 1], "float32", (3, 1)),
        (NUMBER, [[0], [1], [1]], "float32", (3, 1)),
    ],
)
def test_targets_are_labels_or_have_the_shape_of_the_output(
    output: Any, given: Any, dtype: str, shape: tuple[int, ...]
) -> None:
    (found,) = data.gather_targets([output], given, 3)
    assert (found.dtype, found.shape) == (dtype, shape)
    assert np.array_equal(found.ravel(), np.ravel(given))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0, 4, 1], r"label 4 at \(1,\) is out of range.* from 0 to 3"),
        ([0, -1, 1], r"label -1 at \(1,\)"),
        ([0, 1], "there are 3 samples, but 2 targets"),
        (np.ones((3, 5)), r"targets of shape \(3, 5\) and dtype float64 do not fit output 0"),
        ([0.5, 1.0, 2.0], r"must have shape \(n, 4\), or integer labels of shape \(n\)"),
    ],
)
def test_targets_that_do_not_fit(given: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        data.gather_targets([SCORES], given, 3)


def test_weights_of_classes_multiply_those_of_samples() -> None:
    labels = np.array([0, 1, 2, 1])
    both = data.gather_weights([1, 2, 3, 4], {1: 0.5}, (labels,))
    assert both is not None
    assert both.tolist() == [1, 1, 3, 2]
    for target in (np.eye(3)[labels], labels):
        found = data.gather_weights(None, {1: 0.5}, (target,))
        assert found is not None
        assert found.tolist() == [1, 0.5, 1, 0.5]
    column = data.gather_weights(None, {1: 3.0}, (np.array([[0], [1]]),))
    assert column is not None
    assert column.tolist() == [1, 3]
    assert data.gather_weights(None, None, (labels,)) is None
    with pytest.raises(ValueError, match="one weight for each of the 4 samples"):
        data.gather_weights([1, 2], None, (labels,))


def test_the_last_samples_are_split_off() -> None:
    samples = data.Samples((np.arange(10),), (np.arange(10),))
    first, last = data.split(samples, 0.25)
    assert (first.inputs[0].tolist(), last.targets[0].tolist()) == (list(range(7)), [7, 8, 9])
    for fraction in (0.0, 1.0, 0.99, -0.5):
        with pytest.raises(ValueError, match="validation_split"):
            data.split(samples, fraction)


def test_batches_are_pairs_or_triples_up_to_a_number() -> None:
    items = [(k, k) for k in range(5)]
    assert list(data.batches(items, None)) == items
    source = iter(items)
    assert list(data.batches(source, 2)) == items[:2]
    assert next(source) == (2, 2)  # no batch more than wanted is taken
    with pytest.raises(ValueError, match=r"must yield \(inputs, targets\).*, not int"):
        list(data.batches([3], None))


def test_arrays_are_told_from_iterables_of_batches() -> None:
    arrays = (np.ones(2), [1, 2], (1, 2), {"x": 1})
    assert not any(data.is_batches(given, None) for given in arrays)
    for given in (iter([]), range(3), [([1], [2])]):
        assert data.is_batches(given, None)
        assert not data.is_batches(given, [1])


def test_the_function_of_a_generator_is_to_be_called() -> None:
    def batches() -> Any:
        yield np.zeros((2, 3)), np.zeros((2, 1))

    model = nn.Sequential().dense(1).loss("mse")
    for call in (
        lambda: model.fit(batches, steps_per_epoch=3),
        lambda: model.evaluate(batches, None),
        lambda: model.fit(np.zeros((2, 3)), np.zeros((2, 1)), validation_data=batches),
    ):
        with pytest.raises(TypeError, match=r"the function 'batches', .* call it, batches\(\)"):
            call()


def test_one_array_for_two_outputs_names_the_outputs() -> None:
    x = nn.Input((4,))
    values = nn.Model(x, [nn.dense(x, 1, name="first"), nn.dense(x, 2, name="second")]).outputs
    with pytest.raises(ValueError, match="2 arrays, for first, second, not ndarray"):
        data.by_name(values, np.zeros((8, 1)))
    with pytest.raises(ValueError, match="for first, second, not 3 items"):
        data.by_name(values, [np.zeros((8, 1))] * 3)


def test_samples_with_channels_in_another_place() -> None:
    images = np.zeros((2, 8, 9, 3))
    first = [nn.Input((3, 8, 9))]
    with pytest.raises(ValueError, match=r"last axis and .*the first") as caught:
        data.gather_inputs(first, images)
    (axes,) = re.findall(r"x\.transpose\(([\d, ]+)\)", str(caught.value))
    data.gather_inputs(first, images.transpose(*map(int, axes.split(","))))
    with pytest.raises(ValueError, match=r"first axis and .*the last: np.moveaxis\(x, 1, -1\)"):
        data.gather_inputs([nn.Input((8, 9, 3))], np.zeros((2, 3, 8, 9)))
    data.gather_inputs([nn.Input((8, 9, 3))], np.moveaxis(np.zeros((2, 3, 8, 9)), 1, -1))
    with pytest.raises(ValueError, match=r"given one of shape \(2, 8, 9\)$"):
        data.gather_inputs(first, np.zeros((2, 8, 9)))

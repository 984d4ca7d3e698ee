"""The loss of labels that are not aligned: a sum over all alignments."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.testing import assert_allclose

from symtheano.nn.losses.sequences import ctc


def by_alignments(scores: np.ndarray, labels: list[int]) -> float:
    """Sum the probabilities of all paths that are the labels after merging and removing blanks."""
    p = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    total = 0.0
    for path in itertools.product(range(p.shape[1]), repeat=len(p)):
        merged = [k for k, _ in itertools.groupby(path) if k != 0]
        if merged == labels:
            total += np.prod([row[k] for row, k in zip(p, path, strict=True)])
    return -np.log(total)


@pytest.mark.parametrize("labels", [[1], [1, 2], [1, 1], [2, 1, 2]])
def test_all_alignments(labels: list[int]) -> None:
    scores = np.random.default_rng(1).normal(size=(1, 5, 3))
    found = ctc(scores, np.array([labels]), reduction=None).eval()
    assert_allclose(found, [by_alignments(scores[0], labels)], rtol=1e-10)


def test_steps_behind_the_length_do_not_count() -> None:
    scores = np.random.default_rng(1).normal(size=(1, 5, 3))
    short = ctc(scores[:, :4], np.array([[1, 2]])).eval()
    assert_allclose(ctc(scores, np.array([[1, 2]]), np.array([4])).eval(), short)


def test_too_few_axes() -> None:
    with pytest.raises(ValueError, match=r"ctc: scores must have shape \(items, steps, classes\)"):
        ctc(np.zeros((2, 3)), np.array([[1]]))

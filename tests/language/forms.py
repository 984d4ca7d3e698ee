"""Forms that combine arrays whose lengths depend on data, and calls in which they disagree.

A form is a text as a line of a program is (``program.py``): two or three *sources*, each a vector
of data-dependent lengths, combined by an operation that requires equal ones. Sources take inputs
from one of three sets, so that two of them may share data or not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from hypothesis import strategies as st

import symtheano.tensor as T
from symtheano.tensor.as_op import as_op
from tests.language.plain import NUMERIC, SYMBOLIC
from tests.language.program import Array, quiet

SETS = "abc"


@as_op([T.dvector], [T.dvector])
def _positive(v: Array) -> Array:
    return v[v > 0]


@as_op([T.dvector], [T.dvector], infer_shape=lambda node, shapes: [shapes[0]])
def _doubled(v: Array) -> Array:
    return v * 2


WORDS_OF_GRAPHS = {**SYMBOLIC, "positive": _positive, "doubled": _doubled}
WORDS_OF_VALUES = {
    **NUMERIC, "positive": lambda v: v[v > 0], "doubled": lambda v: v * 2,
}  # fmt: skip

INPUTS: dict[str, Any] = {"x": T.dmatrix, "v": T.dvector, "w": T.dvector, "k": T.lvector,
                          "i": T.lvector, "j": T.lscalar}  # fmt: skip

# Of floats first: some operations want those. Every source of a set has one length where all
# elements are positive and distinct.
FLOATS = (
    "T.unique({x})", "{v}[{w} > 0]", "{v}[{v} > 0]", "T.repeat({v}, {k})", "{v}[:{j}]",
    "positive({v})", "doubled({v}[{v} > 0])", "T.sort(T.unique({v}))", "{x}[{x} > 0]",
    "T.exp(-{w}[T.nonzero({w} > 0)[0]])", "T.compress({v} > 0, {w})",
    "T.concatenate([{v}[{v} > 0][:1], T.unique({v})[1:]])", "T.cumsum({v}[{w} > 0])",
    "T.unique({x})[::-1]", "{x}.flatten()[:{j}]",
    "T.sum({x}[{v} > 0], axis=1)",
    "T.dot({x}[{v} > 0], T.ones({x}.shape[1]))", "T.diagonal(T.diag({v}[{v} > 0]))",
    "S.csm_data(S.csr_from_dense({x}))", "S.csm_data(S.csc_from_dense({x}))", "{v}", "{v}", "{w}",
    "{x}[:, 0]", "{x}.flatten()",
)  # fmt: skip
WHOLE = (
    "T.nonzero({x})[0]", "T.flatnonzero({w} > 0)", "T.bincount({i})", "T.arange({j})",
    "T.argsort(T.unique({v}))", "T.unique({v}, return_counts=True)[1]", "T.nonzero({v})[0] * 2",
    "T.bincount({i}, minlength={j})", "T.arange({k}.sum())", "T.repeat({k}, {k})", "{k}",
)  # fmt: skip

# How two sources meet; a third may follow. What of them must be floats stands beside it.
JOINED = (
    ("{p} + {q}", ""), ("{q} * {p}", ""), ("{p} < {q}", ""), ("T.maximum({p}, {q})", ""),
    ("T.switch({p} > 0, {p}, {q})", ""), ("T.switch({q} > {p}, {r}, {p})", ""),
    ("T.dot({p}, {q})", "pq"), ("T.dot(T.outer({p}, {p}), {q})", "pq"),
    ("T.dot({q}, T.outer({p}, {q}))", "pq"), ("T.stack([{p}, {q}])", ""),
    ("T.stack([{p}, {q}, {r}], axis=1)", ""), ("T.concatenate([{p}, {q}]) + {r}", ""),
    ("{r} * T.concatenate([{q}, {p}])", ""), ("put({p}, np.s_[:], {q})", "pq"),
    ("put_more({p}, np.s_[:], {q})", "pq"), ("put({p}, np.s_[1:], {q}[1:])", "pq"),
    ("put_more({p}, np.s_[T.argsort({q})], 1.0)", "p"), ("{p}[{q} > 0]", ""),
    ("put({p}, np.s_[{q} > 0], 0.5)", "p"), ("{p}[T.argsort({q})]", ""),
    ("put_more({p}, np.s_[T.argsort({p})], {q})", "pq"), ("({p} + {q}).sum()", ""),
    ("T.exp(-{p}) + {p} * {q}", "p"), ("{q} + {p} * {q}", ""), ("({p} - {q}) * {r} + {q}", ""),
    ("T.exp({q} * -0.125) * T.maximum({p} * {r}, {q})", "q"),
    ("T.cumsum({p}) - T.sort({q})", ""), ("T.sort({p} + {q})", ""), ("T.cumsum({p} * {q})", ""),
    ("{p} * T.outer({q}, {r})", ""), ("T.outer({q}, {p}) + {r}[:, None]", ""),
    ("T.dot(T.outer({p}, {q}), T.outer({r}, {p}))", "pqr"),
    ("T.slinalg.solve(T.diag(1 + T.sqr({p})), {q})", "pq"),
    ("T.nnet.softmax({p} * {q}, axis=0)", "pq"), ("{p}.reshape(({q}.shape[0],)) * {q}", ""),
    ("{p}.reshape(({q}.shape[0], 1)) * {r}", ""), ("({p} * {q})[{r} > 0]", ""),
    ("T.unique({p} * {q}) + {r}", ""), ("{r} < T.unique({q} + {p})", ""),
    ("T.nonzero({p} > {q})[0] + {r}", ""), ("T.bincount(T.argsort({p}), weights={q})", "q"),
    ("T.bincount(T.argsort({p}), weights={q}) * {r}", "q"),
    ("T.repeat({p}, T.argsort({q}) % 3)", ""),
    ("T.searchsorted(T.sort({p}), {q}) + {r}", ""), ("T.mean({p} * {q}) + {r}", ""),
    ("T.max({p} - {q} * {r}, axis=0)", ""), ("{p}[None] + T.stack([{q}, {r}])", ""),
    ("T.logaddexp({p}, {q})[:3]", "pq"), ("({p} + {q})[::-1] * {r}", ""),
    ("T.batched_dot(T.stack([{p}, {r}])[:, None], T.stack([{q}, {p}])[:, :, None])", "pqr"),
    ("T.tensordot({p}, {q}, axes=1) * {r}", "pq"), ("doubled({p} + {q}) - {r}", "pqr"),
    ("positive({p} * {q}) * {r}", "pqr"), ("T.diag({p}) + T.outer({q}, {r})", ""),
    ("T.put_along_axis({p}, T.argsort({q}), 2.0, 0)", "p"),
    ("T.take_along_axis({p}, T.argsort({q}), 0) + {r}", ""),
    # What rewriting drops, or needs only a part of, or only the lengths of.
    ("{p} + T.zeros_like({q})", ""), ("T.zeros({q}.shape[0]) * {p}", ""),
    ("T.maximum({p} * {r}, T.zeros({q}.shape[0]))", ""), ("T.switch({p} > {q}, {r}, {r})", ""),
    ("T.switch({p} > {q}, 1.0, 1.0) + {r}", ""), ("({p} - {p}) * {q}", ""),
    ("({p} * {q})[:3]", ""), ("({p} - {q})[::2] + {r}[::2]", ""), ("({p} * {q}) ** 0 + {r}", ""),
    ("({p} > {q}) & False", ""), ("T.zeros_like({p} * {q}).sum() + {r}", ""),
    ("({p} + {q}).shape[0] + {r}", ""), ("T.stack([{p}, {q}])[0]", ""),
    ("T.stack([{p}, {q}]).shape[1] * {r}", ""), ("T.dot({p}, T.ones_like({q})) + {r}", "pq"),
    ("{p}.reshape(({q}.shape[0],)).shape[0] + {r}", ""),
)  # fmt: skip


def sources(floats: bool) -> st.SearchStrategy[str]:
    """Return texts of sources, each over the inputs of one set."""
    texts = FLOATS if floats else (*FLOATS, *WHOLE)
    return st.builds(
        lambda text, chosen: text.format_map({name: name + chosen for name in INPUTS}),
        st.sampled_from(texts), st.sampled_from(SETS[:2] + SETS),
    )  # fmt: skip


@st.composite
def forms(draw: Any) -> str:
    """Return a form; two of its sources may be the same."""
    text, floats = draw(st.sampled_from(JOINED))
    made = {letter: draw(sources(letter in floats)) for letter in "pqr"}
    return str(text.format(**{letter: f"({source})" for letter, source in made.items()}))


def inputs_of(text: str) -> dict[str, Any]:
    """Return the inputs that a form mentions, by name."""
    return {name + chosen: INPUTS[name](name + chosen) for chosen in SETS for name in INPUTS
            if name + chosen in text.replace("x(", "")}  # fmt: skip


def values_of(lengths: Mapping[str, tuple[int, int]], seed: int = 0) -> dict[str, Array]:
    """Return values of all inputs.

    Parameters
    ----------
    lengths
        For each set how many elements its arrays have, and how many of them are positive. Where
        these are the same, they are distinct, and every source has that length.
    seed
        Chooses the numbers.
    """
    random = np.random.default_rng(seed)
    made: dict[str, Array] = {}
    for chosen, (size, positive) in lengths.items():
        kept = random.permutation(size) < positive
        numbers = random.permutation(size) / 8 + 0.25
        found = {
            "x": np.where(kept, numbers, 0).reshape(size, 1),
            "v": np.where(kept, numbers, -1.0),
            "w": np.where(kept, numbers[::-1], -numbers),
            "k": kept.astype("int64"),
            "i": np.where(kept, random.permutation(size), 0),
            "j": np.asarray(positive),
        }
        made.update({name + chosen: value for name, value in found.items()})
    return made


def calls(long: int) -> Iterator[dict[str, Array]]:
    """Yield values for call after call: lengths agree and disagree by turns.

    A call of a few elements stands beside one of ``long``, so that memory of the one serves the
    other.
    """
    few = [(3, 3)] * 3
    for number, lengths in enumerate((
        few, [(3, 3), (long, long), (3, 3)], [(long, long), (3, 3), (3, 3)], [(long, long)] * 3,
        [(long, 5), (5, 5), (5, 5)], [(5, 5), (long, 5), (long, 5)], [(5, 5), (5, 5), (9, 9)],
        [(long, long - 1)] * 3, few, [(0, 0)] * 3, [(4, 0), (4, 4), (4, 4)], [(1, 1)] * 3,
        [(1, 1), (4, 4), (4, 4)], [(long, long), (long, long), (3, 3)],
    )):  # fmt: skip
        yield values_of(dict(zip(SETS, lengths, strict=True)), number)


def by_numpy(text: str, values: Mapping[str, Array]) -> Array:
    """Return what NumPy finds."""
    with quiet():
        return np.asarray(eval(text, {**WORDS_OF_VALUES, **values}))

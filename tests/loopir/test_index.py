"""Index: arithmetic, normal form, replacement, text."""

from __future__ import annotations

from hypothesis import given, strategies as st

from symtheano.loopir.index import Index, product

ROW, COLUMN, N = map(Index.symbol, "ijn")

integers = st.integers(-50, 50)
leaves = st.one_of(integers.map(Index.of), st.sampled_from("ijnm").map(Index.symbol))
indices = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.tuples(inner, inner).map(lambda pair: pair[0] + pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] - pair[1]),
        st.tuples(inner, inner).map(lambda pair: pair[0] * pair[1]),
    ),
    max_leaves=8,
)
values = st.fixed_dictionaries(dict.fromkeys("ijnm", integers))


def evaluate(index: Index, names: dict[str, int]) -> int:
    return int(eval(str(index), {}, dict(names)))


@given(indices, indices, values)
def test_arithmetic_agrees_with_integers(a: Index, b: Index, names: dict[str, int]) -> None:
    assert evaluate(a + b, names) == evaluate(a, names) + evaluate(b, names)
    assert evaluate(a - b, names) == evaluate(a, names) - evaluate(b, names)
    assert evaluate(a * b, names) == evaluate(a, names) * evaluate(b, names)
    assert evaluate(-a, names) == -evaluate(a, names)


@given(indices, indices, indices)
def test_equal_polynomials_are_equal_objects(a: Index, b: Index, c: Index) -> None:
    assert a * (b + c) == c * a + b * a
    assert hash(a * (b + c)) == hash(c * a + b * a)
    assert a - a == 0


@given(indices, indices, values)
def test_replace_is_evaluation(a: Index, b: Index, names: dict[str, int]) -> None:
    assert evaluate(a.replace({"i": b}), names) == evaluate(a, {**names, "i": evaluate(b, names)})
    assert a.replace(names).constant == evaluate(a, names)


def test_constants() -> None:
    assert Index.of(0).constant == 0
    assert Index.of(-7).constant == -7
    assert (N - N + 3).constant == 3
    assert (N + 3).constant is None
    assert Index.of(N) is N
    assert Index.of(5) == 5
    assert N != 5


def test_numbers_on_either_side() -> None:
    assert 3 + N == N + 3
    assert 3 * N == N * 3
    assert 3 - N == -(N - 3)


def test_coefficient() -> None:
    address = ROW * N * 4 + COLUMN + 7
    assert address.coefficient("i") == N * 4
    assert address.coefficient("j") == 1
    assert address.coefficient("k") == 0


def test_names() -> None:
    assert sorted(set((ROW * N + COLUMN * N + 1).names())) == ["i", "j", "n"]


def test_text() -> None:
    assert str(ROW * N + COLUMN + 3) == "i*n + j + 3"
    assert str(-ROW + 1) == "-i + 1"
    assert str(N * 4 - 1) == "n*4 - 1"
    assert str(Index.of(0)) == "0"
    assert repr(ROW * 2) == "Index(i*2)"


def test_product() -> None:
    assert product(()) == 1
    assert product((N, Index.of(3), N)) == N * N * 3

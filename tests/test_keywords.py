"""Keywords that functions do not take."""

from __future__ import annotations

from typing import Any

import pytest

import symtheano
import symtheano.tensor as T
from symtheano import function
from symtheano.keywords import explained, keywords, unknown_keyword


def test_keywords_of_functions_and_classes() -> None:
    class Open:
        def __init__(self, a: int = 0, **others: Any) -> None: ...

    assert keywords(Open) == (("self", "a"), True)
    assert keywords(lambda x, /, y, *, z: None) == (("y", "z"), False)


def test_a_function_says_which_keyword_is_meant() -> None:
    @explained({"dim": "axis"})
    def total(x: Any, axis: int = 0) -> int:
        return axis

    assert total([], axis=2) == 2
    assert total.__name__ == "total"
    for keyword, hint in (("dim", "it is axis"), ("axs", "it is axis"), ("q", "there are x, axis")):
        with pytest.raises(TypeError) as caught:
            total([], **{keyword: 1})
        assert str(caught.value) == f"total has no argument '{keyword}'\n  hint: {hint}"


def test_a_function_says_what_it_takes_by_position() -> None:
    class Net:
        @explained()
        def fit(self, x: Any, *, epochs: int = 1, verbose: int = 1) -> int:
            return epochs

        @explained()
        def add(self, *layers: Any) -> int:
            return len(layers)

    assert Net().fit(1, epochs=2) == 2
    assert Net().add(1, 2, 3) == 3
    with pytest.raises(TypeError) as caught:
        Net().fit(1, 10)  # type: ignore[call-arg, misc]
    assert str(caught.value) == (
        "fit takes 1 argument by position (x), not 2\n"
        "  hint: pass the others by name: epochs, verbose"
    )


def test_the_hint_may_be_a_function() -> None:
    @explained(lambda keyword, known: f"not {keyword}, but {known[0]}")
    def total(x: Any) -> None: ...

    with pytest.raises(TypeError, match="hint: not y, but x"):
        total(y=1)  # type: ignore[call-arg]


def test_the_error_is_one_of_types() -> None:
    assert isinstance(unknown_keyword("f", "a", "b"), TypeError)


X = T.matrix("x")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: T.sum(X, axes=1), "sum has no argument 'axes'\n  hint: it is axis"),
        (lambda: T.mean(X, dim=1), "it is axis"),
        (lambda: T.max(X, 1, keep_dims=True), "it is keepdims"),
        (lambda: X.sum(axes=1), "sum has no argument 'axes'\n  hint: it is axis"),
        (lambda: X.argmax(dim=1), "it is axis"),
        (lambda: T.linalg.solve(X, X, assume_a="pos"), "solve .*'assume_a'\n  hint: it is A_struc"),
        (lambda: function([X], X, upates=[]), "'upates'\n  hint: it is updates"),
        (lambda: function([X], X, given=[]), "it is givens"),
        (lambda: T.stack([X, X], dim=1), "stack has no argument 'dim'\n  hint: it is axis"),
        (lambda: T.concatenate([X, X], dim=1), "it is axis"),
        (lambda: symtheano.scan(lambda x: x, sequence=X), "it is sequences"),
        (lambda: symtheano.scan(lambda x: x, xs=X), "it is sequences"),
    ],
)
def test_functions_of_the_package_say_which_keyword_is_meant(call: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        call()


def test_other_errors_name_the_function() -> None:
    with pytest.raises(ValueError, match=r"^sum: axis 3 is out of range"):
        T.sum(X, axis=3)
    with pytest.raises(TypeError, match=r"^function: "):
        function([X], "X")


def test_one_expression_is_no_list_for_clone_replace() -> None:
    v = T.vector("v")
    with pytest.raises(TypeError, match=r"takes a list of expressions(.|\n)*clone\(expression"):
        symtheano.clone_replace(v + 1, {v: v * 2})  # type: ignore[arg-type]

"""What notebooks show, and the names of their cells."""

from __future__ import annotations

import inspect
import sys
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano import In, function
from symtheano.graph import origin

_VOID = {"br", "hr", "img"}


class Checked(HTMLParser):
    """Fails at tags that do not match; keeps the text and the tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.text = ""
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.open.append(tag)
        self.tags.append(tag)
        assert not any(name in ("src", "href") for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_variables() -> None:
    x = T.dvector("<b>x</b>")
    page = Checked((x < 2)._repr_html_())
    assert "b" not in page.tags
    assert "test_html.py:" in page.text
    assert r"\mathbf" in page.text
    assert (x * 2)._repr_latex_().startswith("$")


def test_large_graphs_are_short() -> None:
    y = x = T.dscalar("x")
    for _ in range(40):
        y = y * y + x
    assert len(y._repr_html_()) < 5000


@pytest.mark.needs_cc
def test_functions() -> None:
    x = T.dvector("x")
    made = function([x], T.log(1 + T.exp(x)) < 3, name="a<b")
    page = Checked(made._repr_html_())
    assert page.tags.count("details") == 4
    assert not {"script", "style", "link", "img"} & set(page.tags)
    for shown in ("a<b", "softplus", "ST_EXPORT", "x: TensorType(float64, vector)"):
        assert shown in page.text
    assert "interpreter" in function([x], x, mode="INTERPRET")._repr_html_()


def test_cells_have_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    filename = "/tmp/ipykernel_77/12345.py"
    shell = SimpleNamespace(compile=SimpleNamespace(_filename_map={filename: 3}))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))
    names: dict[str, Any] = {"T": T}
    exec(compile("\nx = T.dvector('x')\ny = T.exp(x)", filename, "exec"), names)
    found = names["y"].origin
    assert found.place == "In [3], line 3"
    assert found.describe() == "In [3], line 3"
    assert found.filename == filename
    monkeypatch.setattr(origin, "_cells", {})
    assert found.place == "12345.py:3"


def test_lines_of_libraries_are_not_the_users(tmp_path: Any) -> None:
    folder = tmp_path / "site-packages" / "numpy"
    folder.mkdir(parents=True)
    names: dict[str, Any] = {}
    text = "def apply(f, x):\n    return f(x)\n"
    exec(compile(text, str(folder / "through.py"), "exec"), names)
    y = names["apply"](lambda x: x.sum(), T.dvector("x"))
    assert y.origin.place.startswith("test_html.py:")
    y = names["apply"](T.exp, T.dvector("x"))
    assert y.origin.place.startswith("test_html.py:")


def test_signatures() -> None:
    x, n, u = T.dvector("x"), T.dscalar("n"), T.dscalar()
    f = function([x, In(n, value=2.0)], x**n, mode="INTERPRET")
    shown = inspect.signature(f)
    assert list(shown.parameters) == ["x", "n"]
    assert shown.parameters["n"].default == 2
    assert shown.parameters["x"].annotation is x.type
    bound = shown.bind(np.ones(2), n=3)
    np.testing.assert_array_equal(f(*bound.args, **bound.kwargs), 1)
    unnamed = inspect.signature(function([x, u, n], x * u * n, mode="INTERPRET"))
    kinds = [item.kind for item in unnamed.parameters.values()]
    assert kinds[:2] == [inspect.Parameter.POSITIONAL_ONLY] * 2
    assert kinds[2] is inspect.Parameter.POSITIONAL_OR_KEYWORD
    late = inspect.signature(function([In(n, value=1.0), x], x * n, mode="INTERPRET"))
    assert late.parameters["x"].kind is inspect.Parameter.KEYWORD_ONLY
    hidden = function([x, In(n, value=1.0, implicit=True)], x * n, mode="INTERPRET")
    assert list(inspect.signature(hidden).parameters) == ["x"]
    assert "stages" in inspect.signature(symtheano.Function).parameters

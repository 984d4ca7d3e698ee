"""Names that a terminal, an editor, a browser, LaTeX or C would obey: from users and from JSON."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import symtheano
import symtheano.tensor as T
from symtheano import FunctionGraph, In, function, grad, scan, shared
from symtheano.cli.__main__ import main
from symtheano.errors import printable, printable_name
from symtheano.graph.shared import SharedVariable
from symtheano.graph.walk import free_inputs
from symtheano.ifelse import ifelse
from symtheano.printing import Print, debugprint, explain, pp, pydotprint
from symtheano.printing.html import function_html, variable_html, variable_latex
from symtheano.printing.latex import latex
from symtheano.printing.schedule import schedule_text

HOSTILE = (
    "\x1b[2J\x1b]0;title\x07",  # clears the screen, sets the title
    "\x9b31m",  # the same with one sign
    "a\u202eb\u2066c\u2069",  # reverses what follows
    "a\u200b\u00ad\ufeff\U000e0041",  # hidden
    "a\nforged line",
    "a\rb\x85c\u2028d\u2029e\x0bf\x0cg",
    "\ud800",
    "\x00\x08\x7f",
    "*/ int x; /* ??/\n#define y \\",
    '"]; node [label="<script>',
)
UNPRINTABLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def assert_shown(text: str) -> None:
    """Assert that nothing in a text is obeyed or hidden, and that no name begins a line."""
    found = {c for c in text if unicodedata.category(c) in UNPRINTABLE} - {"\n"}
    assert not found, ascii(text)
    assert not re.search(r"^\W*forged line|^#define y", text, re.MULTILINE), text


def expressions(name: str) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield inputs and outputs of graphs in which everything has a name."""
    x, y = T.dvector(name), T.dmatrix(name + "2")
    w = shared(np.ones(3), name + "w")
    z = x * 2 + w
    z.name = name + "z"
    product = T.dot(y, z)
    product.name = name
    yield [x, y], [product, T.exp(z).sum()]
    steps, _ = scan(lambda s: s * w, outputs_info=x, n_steps=3, name=name)
    steps.name = name + "s"
    yield [x], [steps[-1]]
    yield [x], [ifelse(x[0] > 0, x, w, name=name)]
    made = symtheano.OpFromGraph([x], [z], name=name)
    yield [x], [made(x)]


PRINTERS: dict[str, Callable[[Any], str | None]] = {
    "debugprint": lambda f: debugprint(f, print_type=True, file="str"),
    "debugprint outputs": lambda f: debugprint(f.user_graph.outputs, file="str"),
    "pp": lambda f: pp(f.user_graph.outputs) + pp(f.user_graph.outputs, depth=1),
    "latex": lambda f: latex(f.user_graph.outputs) + latex(f.user_graph.outputs, depth=1),
    "explain": lambda f: explain(f, file="str"),
    "loops": lambda f: explain(f, loops=True, file="str"),
    "schedule": schedule_text,
    "function_html": function_html,
    "html": lambda f: "".join(
        variable_html(v) + variable_latex(v) for v in [*f.inputs, *f.user_graph.outputs]
    ),
    "repr": lambda f: "\n".join(
        [repr(f), repr(f.user_graph), *map(repr, f.inputs), *map(repr, f.user_graph.nodes)]
    ),
    "describe": lambda f: " ".join(v.describe() for v in [*f.inputs, *f.user_graph.outputs]),
    "memory": lambda f: str(f.memory),
    "profile": lambda f: f.profile.summary(),
    "signature": lambda f: str(f.__signature__),
}


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_all_that_is_printed_of_functions(name: str, tmp_path: Path) -> None:
    for inputs, outputs in expressions(name):
        state = [v for v in free_inputs(outputs) if isinstance(v, SharedVariable)]
        text = FunctionGraph([*inputs, *state], outputs).to_json(values=True)
        again = FunctionGraph.from_json(text)
        assert again.inputs[0].name == name, "names themselves are kept"
        given = again.inputs[: len(inputs)]
        f = function(given, again.outputs, name=name, profile=True)
        for what, printer in PRINTERS.items():
            text = printer(f)
            assert text, what
            assert_shown(text)
        drawing = tmp_path / "graph.dot"
        pydotprint(f.user_graph.outputs, drawing, format="dot", print_output_file=False)
        assert_shown(drawing.read_text())
        source = f"{f.c_source}{f.c_messages}"
        assert_shown(source)
        assert source.isascii()


def trouble(call: Callable[[], object]) -> str:
    """Return the message of the error that a call raises."""
    try:
        call()
    except Exception as error:
        return str(error)
    raise AssertionError("no error was raised")


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
@pytest.mark.parametrize("mode", [pytest.param(None, marks=pytest.mark.needs_cc), "INTERPRET"])
def test_messages_of_errors(name: str, mode: str | None) -> None:
    x, y = T.dvector(name), T.dmatrix(name)
    w = shared(np.ones(3), name)
    f = function([x, In(y, name=name + "y")], T.dot(y, x) + w, name=name, mode=mode)
    calls: list[Callable[[], object]] = [
        lambda: f([1.0], np.ones((3, 2))),
        lambda: f(["a"], np.ones((3, 2))),
        lambda: f([1.0]),
        lambda: f([1.0], np.ones((3, 2)), 5),
        lambda: f([1.0], **{name: 3}),
        lambda: f[name + "q"],
        lambda: w.set_value("a"),
        lambda: function([x, x], x),
        lambda: function([x], y + x),
        lambda: function([x, y], x),
        lambda: function([x], x, givens=[(x, y)]),
        lambda: function([x], x, updates=[(w, y)]),
        lambda: grad(x, y),
        lambda: grad(x.sum(), y),
        lambda: T.dot(y, T.dtensor3(name), x),
        lambda: x[5, 5],
        lambda: T.join(3, x, x),
        lambda: scan(lambda s: y, outputs_info=x, n_steps=3, name=name),
        lambda: FunctionGraph([x], [x]).to_json() and FunctionGraph.from_json(name),
    ]
    for call in calls:
        assert_shown(trouble(call))


@pytest.mark.parametrize("name", [name for name in HOSTILE if "\n" not in name], ids=ascii)
def test_what_print_shows(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    x = T.dscalar("x")
    function([x], Print(name)(x), mode="INTERPRET")(1.0)
    assert_shown(capsys.readouterr().out)


@pytest.mark.needs_cc
@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_the_program(name: str, tmp_path: Path) -> None:
    model = tmp_path / "model.py"
    model.write_text(
        "import symtheano.tensor as T\n"
        f"x = T.dvector({name!r})\n"
        "y = T.exp(x).sum()\n"
        f"y.name = {name!r}\n"
    )
    place = f"{model}:y"
    for command in (
        ["graph", place, "--types"], ["graph", place, "--schedule"], ["graph", place, "--json"],
        ["explain", place], ["explain", place, "--loops"], ["explain", place, "--json"],
        ["c", place], ["c", place, "--messages"], ["c", place, "--json"],
        ["bench", place, "--seconds", "0.01"], ["graph", f"{model}:{'no' + name}"],
        ["graph", place, "--wrt", f"no{name}"],
    ):  # fmt: skip
        result = CliRunner().invoke(main, command)
        assert result.output
        assert_shown(result.output)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x_}", r"\mathbf{x}_{\}}"),
        ("x_\\", r"\mathbf{x}_{\backslash }"),
        ("x_$", r"\mathbf{x}_{\$}"),
        ("x_%", r"\mathbf{x}_{\%}"),
        ("x__", r"\mathbf{x}_{\_}"),
        ("x_^", r"\mathbf{x}_{\wedge }"),
        ("x_\x1b", r"\mathbf{x}_{\mathrm{\backslash x1b}}"),
        ("x_i", r"\mathbf{x}_{i}"),
        ("x_12", r"\mathbf{x}_{12}"),
        ("}", r"\mathbf{\}}"),
    ],
)
def test_latex_escapes_every_sign(name: str, text: str) -> None:
    assert latex(T.dvector(name)) == text


def test_latex_of_every_sign_is_balanced() -> None:
    for code in range(256):
        for name in (chr(code), f"x_{chr(code)}", f"x_{chr(code)}y", f"{chr(code)}_z"):
            for kind in (T.dscalar, T.dvector):
                text = latex(kind(name))
                bare = re.sub(r"\\[{}$%&#_]|\\[a-zA-Z]+", "", text)
                assert bare.count("{") == bare.count("}"), text
                assert not set("$%&#~\\") & set(bare), text
                assert "^" not in bare, text


def test_texts_in_latex() -> None:
    constant = symtheano.graph.type.generic.make_variable().type
    assert latex(constant.make_variable()) == r"\text{Generic}"


def test_printable_keeps_what_is_shown() -> None:
    text = "".join(map(chr, range(0x20, 0x7F))) + "é日本語🙂\n\tnext"
    assert printable(text) == text
    assert printable_name("a b é") == "a b é"
    for code in (*range(0x3000), *range(0xD7F0, 0xE010), *range(0xFE00, 0xFFFF), 0xE0001):
        character = chr(code)
        shown = printable_name(f"a{character}b")
        if unicodedata.category(character) in UNPRINTABLE:
            assert shown.isascii()
            assert shown.encode().decode("unicode_escape") == f"a{character}b"
        else:
            assert shown == f"a{character}b"

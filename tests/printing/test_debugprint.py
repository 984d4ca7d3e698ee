from __future__ import annotations

import io

import numpy as np
import pytest

import symtheano
import symtheano.tensor as T
from symtheano.graph.intern import FunctionGraph
from symtheano.graph.op import Op
from symtheano.graph.variable import Apply
from symtheano.printing import debugprint


def text(*args: object, **options: object) -> str:
    shown = debugprint(*args, file="str", **options)  # type: ignore[arg-type]
    assert shown is not None
    return shown


def test_format_is_theanos() -> None:
    x, y = T.vector("x"), T.vector("y")
    z = x * y
    z.name = "z"
    assert text((z + x) / z).splitlines() == [
        "Elemwise{true_div,no_inplace} [id A] ''   ",
        " |Elemwise{add,no_inplace} [id B] ''   ",
        " | |Elemwise{mul,no_inplace} [id C] 'z'   ",
        " | | |x [id D]",
        " | | |y [id E]",
        " | |x [id D]",
        " |Elemwise{mul,no_inplace} [id C] 'z'   ",
    ]


def test_types() -> None:
    x = T.fvector("x")
    assert text(T.exp(x), print_type=True).splitlines() == [
        "Elemwise{exp,no_inplace} [id A] <TensorType(float32, vector)> ''   ",
        " |x [id B] <TensorType(float32, vector)>",
    ]


@pytest.mark.parametrize(("ids", "label"), [("CHAR", " [id A]"), ("int", " [id 0]"), ("", "")])
def test_ids(ids: str, label: str) -> None:
    x = T.vector("x")
    assert text(x, ids=ids) == f"x{label}"


def test_ids_of_python() -> None:
    x = T.vector("x")
    assert text(x, ids="id") == f"x [id {id(x)}]"


def test_unknown_ids_are_refused() -> None:
    with pytest.raises(ValueError, match="ids='roman'"):
        debugprint(T.vector("x"), ids="roman")


def test_letters_go_on_after_z() -> None:
    labels = [line.split()[-1] for line in text([T.vector("x") for _ in range(28)]).splitlines()]
    assert labels[24:] == ["Y]", "Z]", "AA]", "AB]"]


def test_depth() -> None:
    x = T.vector("x")
    y = T.exp(T.log(x))
    assert [len(text(y, depth=k).splitlines()) for k in (1, 2, 3, -1)] == [1, 2, 3, 3]
    assert text(y, depth=0) == ""


def test_what_depth_hid_is_written_out_later() -> None:
    x = T.vector("x")
    e = T.exp(x)
    assert "x [id" in text([T.log(T.sin(e)), e], depth=3).split("exp")[-1]


def test_stop_on_name() -> None:
    x = T.vector("x")
    e = T.exp(x)
    e.name = "e"
    assert "x [id" not in text(T.log(e), stop_on_name=True)


def test_several_outputs_of_a_node() -> None:
    class Both(Op):
        def make_node(self, x: object) -> Apply:
            return Apply(self, [x], [x.type(), x.type()])  # type: ignore[list-item, attr-defined]

    x = T.vector("x")
    a, b = Both()(x)
    assert text([a, b]).splitlines() == [
        "Both.0 [id A] ''   ",
        " |x [id B]",
        "Both.1 [id A] ''   ",
    ]
    assert text(a.owner) == text([a, b])


def test_function_shows_order_and_updates() -> None:
    x = T.vector("x")
    total = symtheano.shared(np.zeros(2), name="total")
    f = symtheano.function([x], T.exp(x).sum(), updates=[(total, total + x)], mode="INTERPRET")
    shown = text(f).splitlines()
    assert shown[0].endswith(" ''   1")
    assert shown[1].endswith(" ''   0")
    assert any(line.endswith(" -> total") for line in shown)
    order = {node: k for k, node in enumerate(f.graph.nodes)}
    assert f"   {order[f.graph.outputs[1].owner]} -> total" in shown[3]


def test_function_graph() -> None:
    x = T.vector("x")
    graph = FunctionGraph([x], [T.exp(T.log(x))])
    assert text(graph).splitlines()[0] == "Elemwise{exp,no_inplace} [id A] ''   1"


def test_file_and_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    x = T.vector("x")
    file = io.StringIO()
    assert debugprint(x, file=file) is None
    assert debugprint(x) is None
    assert file.getvalue() == capsys.readouterr().out == "x [id A]\n"


def test_other_things_are_refused() -> None:
    with pytest.raises(TypeError, match="can't print 3 of type int"):
        debugprint(3)


def test_long_chain_has_lines_of_bounded_length() -> None:
    y = T.vector("x")
    for _ in range(20_000):
        y = T.sin(y)
    lines = text(y).splitlines()
    assert len(lines) == 20_001
    assert max(map(len, lines)) < 200
    assert lines[-1].startswith("20000…")
    assert lines[-1].endswith("x [id " + lines[-1].split("[id ")[1])

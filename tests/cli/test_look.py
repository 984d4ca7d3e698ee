"""c, graph and explain: their output and their errors."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import symtheano
from tests.cli.conftest import Run


@pytest.mark.needs_cc
def test_c_has_one_multiplication_by_eight(run: Run) -> None:
    status, out, err = run("c", "model.py:y")
    assert status == 0
    loop = out[out.index("for (") :]
    assert re.findall(r"= \w+ \* (\S+);", loop) == ["8.0"]
    assert "/* model.py:8: y = (x * 2) * 4 */" in out
    assert "printed by the file" not in out
    assert "printed by the file" in err


@pytest.mark.needs_cc
def test_floatx(run: Run) -> None:
    assert "* 8.0f;" in run("c", "--floatX", "float32", "model.py:y")[1]


@pytest.mark.needs_cc
def test_gradients(run: Run) -> None:
    out = run("c", "model.py:cost", "--wrt", "x,b")[1]
    assert out.count(" = ST_ALLOCATE(") == 3


@pytest.mark.needs_cc
def test_inputs_in_order(run: Run, tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(
        "import symtheano.tensor as T\na, b = T.dvector('a'), T.dvector('b')\nc = b - a\n"
    )
    assert "*a = inputs[0].data" in run("c", "two.py:c")[1]
    assert "*a = inputs[1].data" in run("c", "two.py:c", "--inputs", "b,a")[1]


def test_cuda(run: Run) -> None:
    status, out, _ = run("cuda", "model.py:y")
    assert status == 0
    kernel = out[out.index("ST_KERNEL(") : out.index("ST_EXPORT")]
    assert re.findall(r"= \w+ \* (\S+);", kernel)[-1] == "8.0"
    assert "ST_ASK(launch, 0," in out
    assert json.loads(run("cuda", "model.py:y", "--json")[1]) == {"cuda": out}


def test_passes_for_a_device(run: Run) -> None:
    status, out, _ = run("explain", "model.py:cost", "--loops", "--device", "cuda")
    assert status == 0
    assert re.search(r"^ *\* launch ", out, re.M)
    assert "vectorize" not in out
    passes = json.loads(run("explain", "model.py:cost", "--loops", "--device", "cuda", "--json")[1])
    names = [each["name"] for kernel in passes["kernels"] for each in kernel["passes"]]
    assert "synchronize" in names
    assert passes["on_the_host"] == []
    assert "on the host" not in out
    assert run("explain", "model.py:cost", "--loops", "--target", "cuda")[1] == out
    status, _, err = run("explain", "model.py:cost", "--device", "cuda")
    assert status == 2
    assert "--device belongs to --loops or --program" in err


def test_explain_names_the_rule_and_the_line(run: Run) -> None:
    status, out, _ = run("explain", "model.py:y")
    assert status == 0
    assert "  model.py:8  y = (x * 2) * 4" in out
    assert "         -> x * 8.0" in out
    assert "collect_factors (canonicalize), cost 2 -> 1" in out


def test_explain_loops(run: Run) -> None:
    status, out, _ = run("explain", "model.py:cost", "--loops", "--show", "reasons")
    assert status == 0
    assert re.search(r"^\* chunk +i: at most 64 chunks, .* of at least 32768 additions", out, re.M)
    passes = json.loads(run("explain", "model.py:cost", "--loops", "--json")[1])["kernels"][0][
        "passes"
    ]
    naive, chunk = passes[0], next(step for step in passes if step["name"] == "chunk")
    assert (naive["name"], naive["changed"], chunk["changed"]) == ("naive", True, True)
    assert ", reduce:" in naive["loops"]
    assert "partition of x_d0" in chunk["loops"]
    assert chunk["reasons"][0] in " ".join(out.split())
    status, _, err = run("explain", "model.py:cost", "--show", "changes")
    assert (status, "--show belongs to --loops" in err) == (2, True)


def test_explain_program(run: Run) -> None:
    status, out, _ = run("explain", "model.py:cost", "--program", "--show", "changes")
    assert status == 0
    assert out.startswith("naive:\n\n  program function\n    input 0: x float64[x_d0]")
    assert re.search(r"^poll_work: no change\n\nkernels:\n\n", out, re.M)
    assert re.search(r"^  kernel kernel_", out, re.M)
    assert re.search(r"^  \+\w+ = run kernel_\w+\(", out, re.M)
    for option in (["--loops"], ["--json"], ["--show", "reasons"]):
        status, _, err = run("explain", "model.py:cost", "--program", *option)
        assert (status, "--program has no reasons" in err) == (2, True)


@pytest.mark.parametrize("name", ["y", "several", "compiled"])
def test_graph_shows_both(run: Run, name: str) -> None:
    status, out, _ = run("graph", f"model.py:{name}")
    before, after = out.split("As it runs:")
    assert status == 0
    assert "TensorConstant{4}" in before
    assert "TensorConstant{(1,) of 8.0}" in after
    assert "TensorConstant{4}" not in after


def test_types(run: Run) -> None:
    assert "<TensorType(float64, vector)>" in run("graph", "--types", "model.py:y")[1]


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["c", "absent.py:y"], "there is no file absent.py"),
        (["c", "model.py:z"], "model.py has no variable z; there is x, y, b, cost, several, "),
        (["graph", "model.py:coste"], "model.py has no variable coste; did you mean cost?"),
        (["explain", "model.py"], "say which variable: model.py:NAME; there is x, y, "),
        (["c", "model.py:number"], "number is of type int: neither a symbolic variable, "),
        (["graph", "model.py:cost", "--wrt", "q"], "model.py has no symbolic variable q; there is"),
        (["graph", "model.py:several", "--wrt", "x"], "--wrt takes the gradient of one variable"),
        (["c", "model.py:compiled", "--wrt", "x"], "compiled is compiled already"),
        (["c", "model.py:compiled"], "there is no C: mode interpret does not use it"),
    ],
)
def test_errors_are_one_line(run: Run, args: list[str], line: str) -> None:
    status, out, err = run(*args)
    assert (status, out) == (2, "")
    last = err.splitlines()[-1]
    assert last.startswith(f"symtheano: {line}")
    assert set(err.splitlines()) <= {"printed by the file", last}


def test_error_of_the_file_shows_its_own_lines_only(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text(
        "import symtheano.tensor as T\n\ndef wrong(x):\n    return T.dot(x, 'text')\n\n"
        "y = wrong(T.vector('x'))\n"
    )
    status, out, err = run("c", "bad.py:y")
    assert (status, out) == (2, "")
    places = re.findall(r'File "([^"]+)", line (\d+)', err)
    assert [(Path(file).name, line) for file, line in places] == [("bad.py", "6"), ("bad.py", "4")]
    assert len(re.findall(r"^[\w.]*(?:Type|AsTensor)Error: ", err, re.MULTILINE)) == 1


def test_syntax_error(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("x = (1\n")
    status, _, err = run("c", "bad.py:x")
    assert status == 2
    assert "Traceback" not in err
    assert err.splitlines()[-1].startswith("SyntaxError: ")


def test_exit_of_the_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("import sys\nsys.exit(3)\n")
    assert run("c", "bad.py:x")[::2] == (2, "symtheano: bad.py ended itself by sys.exit(3)\n")


def test_without_a_compiler(run: Run) -> None:
    with symtheano.config.change_flags(cc="no-such-compiler"):
        status, out, err = run("c", "model.py:y")
        assert (status, out) == (2, "")
        assert "symtheano: no C compiler was found" in err
        assert run("explain", "model.py:y")[0] == 0
        assert run("graph", "model.py:y")[0] == 0


def test_path_and_arguments_are_put_back(run: Run) -> None:
    before = list(sys.path), list(sys.argv)
    run("graph", "model.py:y")
    assert (sys.path, sys.argv) == before


def test_error_of_ours_names_the_line_of_the_file(run: Run) -> None:
    status, out, err = run("graph", "model.py:y", "--wrt", "x")
    assert (status, out) == (2, "")
    assert re.search("^symtheano: grad: the cost .* must be a scalar\n  at model.py:8", err, re.M)
    assert "Traceback" not in err


def test_mode(run: Run) -> None:
    assert run("c", "--mode", "INTERPRET", "model.py:y")[2].splitlines()[-1] == (
        "symtheano: there is no C: mode interpret does not use it"
    )


@pytest.mark.needs_cc
def test_c_as_json(run: Run) -> None:
    status, out, _ = run("c", "--json", "model.py:cost")
    shown = json.loads(out)
    assert status == 0
    assert shown["name"] == "cost"
    assert shown["inputs"] == [{"name": "x", "type": "TensorType(float64, vector)"}]
    assert [v["name"] for v in shown["shared"]] == ["b"]
    assert "cost" in shown["c"]
    assert shown["c"] == run("c", "model.py:cost")[1]


def test_graph_as_json(run: Run, tmp_path: Path) -> None:
    shown = json.loads(run("graph", "--json", "model.py:y")[1])
    written, runs = shown["written"], shown["runs"]
    assert [node["op"] for node in written["nodes"]].count("Elemwise{mul,no_inplace}") == 2
    assert [node["op"] for node in runs["nodes"]] == ["Elemwise{mul,no_inplace}"]
    (product,) = runs["nodes"]
    by_id = {variable["id"]: variable for variable in runs["variables"]}
    kinds = {by_id[k]["kind"]: by_id[k] for k in product["inputs"]}
    assert kinds["input"]["name"] == "x"
    assert "8.0" in kinds["constant"]["value"]
    assert product["outputs"] == runs["outputs"]
    assert product["place"].endswith("model.py:8")


def test_explain_as_json(run: Run) -> None:
    shown = json.loads(run("explain", "--json", "model.py:y")[1])
    assert (shown["written"], shown["runs"]) == (["x * 2 * 4"], ["x * 8.0"])
    last = [step for step in shown["steps"] if step["rule"] == "collect_factors"][-1]
    assert last["phase"] == "canonicalize"
    assert last["after"] == "x * 8.0"
    assert last["place"].endswith("model.py:8")
    assert shown["counts"]["collect_factors"] == 1


def test_explain_of_a_function_as_json(run: Run) -> None:
    shown = json.loads(run("explain", "--json", "model.py:compiled")[1])
    assert shown["counts"]["collect_factors"] == 1


@pytest.mark.needs_cc
def test_entry_has_the_name_that_was_asked_for(run: Run, tmp_path: Path) -> None:
    (tmp_path / "names.py").write_text(
        "import symtheano\nimport symtheano.tensor as T\nx = T.dvector('x')\nfirst = x + 1\n"
        "again = x + 1\nmade = symtheano.function([x], first)\nint = x * 3\n"
        "named = symtheano.function([x], first, name='other')\n"
    )
    for name, entry in [("first", "first"), ("again", "again"), ("made", "made"),
                        ("named", "other")]:  # fmt: skip
        status, out, err = run("c", f"names.py:{name}")
        assert (status, err) == (0, "")
        assert f"ST_EXPORT int32_t {entry}(" in out
    _, out, err = run("c", "names.py:int")
    assert "ST_EXPORT int32_t v_int(" in out
    assert err == "symtheano: int is called v_int in C\n"
    assert json.loads(run("c", "--json", "names.py:int")[1])["entry"] == "v_int"


@pytest.mark.needs_cc
def test_arguments_of_the_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "scaled.py").write_text(
        "import sys\nimport symtheano.tensor as T\nx = T.dvector('x')\ny = x * float(sys.argv[2])\n"
    )
    assert "* 7.0;" in run("c", "scaled.py:y", "--", "--by", "7")[1]
    assert "* 8.0" in run("explain", "scaled.py:y", "--", "--by", "8")[1]
    status, _, err = run("c", "scaled.py:y")
    assert status == 2
    assert "IndexError" in err


@pytest.mark.needs_cc
def test_names_and_paths_that_no_stream_can_encode(
    folder: Path, program: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    path = folder / "caf\udce9.py"
    path.write_text("import symtheano.tensor as T\ny = T.dvector('n\\ud800') * 2\n")
    for command in (("graph",), ("graph", "--json"), ("c",), ("c", "--json"), ("explain",)):
        done = program(*command, f"{path.name}:y", PYTHONIOENCODING="utf-8:strict")
        assert (done.returncode, done.stderr) == (0, ""), done.stderr
        assert "\\ud800" in done.stdout


def test_schedule(run: Run) -> None:
    status, out, _ = run("graph", "model.py:cost", "--schedule")
    assert status == 0
    assert "nest over" in out
    assert "memory" in out


def test_why_nodes_share_loops(run: Run) -> None:
    status, out, _ = run("graph", "model.py:cost", "--schedule", "--why")
    assert status == 0
    assert "gets the group of " in out
    assert "bytes)" in out
    status, _, error = run("graph", "model.py:cost", "--why")
    assert status == 2
    assert "--schedule" in error

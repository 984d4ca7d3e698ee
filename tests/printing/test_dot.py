"""pydotprint: the description of a graph, and what draws it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import OpFromGraph, function, shared
from symtheano.printing import pydotprint


def described(tmp_path: Path, fct: Any, **options: Any) -> str:
    path = tmp_path / "graph.dot"
    pydotprint(fct, path, format="dot", print_output_file=False, **options)
    return path.read_text()


def test_shapes_and_edges(tmp_path: Path) -> None:
    x, s = T.dvector("x"), shared(np.ones(2), name="s")
    f = function([x], (T.exp(x) - s).sum(), updates=[(s, s * 2.0)], mode="INTERPRET")
    text = described(tmp_path, f)
    assert '[label="x TensorType(float64, vector)", shape=box, style=filled' in text
    assert '[label="-> s TensorType(float64, vector)"' in text
    assert text.count("shape=ellipse") == 4
    names = {line.split()[0] for line in text.splitlines() if "[label" in line and "->" not in
             line.split("[")[0]}  # fmt: skip
    edges = [line.split("[")[0].rstrip(";").split(" -> ") for line in text.splitlines()
             if " -> n" in line.split("[")[0]]  # fmt: skip
    assert {end.strip() for pair in edges for end in pair} <= names


def test_options(tmp_path: Path) -> None:
    x = T.dvector('a "quoted"\nname')
    y = T.exp(x)
    y.name = "inner"
    z = T.log(y)
    assert '"a \\"quoted\\"\\\\nname"' in described(tmp_path, z, var_with_name_simple=True)
    assert "inner" not in described(tmp_path, z)
    assert "inner" in described(tmp_path, z, compact=False)
    assert "style=filled" not in described(tmp_path, z, high_contrast=False)
    assert "id=0" in described(tmp_path, z, with_ids=True)
    assert "…" in described(tmp_path, z, max_label_size=8)
    assert "#123456" in described(tmp_path, z, colorCodes={"Elemwise": "#123456"})


def test_graphs_inside_of_ops(tmp_path: Path) -> None:
    x = T.dvector("x")
    y = OpFromGraph([x], [T.tanh(x)])(x)
    assert "tanh" not in described(tmp_path, y)
    text = described(tmp_path, y, scan_graphs=True)
    assert "tanh" in text
    assert "subgraph" in text


def test_missing_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(RuntimeError, match=r"(?s)dot was not found.*apt install graphviz"):
        pydotprint(T.dscalar("x"), tmp_path / "x.png")
    assert not (tmp_path / "x.png").exists()


def test_program_is_given_the_description(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "dot"
    program.write_text("#!/bin/sh\necho drawn $1\ncat\n")
    program.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(program))
    pydotprint(T.exp(T.dscalar("x")), tmp_path / "x.svg", format="svg")
    assert (tmp_path / "x.svg").read_text().startswith("drawn -Tsvg\ndigraph")
    assert "x.svg" in capsys.readouterr().out
    program.write_text("#!/bin/sh\necho no such format >&2\nexit 1\n")
    with pytest.raises(RuntimeError, match="no such format"):
        pydotprint(T.dscalar("x"), tmp_path / "y.svg", format="svg")

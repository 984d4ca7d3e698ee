"""The lines in the tables of docs/one_line.md run, and do what they say."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import symtheano
import symtheano.tensor as T
from symtheano import dtypes, nn
from tests.support.pages import ROOT

PAGE = (ROOT / "docs" / "one_line.md").read_text("utf-8")
LINES = re.findall(r"^\| .* \| `(.*)` \|$", PAGE, re.MULTILINE)


def test_every_line_runs() -> None:
    (start,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    names: dict[str, Any] = {}
    exec(start, names)
    for line in LINES:
        exec(line, names)
    nn.reset_default_graph()
    assert len(LINES) == PAGE.count("\n| ") - 2 * 3
    assert names["a"].eval().tolist() == [[1.0] * 3] * 2
    np.testing.assert_array_equal(names["r"].eval(), np.random.default_rng(7).normal(size=(2, 3)))
    assert names["i"].dtype == "int64"
    assert names["s"].eval().tolist() == [1.0, 0.5]
    assert names["v"].eval().tolist() == [2, 4, 8, 16, 32]
    assert names["names"] == ["minimize", "assign w"]
    assert int(names["count"].eval()) == 200
    assert "dense_1 (Dense)  (n, 1)" in names["text"]
    assert "loss root_mean_squared_error" in names["text"] or "loss rmse" in names["text"]
    assert names["tables"][0].startswith("model\n")
    assert "minimize" in names["tables"][1]
    assert all("<table>" in page for page in names["pages"])
    assert names["h"].shape == (1,)
    assert 0 < names["loss"] < 10
    assert names["images"].build((1, 8, 8)) is None
    assert names["images"].outputs[0].shape == (1,)
    assert names["history"].history["loss"][-1] < 1e-6
    assert names["found"].success


def test_dtypes_are_attributes() -> None:
    found = {name: getattr(symtheano, name) for name in set(dtypes.ALL) - {"bool"}}
    assert found == {name: name for name in found}
    assert symtheano.bool_ == "bool"
    assert {*found, "bool_"} <= set(symtheano.__all__)
    x = T.zeros((2,), symtheano.float32)
    assert x.dtype == symtheano.float32
    assert np.zeros(2, symtheano.int8).dtype == symtheano.int8


def test_names_of_the_package_are_those_of_the_tensor_module() -> None:
    assert symtheano.constant is T.constant
    assert symtheano.zeros is T.zeros
    assert symtheano.ones is T.ones
    assert symtheano.random_normal is T.random.random_normal

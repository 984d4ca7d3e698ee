"""What needs an optional package that is not installed says how to install it."""

from __future__ import annotations

import importlib
import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import interop, nn
from symtheano.extras import needed, not_installed
from symtheano.nn.training.history import History

ROOT = Path(__file__).parent.parent
FILE = io.BytesIO()


def trained() -> nn.Model:
    model = nn.Model(seed=0)
    model.add(nn.Dense(1))
    model.build((2,))
    return model


def saved() -> None:
    pytest.importorskip("safetensors")
    trained().save(FILE)
    FILE.seek(0)


def estimators() -> Any:
    names = [name for name in sys.modules if name.startswith("symtheano.nn.estimators")]
    kept = {name: sys.modules.pop(name) for name in names}
    try:
        return importlib.import_module("symtheano.nn.estimators")
    finally:
        sys.modules.update(kept)


USES: dict[str, tuple[str, str, Callable[[], Any]]] = {
    "Model.save": ("safetensors", "nn", lambda: trained().save(io.BytesIO())),
    "Model.load": ("safetensors", "nn", lambda: nn.Model.load(FILE)),
    "History.plot": ("matplotlib", "nn", lambda: History().plot()),
    "nn.Classifier": ("sklearn", "nn", estimators),
    "to_sympy": ("sympy", "symbolic", lambda: interop.to_sympy(T.dscalar("x"))),
    "to_networkx": ("networkx", "symbolic", lambda: interop.to_networkx(T.dscalar("x") + 1)),
}


@pytest.mark.parametrize("user", USES)
def test_the_error_says_how_to_install(user: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package, extra, use = USES[user]
    if user == "Model.load":
        saved()
    kept = sys.modules.get("symtheano.nn.estimators")
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, package, None)
    try:
        with pytest.raises(ImportError) as caught:
            use()
    finally:
        if kept is not None:
            sys.modules["symtheano.nn.estimators"] = kept
    text = str(caught.value)
    assert text.startswith(f"{user} needs ")
    assert "which is not installed" in text
    assert text.endswith(f"hint: pip install 'symtheano[{extra}]'")


def test_a_module_that_exists_is_returned() -> None:
    assert needed("numpy.linalg", "a test", "nn") is np.linalg
    assert "b needs a, which is not installed" in str(not_installed("a", "b", "c"))


def test_the_extras_that_messages_name_exist() -> None:
    tomllib = pytest.importorskip("tomllib", reason="Python 3.10 cannot read TOML")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert {extra for _, extra, _ in USES.values()} <= set(project["optional-dependencies"])

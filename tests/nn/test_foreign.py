"""Names of other libraries lead to ours, and all of ours exist."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import symtheano
from symtheano import nn
from symtheano.keywords import keywords
from symtheano.nn import activations, losses
from symtheano.nn.foreign import (
    KEYWORDS,
    NAMES,
    NOTES,
    OF_MODELS,
    REMARKS,
    explained,
    hint,
    key,
    named,
    where,
)

PAGE = Path(__file__).parents[2] / "docs" / "names.md"
X, Y = np.zeros((4, 3), "float32"), np.zeros((4, 1), "float32")


def exists(text: str) -> list[str]:
    """Return the names of ours in a text that do not exist."""
    owners: dict[str, Any] = {"nn": nn, "model": nn.Model(), "symtheano": symtheano}
    missing = []
    for owner, path in re.findall(r"\b(nn|model|symtheano)\.(\w+(?:\.\w+)*)", text):
        item = nn.Sequential if (owner, path) == ("nn", "layers") else owners[owner]
        for name in path.split("."):
            kind = item if isinstance(item, type) or not isinstance(item, nn.Model) else type(item)
            if name not in dir(kind):
                missing.append(f"{owner}.{path}")
                break
            item = getattr(kind, name)
    measures = {"loss", "accuracy"}
    values = {"balanced", "c", "cuda", "float64"}
    known = {*losses.LOSSES, *activations.TABLE, *measures, *values}
    return missing + [name for name in re.findall(r'"(\w+)"', text) if name not in known]


def rows() -> list[list[str]]:
    """Return the cells of the table, without its head."""
    text = PAGE.read_text("utf-8").partition("## NumPy")[0]
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    return [line.strip("| ").split(" | ") for line in lines[2:]]


def test_the_table_of_the_page_has_only_names_that_exist() -> None:
    table = rows()
    assert len(table) > 30
    for row in table:
        assert re.search(r"`.+`", row[-1]), row
        assert exists(row[-1]) == [], row
        for keyword in re.findall(r"nn\.(\w+)\((\w+)=", row[-1]):
            make, given = keyword
            assert given in keywords(getattr(nn, make))[0], keyword
    assert exists("`nn.Dence`") == ["nn.Dence"]
    assert exists("`model.fitt`") == ["model.fitt"]


@pytest.mark.parametrize("name", NAMES)
def test_what_names_lead_to_exists_and_takes_the_arguments_shown(name: str) -> None:
    assert name == key(name)
    assert exists(NAMES[name]) == []
    for make, arguments in re.findall(r"nn\.([A-Z]\w+)\(([\w, ]+)\)", NAMES[name]):
        known = keywords(getattr(nn, make))[0]
        assert set(arguments.split(", ")) <= set(known), NAMES[name]


def test_arguments_that_messages_name_exist() -> None:
    known = {name for make in MAKERS for name in keywords(make)[0]}
    assert set(KEYWORDS) <= known, set(KEYWORDS) - known
    assert set(dir(nn.Model)) >= OF_MODELS
    assert all(exists(note) == [] for note in (*NOTES.values(), *REMARKS.values()))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("BatchNormalization", r"nn.BatchNorm\(\)"),
        ("BatchNorm1d", r"nn.BatchNorm\(\)"),
        ("MaxPooling2D", r"nn.MaxPool2D\(\)"),
        ("Conv2d", "nn.Conv2D"),
        ("conv3d", r"nn.conv\(x, filters, kernel_size\)"),
        ("Linear", r"nn.Dense\(units\)"),
        ("CrossEntropyLoss", "from_logits=True"),
        ("MSELoss", "nn.losses.mean_squared_error"),
        ("Sigmoid", r'nn.Activation\("sigmoid"\)'),
        ("grad", "symtheano.grad"),
        ("Dence", "did you mean Dense"),
        ("adam", "it is nn.Adam$"),
        ("compile", r"it is a method: model\.compile$"),
        ("random_normal", r"it is symtheano\.random_normal$"),
        ("AdamOptimizer", r"it is nn\.Adam\(learning_rate\)"),
        ("to_categorical", "losses take labels as they are"),
    ],
)
def test_missing_names(name: str, message: str) -> None:
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'\n  hint: .*{message}"):
        getattr(nn, name)


def test_layers_are_names_of_the_package() -> None:
    with pytest.raises(AttributeError, match=r"it is nn\.Dense"):
        _ = nn.layers.Dense  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["weight", "utils", "Normalization", "zzzz"])
def test_no_hint_is_better_than_a_wrong_one(name: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(nn, name)
    assert str(caught.value) == f"module 'symtheano.nn' has no attribute {name!r}"


@pytest.mark.parametrize(
    ("module", "name", "ours"),
    [
        (nn.losses, "CategoricalCrossentropy", r"nn\.losses\.categorical_crossentropy"),
        (nn.losses, "mse", r"nn\.losses\.mean_squared_error"),
        (nn.initializers, "he_normal", r"nn\.initializers\.HeNormal"),
        (nn.initializers, "xavier_normal", r"nn\.GlorotNormal\(\)"),
        (nn.regularizers, "l2", r"nn\.regularizers\.L2"),
        (nn.constraints, "max_norm", r"nn\.constraints\.MaxNorm"),
        (nn.schedules, "cosine_decay", r"nn\.CosineDecay"),
        (nn.metrics, "accuracy", r"nn\.metrics\.Accuracy"),
        (nn.optimizers, "adam", r"nn\.optimizers\.Adam"),
        (nn.optimizers, "lbfgs", r"nn\.optimizers\.LBFGS"),
        (nn.updates, "SGD", r"nn\.updates\.sgd"),
        (nn.layers, "dense", r"nn\.dense"),  # type: ignore[attr-defined]
    ],
)
def test_missing_names_of_modules(module: Any, name: str, ours: str) -> None:
    with pytest.raises(AttributeError, match=rf"has no attribute '{name}'\n  hint: it is {ours}"):
        getattr(module, name)


# Where the table has expressions of names, and names of programs and attributes that are no names.
PARTS = {"loss.backward(); opt.step()": "backward step", "print(model)": "", "model(x)": ""}
OF_OBJECTS = {"model": nn.Model(), "layer": nn.Layer(), "self": nn.Layer(), "optimizer": nn.Adam()}
PROGRAMS = {"orbax"}


def used(cell: str) -> list[tuple[Any, str]]:
    """Return the names in a cell of the table, with the objects whose attributes they are."""
    found: list[tuple[Any, str]] = []
    for code in re.findall(r"`([^`]+)`", cell):
        if code in PARTS:
            found += [(OF_OBJECTS["model"], name) for name in PARTS[code].split()]
        elif not code.startswith('"') and "=" not in code.partition("(")[0]:
            *path, name = code.partition("(")[0].split(".")
            if name not in PROGRAMS:
                found.append((OF_OBJECTS.get(path[-1] if path else "", nn), name))
    return found


@pytest.mark.parametrize("row", rows(), ids=lambda row: row[0])
def test_names_of_others_in_the_table_say_what_they_are_here(row: list[str]) -> None:
    for cell in row[1:-1]:
        for owner, name in used(cell):
            # What is a method is asked of a model by some, and of the package by others.
            owners = [owner, *OF_OBJECTS.values()] if owner is nn and name[0].islower() else [owner]
            if any(hasattr(one, name) for one in owners):
                continue
            texts = []
            for one in owners:
                with pytest.raises(AttributeError) as caught:
                    getattr(one, name)
                texts.append(str(caught.value))
            assert any("\n  hint: " in text and "did you mean" not in text for text in texts), texts
        for keyword in re.findall(r"`(\w+)=[^`]*`", cell):
            ours = {name for make in MAKERS for name in keywords(make)[0]}
            assert keyword in {*ours, "from_logits", *NOTES, *ALIASES}, keyword


MAKERS = [getattr(nn, name) for name in nn.__all__ if name[0].isupper()]
MAKERS += [nn.Model.fit, nn.Model.compile, nn.Input, nn.Sequential.train]
ALIASES = {name for names in KEYWORDS.values() for name in names.split()}

CALLS: list[tuple[Callable[[], Any], str]] = [
    (lambda: nn.Adam(lr=0.1), "Adam has no argument 'lr'\n  hint: it is learning_rate"),
    (lambda: nn.Adam(betas=(0.9, 0.99)), "beta_1 and beta_2"),
    (lambda: nn.SGD(0.1, momentun=0.9), "it is momentum"),
    (lambda: nn.Dense(in_features=3, out_features=2), "Dense.*'in_features'\n  hint: leave it out"),
    (lambda: nn.Dense(out_features=2), "it is units"),
    (lambda: nn.Conv2D(out_channels=2, kernel_size=3), "it is filters"),
    (lambda: nn.conv(nn.Input((1, 8, 8)), 2, 3, stride=2), "Conv2D.*'stride'\n  hint: it is str"),
    (lambda: nn.Dropout(p=0.5), "it is rate"),
    (lambda: nn.Flatten(axis=1), "there are name, trainable"),
    (lambda: nn.Input(input_shape=(3,)), "it is shape"),
    (lambda: nn.EarlyStopping(metric="loss"), "it is monitor"),
    (lambda: nn.CosineDecay(base_lr=0.1, decay_steps=10), "it is initial"),
    (lambda: nn.Model().compile(criterion="mse"), "compile.*'criterion'\n  hint: it is loss"),
    (lambda: nn.Sequential().compile(criterion="mse"), "it is loss"),
    (lambda: nn.Model().fit(X, Y, epoch=3), "fit has no argument 'epoch'\n  hint: it is epochs"),
    (lambda: nn.Model().fit(X=X, Y=Y), "it is x"),
    (lambda: nn.Sequential().dense(units=1, bias=False), "it is use_bias"),
    (lambda: nn.Sequential(nme="a"), "Sequential has no argument 'nme'\n  hint: it is name"),
    (lambda: nn.Model(nme="a"), "Model has no argument 'nme'\n  hint: it is name"),
    (lambda: nn.LBFGS(lr=0.1), "LBFGS has no argument 'lr'\n  hint: a search along a line"),
    (lambda: nn.Conv2D(3, 64, kernel_size=3), "Conv2D has kernel_size by position and by name"),  # type: ignore[misc]
    (lambda: nn.Dense(4, 16), "not 16: a layer takes the number of its outputs"),  # type: ignore[arg-type]
    (lambda: setattr(nn.Adam(), "lr", 0.1), "it is learning_rate"),
    (lambda: nn.Session(grph=None), "Session has no argument 'grph'\n  hint: it is graph"),
]


@pytest.mark.parametrize(("call", "message"), CALLS)
def test_keywords_of_others(call: Callable[[], Any], message: str) -> None:
    with pytest.raises((TypeError, AttributeError), match=message):
        call()


def test_names_of_losses_and_layers_as_strings() -> None:
    model = nn.Sequential([nn.Dense(1)])
    with pytest.raises(ValueError, match=r"unknown loss 'MSELoss': it is nn.losses.mean_squared"):
        model.compile("MSELoss")


def test_classes_of_users_take_what_they_like() -> None:
    class Stretched(nn.Layer):
        def __init__(self, **options: Any) -> None:
            self.factor = options.pop("lr")
            super().__init__(**options)

    assert Stretched(lr=2.0).factor == 2.0
    assert keywords(Stretched)[1]
    assert keywords(nn.Adam) == (keywords(nn.Adam)[0], False)
    assert "weight_decay" in keywords(nn.Adam)[0]


def test_functions_that_are_explained_stay_what_they_are() -> None:
    @explained
    def twice(x: int, *, times: int = 2) -> int:
        return x * times

    assert twice(3, times=3) == 9
    assert twice.__name__ == "twice"
    with pytest.raises(TypeError, match="twice has no argument 'n'\n  hint: it is times"):
        twice(3, n=3)  # type: ignore[call-arg]
    assert hint("nothing", ()) == "there are none"
    assert named("nothing") is None
    assert where("nothing") is None

"""``theano.config``: every documented flag; some are symtheano's options."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

import symtheano
from tests.compat.test_install import run

NAMES = Path(__file__).parents[1] / "spec" / "theano_api.csv"


def test_every_documented_flag_is_there(theano: Any) -> None:
    with open(NAMES, encoding="utf-8", newline="") as lines:
        names = [row[0].removeprefix("theano.config.") for row in csv.reader(lines)
                 if row[0].startswith("theano.config.")]  # fmt: skip
    assert len(names) > 100
    missing = []
    for name in names:
        place = theano.config
        for part in name.split("."):
            place = getattr(place, part, None)
        if place is None:
            missing.append(name)
    assert missing == []


def test_flags_are_options(theano: Any) -> None:
    config, ours = theano.config, symtheano.config
    with config.change_flags(floatX="float32", compute_test_value="ignore", mode="FAST_COMPILE"):
        assert (ours.floatX, ours.compute_test_value, ours.mode) == (
            "float32", "ignore", "FAST_COMPILE",
        )  # fmt: skip
        assert theano.tensor.vector().dtype == "float32"
    assert (config.floatX, config.mode, ours.floatX) == ("float64", "Mode", "float64")
    config.cxx = ""
    assert ours.linker == "interpret"
    config.cxx = "g++"
    assert (config.cxx, ours.linker) == ("cc", "")
    config.floatX = "32"
    assert config.floatX == "float32"


def test_a_decorator(theano: Any) -> None:
    @theano.change_flags({"warn.round": True}, floatX="float32")
    def flags() -> Any:
        return theano.config.warn.round, theano.config.floatX

    assert flags() == (True, "float32")
    assert (theano.config.warn.round, theano.config.floatX) == (False, "float64")
    with pytest.raises(AssertionError, match="no flag florX"):
        theano.change_flags(florX="float32")


def test_bad_flags(theano: Any) -> None:
    config = theano.config
    with pytest.raises(AttributeError, match=r"no flag gcc\.cflags"):
        _ = config.gcc.cflags
    with pytest.raises(AttributeError, match="no flag florX"):
        config.florX = "float32"
    with pytest.raises(ValueError, match=r"theano\.config\.floatX = 'float8'"):
        config.floatX = "float8"
    with pytest.raises(ValueError, match="on_opt_error"):
        config.on_opt_error = "perhaps"
    with pytest.raises(Exception, match="can't be changed by a program"):
        config.base_compiledir = "/elsewhere"


def test_programs_add_flags(theano: Any) -> None:
    from theano.configparser import AddConfigVar, IntParam

    AddConfigVar("mine.size", "a size", IntParam(3, lambda n: n > 0))
    theano.config.mine.size = "5"
    assert theano.config.mine.size == 5
    with pytest.raises(ValueError, match="not valid"):
        theano.config.mine.size = -1
    with pytest.raises(AttributeError, match="already"):
        AddConfigVar("mine.size", "again", IntParam(3))


def test_the_environment(tmp_path: Path) -> None:
    source = (
        "import symtheano.compat as c; c.install(); import theano\n"
        "from theano.configparser import ignored\n"
        "print(theano.config.floatX, theano.config.gcc.cxxflags, theano.config.device, ignored())"
    )
    shown = run(source, flags="floatX=float32,gcc.cxxflags=-O3,allow_gc=False")
    assert shown == "float32 -O3 cpu {'allow_gc': 'False', 'gcc.cxxflags': '-O3'}\n"


def test_doctor_lists_flags_without_a_meaning() -> None:
    program = "from symtheano.cli.doctor import _flags_of_theano; print(_flags_of_theano().found)"
    shown = run(program, flags="floatX=float32,dnn.enabled=False")
    assert shown == "set, without a meaning here: dnn.enabled=False\n"
    everything = run("", "-m", "symtheano.cli", "doctor", "--json", flags="dnn.enabled=False")
    assert [item["status"] for item in json.loads(everything)
            if item["name"] == "flags of Theano"] == ["note"]  # fmt: skip

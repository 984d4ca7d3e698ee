"""Modes: by name, by parts, by Theano's words, and rules chosen by name or tag."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import symtheano.tensor as T
from symtheano import Mode, function
from symtheano.config import LINKERS, MODES, OPTIMIZERS, WATCHING, Options
from symtheano.function.modes import get_mode
from symtheano.rewrites.library import all_rules, default_rules, tags

x = T.dvector("x")


def names(mode: Mode) -> set[str]:
    """Return the names of a mode's rules."""
    return {rule.name for rule in mode.rules()}


@pytest.mark.parametrize("mode", MODES)
def test_modes_agree(mode: str) -> None:
    y = T.log(1 + T.exp(x)).sum() * 2 + T.tanh(x)
    a = np.linspace(-3, 3, 11)
    got = function([x], y, mode=mode)(a)
    np.testing.assert_allclose(got, np.logaddexp(0, a).sum() * 2 + np.tanh(a))


@pytest.mark.parametrize("mode", MODES)
def test_every_name_of_the_configuration_is_a_mode(mode: str) -> None:
    assert get_mode(mode) == get_mode(None, Options(mode=mode))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: get_mode("FAST_WALK"), "unknown mode 'FAST_WALK'; the modes are FAST_RUN, "),
        (lambda: get_mode("Fast_Rum"), "unknown mode 'Fast_Rum'.*\n  hint: did you mean FAST_RUN"),
        (lambda: get_mode(3), "unknown mode 3; the modes are FAST_RUN"),
        (lambda: Mode("jit"), "linker 'jit' is not one of c, cvm"),
        (lambda: Mode(linker="interprete"), "hint: did you mean interpret"),
        (lambda: Mode(optimizer="fastest"), "optimizer 'fastest' is not one of fast_run"),
        (lambda: Mode().excluding("log_of_one_pluss"), "log_of_one_pluss.*\n.*: did you mean"),
        (lambda: Mode().including("algebr"), "named algebr, nor a tag\n.*mean algebra"),
        (lambda: Mode(excluded=["zzzz"]), "no rewrite rule named zzzz.*\n  hint: the tags are alg"),
    ],
)  # fmt: skip
def test_names_are_checked(call: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        call()  # type: ignore[operator]


@pytest.mark.parametrize("used", WATCHING)
def test_a_mode_that_was_used_is_listed_once(used: str) -> None:
    assert get_mode(used) is get_mode(used)
    with pytest.raises(ValueError, match="unknown mode") as caught:
        get_mode("FAST")
    listed = str(caught.value).split("the modes are ")[1].splitlines()[0].split(", ")
    assert listed == [*MODES, *WATCHING]


@pytest.mark.parametrize(
    ("theano", "ours"),
    [
        (Mode(linker="cvm", optimizer="fast_run"), Mode()),
        (Mode("vm"), Mode("c")),
        (Mode("c|py"), Mode("c")),
        (Mode("py"), Mode("interpret")),
        (Mode(None, None), Mode("c", "none")),
        (Mode(optimizer="None"), Mode(optimizer="none")),
        (Mode(optimizer="merge"), Mode(optimizer="none")),
        (Mode("c", "o4"), Mode("c", "fast_run")),
        (Mode("c", "o1"), get_mode("FAST_COMPILE")),
    ],
)
def test_names_of_theano(theano: Mode, ours: Mode) -> None:
    assert theano == ours
    assert hash(theano) == hash(ours)
    assert repr(theano) == repr(ours)


@pytest.mark.parametrize("linker", LINKERS)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_every_pair_is_a_mode(linker: str, optimizer: str) -> None:
    mode = Mode(linker, optimizer)
    assert mode.linker in ("c", "interpret")
    assert {rule.name for rule in default_rules(phases=["expand"])} <= names(mode)


def test_a_mode_is_a_value() -> None:
    mode = Mode("interpret", "o1").including("blas").excluding("algebra", "signs")
    assert mode == Mode("numpy", "fast_compile", ("blas",), ("signs", "algebra"))
    assert {mode: 1}[pickle.loads(pickle.dumps(mode))] == 1
    with pytest.raises(AttributeError):
        mode.linker = "c"  # type: ignore[misc]


def test_a_rule_is_excluded_by_its_printed_name() -> None:
    y = T.log(1 + x)
    f = function([x], y, mode="INTERPRET")
    fired = set(f.trace.counts())
    assert "log_of_one_plus" in fired
    g = function([x], y, mode=Mode("interpret").excluding("log_of_one_plus"))
    assert "log_of_one_plus" not in g.trace.counts()
    np.testing.assert_array_equal(f([1e-30]), [1e-30])
    np.testing.assert_array_equal(g([1e-30]), [0.0])


def test_optimizers_choose_phases() -> None:
    by_phase = {rule.name: rule.phase for rule in all_rules()}
    phases = {name: {by_phase[rule] for rule in names(get_mode(name))} for name in MODES}
    assert phases["FAST_COMPILE"] == {"canonicalize", "stabilize", "pushdown", "expand"}
    assert phases["FAST_RUN"] == phases["INTERPRET"] == set(by_phase.values())
    assert {by_phase[rule] for rule in names(Mode(optimizer=None))} == {"expand"}


@pytest.mark.parametrize("tag", sorted({tag for rule in all_rules() for tag in tags(rule)}))
def test_every_tag_excludes_and_includes(tag: str) -> None:
    tagged = {rule.name for rule in all_rules() if tag in tags(rule) and rule.default}
    everything = names(Mode())
    assert tagged
    assert names(Mode().excluding(tag)) == everything - tagged
    none = names(Mode(optimizer=None))
    assert names(Mode(optimizer=None).including(tag)) == none | tagged


def test_a_name_counts_more_than_a_tag() -> None:
    kept = Mode().excluding("stabilize").including("log_of_one_plus")
    stable = {rule.name for rule in all_rules() if rule.phase == "stabilize"}
    assert names(kept) & stable == {"log_of_one_plus"}
    dropped = Mode(optimizer=None).including("stabilize").excluding("log_of_one_plus")
    assert names(dropped) & stable == stable - {"log_of_one_plus"}


def test_the_last_word_counts() -> None:
    both = Mode().excluding("log_of_one_plus").including("log_of_one_plus")
    assert "log_of_one_plus" in names(both)
    assert "log_of_one_plus" not in names(both.excluding("log_of_one_plus"))


def test_rules_off_by_default_are_included_by_name_only() -> None:
    assert "multiply_by_zero" not in names(Mode().including("algebra", "needs_finite"))
    assert "multiply_by_zero" in names(Mode().including("multiply_by_zero"))


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        (Options(), Mode()),
        (Options(mode="INTERPRET", optimizer="o1"), Mode("interpret", "fast_compile")),
        (Options(linker="py"), Mode("interpret")),
        (Options(linker="cvm", mode="FAST_COMPILE"), Mode("c", "fast_compile")),
        (Options(optimizer_excluding="blas:algebra"), Mode().excluding("blas", "algebra")),
        (
            Options(optimizer_including="multiply_by_zero", optimizer="None"),
            Mode("c", "none").including("multiply_by_zero"),
        ),
    ],
)
def test_the_configured_mode(options: Options, mode: Mode) -> None:
    assert get_mode(None, options) == mode
    assert get_mode("FAST_RUN", options) == Mode()
    assert get_mode(mode, options) is mode


def test_interpreter_has_no_c() -> None:
    f = function([x], x + 1, mode="INTERPRET")
    assert f.c_source is None


@pytest.mark.needs_cc
def test_compiled_functions_have_c() -> None:
    assert "kernel" in str(function([x], x + 1, mode=Mode("cvm")).c_source)

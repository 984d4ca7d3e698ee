"""The script that writes and compiles all programs for devices, with one of each kind."""

from __future__ import annotations

from functools import partial

import pytest

import symtheano.tensor as T
from symtheano import function
from tests.codegen.models import network_step
from tests.cuda_programs import KINDS, counts, main, recorded, sources


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("models", "softmax_rows"),
        ("workloads", "red_sum_all"),
        ("examples", "01_expression"),
        ("conformance", "loops"),
    ],
)
def test_programs(kind: str, name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--kinds", kind, "--only", name, "--architectures", "sm_75"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.startswith(f"{kind} {name}")
    assert ": ok; " in first
    assert rest[-1] == "0 failures"


def test_texts_are_read_without_machine_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--kinds", "models", "--only", "polynomial", "--syntax"]) == 0
    told = capsys.readouterr().out
    assert "1 kernels, 0 new" in told or "2 kernels, 0 new" in told
    assert "0 kernels compiled" in told


def test_convolutions_have_no_kernel_of_one_block(capsys: pytest.CaptureFixture[str]) -> None:
    """Sums for each of four channels are shared by many blocks."""
    assert main(["--kinds", "models", "--only", "convolution_step", "--syntax"]) == 0
    assert ", 0 of one long block" in capsys.readouterr().out


def test_few_launches_are_of_one_block(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--kinds", "models", "--architectures", ""]) == 0
    assert "0.0% of all launches are one block" in capsys.readouterr().out


def test_many_launches_of_one_block_are_a_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    x, v = T.lvector("x"), T.lscalar("v")
    make = partial(function, [x, v], T.searchsorted(x, v))
    monkeypatch.setitem(KINDS, "models", lambda: iter([("search", make)]))
    assert main(["--kinds", "models", "--architectures", ""]) == 1
    assert capsys.readouterr().out.endswith("0 failures\n")


def test_failures_are_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> object:
        raise ValueError("no graph")

    monkeypatch.setitem(KINDS, "models", lambda: iter([("one", fails), ("two", lambda: None)]))
    assert main(["--kinds", "models"]) == 1
    told = capsys.readouterr().out
    assert "models one: FAILED: ValueError: no graph" in told
    assert "models two: it makes no function" in told


def test_a_training_step_waits_at_its_end_only() -> None:
    with recorded() as found:
        network_step()
    for program, _ in sources(found[0]):
        assert counts(program).reads == 0
        assert counts(program).long == ()

"""The progress of a map."""

from __future__ import annotations

import pytest

from symtheano.function.mapping.progress import shown_progress


def test_a_bar_is_shown_on_the_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(True, 10) as done:
        done(4)
        done(6)
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "10/10" in shown.err


def test_nothing_is_shown_by_default(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress(False, 10) as done:
        done(4)
    assert capsys.readouterr() == ("", "")


def test_what_is_no_progress() -> None:
    with pytest.raises(TypeError, match="progress=3"), shown_progress(3, 10):
        pass

"""The golden fixture itself: it must be able to fail."""

from __future__ import annotations

from pathlib import Path

import numpy as np  # noqa: F401 (before pytester, which would import it again)
import pytest

pytest_plugins = ["pytester"]

CONFTEST = Path(__file__).parent / "conftest.py"


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """Make a project whose one test holds ``int x = 2;`` against ``kernels/x.c``."""
    pytester.makeconftest(CONFTEST.read_text())
    pytester.makepyfile(
        """
        def test_text(golden):
            golden("int x = 2;\\n", "kernels/x.c")
        """
    )
    return pytester


def run(project: pytest.Pytester, *options: str) -> pytest.RunResult:
    return project.runpytest_subprocess("-p", "no:cacheprovider", *options)


def write_golden(project: pytest.Pytester, text: str) -> Path:
    path = project.path / "golden" / "kernels" / "x.c"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def test_missing_file_fails_with_instructions(project: pytest.Pytester) -> None:
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*kernels/x.c does not exist yet*", "*--update-golden*"])


def test_difference_fails_with_a_diff(project: pytest.Pytester) -> None:
    write_golden(project, "int x = 1;\n")
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*-int x = 1;", "*+int x = 2;", "*--update-golden*"])


@pytest.mark.parametrize("text", ["int x = 2;", "int x = 2;\r\n"])
def test_line_endings_count(project: pytest.Pytester, text: str) -> None:
    write_golden(project, text)
    result = run(project)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["*only line endings differ*"])


def test_switch_writes_what_then_passes(project: pytest.Pytester) -> None:
    path = write_golden(project, "int x = 1;\n")
    run(project, "--update-golden").assert_outcomes(passed=1)
    assert path.read_bytes() == b"int x = 2;\n"
    run(project).assert_outcomes(passed=1)


def test_switch_writes_for_all_tests(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The texts of tests that a run leaves out are not old when a run takes all."""
    monkeypatch.delenv("SYMTHEANO_TESTS", raising=False)
    monkeypatch.delenv("SYMTHEANO_LONG_RUN", raising=False)
    pytester.makeconftest(CONFTEST.read_text())
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.one_in(1 << 40)
        def test_text(golden): golden("int x = 2;\\n", "kernels/x.c")
        """
    )
    run(pytester).assert_outcomes(deselected=1)
    run(pytester, "--update-golden").assert_outcomes(passed=1)


def test_needs_are_skipped_only_where_they_are_not_met(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(
        CONFTEST.read_text() + "\nNEEDS['needs_cc'] = (lambda: False, 'no compiler here')"
        "\nNEEDS['needs_cuda'] = (lambda: True, 'never said')\n"
    )
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.needs_cc
        def test_c(): raise AssertionError

        @pytest.mark.needs_cuda
        def test_cuda(): pass

        def test_neither(): pass
        """
    )
    result = run(pytester, "-rs")
    result.assert_outcomes(passed=2, skipped=1)
    result.stdout.fnmatch_lines(["*no compiler here*"])

"""The state of the package's files."""

from __future__ import annotations

from pathlib import Path

import pytest

import symtheano
import symtheano.tensor as T
from symtheano import function
from symtheano.function.package import LATER_LAYERS, list_directory, package_files
from tests.test_imports import LAYERS


def test_compiled_code_depends_on_the_files_of_the_layers_below_functions() -> None:
    """Otherwise a change of a rule or a printer would not be seen until the cache is removed."""
    package = Path(symtheano.__file__).parent
    found = {package / path[1:] for path, *_ in package_files(list_directory)}
    every = {path for kind in ("py", "c", "h", "inc") for path in package.rglob(f"*.{kind}")}
    later = {path for path in every if path.relative_to(package).parts[0] in LATER_LAYERS}
    assert found == every - later
    assert min(map(LAYERS.index, LATER_LAYERS - {"__pycache__"})) > LAYERS.index("function")
    assert {package / "rewrites/algebra.py", package / "codegen/c/printer.py"} <= found


@pytest.mark.needs_cc
def test_the_dispatcher_sees_directories_as_python_does(tmp_path: Path) -> None:
    """The keys of compiled functions are the same, whether the dispatcher was ready or not."""
    x = T.dscalar("x")
    later = function([x], x + 1).stages.dispatcher
    assert later is not None
    dispatcher = later.result()
    (tmp_path / "folder é").mkdir()
    (tmp_path / "file.py").write_text("text")
    (tmp_path / "link.py").symlink_to(tmp_path / "file.py")
    (tmp_path / "dangling.py").symlink_to(tmp_path / "missing")
    (tmp_path / "loop.py").symlink_to(tmp_path / "loop.py")
    seen = sorted(dispatcher.list_directory(str(tmp_path)))
    assert seen == sorted(list_directory(str(tmp_path)))
    assert [(name, is_directory) for name, _, _, is_directory in seen] == [
        ("dangling.py", False), ("file.py", False), ("folder é", True), ("link.py", False),
        ("loop.py", False),
    ]  # fmt: skip
    assert package_files(dispatcher.list_directory) == package_files(list_directory)
    with pytest.raises(FileNotFoundError, match="no_folder"):
        dispatcher.list_directory(str(tmp_path / "no_folder"))

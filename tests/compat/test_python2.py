"""Programs in Python 2, converted while they are imported."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from symtheano.compat import python2
from symtheano.compat.python2 import DivisionWarning, compile_old, divide_in_place

pytest.importorskip("fissix")


def run(source: str, **names: Any) -> dict[str, Any]:
    """Run a program of Python 2, and return its names."""
    space = {"__name__": "old", **names}
    exec(compile_old(textwrap.dedent(source).encode(), "old.py"), space)
    return space


def test_syntax_and_names() -> None:
    space = run(
        """
        import sys, cPickle
        from itertools import izip
        out = []
        class Sink(object):
            def write(self, text): out.append(text)
        print >> Sink(), "a", 1
        try:
            raise ValueError, "b"
        except ValueError, error:
            out.append(str(error))
        pairs = map(lambda (a, b): a + b, izip([1], [2]))
        pairs.append(reduce(lambda a, b: a + b, xrange(4)))
        has = {1: 2}.has_key(1), 1 <> 2, 0777, `5`, 10L, cmp(2, 1), isinstance(u"", unicode)
        """
    )
    assert "".join(space["out"]) == "a 1\nb"
    assert space["pairs"] == [3, 6]
    assert space["has"] == (True, True, 511, "5", 10, 1, True)


def test_integers_are_divided_as_in_python_2() -> None:
    with pytest.warns(DivisionWarning, match="is rounded down") as caught:
        space = run("a = 1.0 / 2\nb = -7 / 2\nb = 7 / 2\nb /= 2\n")
    assert (space["a"], space["b"]) == (0.5, 1)
    assert [item.lineno for item in caught] == [2, 3, 4]
    assert {item.filename for item in caught} == {"old.py"}
    space = run("from __future__ import division\na = 7 / 2\n")
    assert space["a"] == 3.5


def test_arrays_and_variables_are_divided(theano: Any) -> None:
    array = np.array([7, -7])
    with pytest.warns(DivisionWarning):
        space = run("b = a / 2\nc = x / 2\n", a=array, x=theano.tensor.iscalar())
    assert space["b"].tolist() == [3, -4]
    assert space["c"].dtype == "int32"
    floats = np.array([1.0, 2.0])
    assert divide_in_place(floats, 2) is floats
    assert floats.tolist() == [0.5, 1.0]
    assert divide_in_place(array, 2.0) is array
    assert array.tolist() == [3, -3]


def test_lines_are_those_of_the_file() -> None:
    source = "x = [1]\ny = reduce(max, x)\n\n\nraise_here = 1 / 0\n"
    with pytest.raises(ZeroDivisionError) as caught, pytest.warns(DivisionWarning):
        run(source)
    lines = [entry.lineno + 1 for entry in caught.traceback if str(entry.path).endswith("old.py")]
    assert lines == [5]


def test_tabs_and_encodings() -> None:
    assert run("if True:\n        a = 1\n\tb = 2\n")["b"] == 2
    space: dict[str, Any] = {}
    exec(compile_old(b"# -*- coding: latin-1 -*-\na = 'caf\xe9'\n", "old.py"), space)
    assert space["a"] == "café"
    exec(compile_old(b"a = 'caf\xe9'\r\nb = 1\r\n", "old.py"), space)
    assert (space["a"], space["b"]) == ("café", 1)


def test_what_is_no_program_is_told() -> None:
    with pytest.raises(SyntaxError, match="in Python 2 and in Python 3") as caught:
        compile_old(b"a = 1\nb = = 2\n", "old.py")
    assert (caught.value.filename, caught.value.lineno) == ("old.py", 2)
    with pytest.raises(SyntaxError):
        compile_old(b"a = '''\n", "old.py")


def test_only_modules_of_the_program_are_converted(tmp_path: Path) -> None:
    (tmp_path / "site-packages").mkdir()
    for folder in (tmp_path, tmp_path / "site-packages"):
        (folder / "module_of_old.py").write_text("print 'old'\n")
    finder = python2.OldFinder([tmp_path])
    assert finder.find_spec("module_of_old", [str(tmp_path)]) is not None
    assert finder.find_spec("module_of_old", [str(tmp_path / "site-packages")]) is None
    assert finder.find_spec("json") is None


PROGRAM = """
import numpy, theano, helper
import theano.tensor as T
x = T.ivector()
f = theano.function([x], x / 2)
print f(numpy.array([3, 4], dtype='int32')), helper.half(9), numpy.float(1)
"""


@pytest.mark.parametrize("how", [("symtheano.compat",), ("symtheano.cli", "run")])
def test_a_program_with_modules(tmp_path: Path, how: tuple[str, ...]) -> None:
    (tmp_path / "helper.py").write_text("def half(n):\n    return n / 2\n")
    (tmp_path / "program.py").write_text(PROGRAM)
    root = str(Path(__file__).parent.parent.parent)
    paths = [root, *filter(None, [os.environ.get("PYTHONPATH")])]
    ended = subprocess.run(
        [sys.executable, "-m", *how, "--py2", "program.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
    )
    assert ended.stdout == "[1 2] 4 1.0\n", ended.stderr
    assert "helper.py:2: DivisionWarning: 9 / 2 is rounded down" in ended.stderr
    assert sorted(item.name for item in tmp_path.iterdir()) == ["helper.py", "program.py"]


def test_a_program_of_python_2_is_told(tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("print 'old'\n")
    command = [sys.executable, "-m", "symtheano.compat"]
    root = str(Path(__file__).parent.parent.parent)
    environment = {**os.environ, "PYTHONPATH": root}
    ended = subprocess.run([*command, "program.py"], capture_output=True, text=True, check=False,
                           cwd=tmp_path, env=environment)  # fmt: skip
    assert ended.returncode == 1
    assert "for a program in Python 2: python -m symtheano.compat --py2" in ended.stderr
    for arguments, status in ((["--help"], 0), ([], 1), (["--old", "program.py"], 1)):
        ended = subprocess.run([*command, *arguments], capture_output=True, text=True,
                               check=False, env=environment)  # fmt: skip
        assert ended.returncode == status
        assert "usage: python -m symtheano.compat [--py2]" in ended.stdout + ended.stderr


def test_modules_keep_their_old_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module may use what another one has imported."""
    (tmp_path / "old_first.py").write_text("import cPickle, os\nfrom StringIO import StringIO\n")
    (tmp_path / "old_second.py").write_text("from old_first import *\nprint cPickle.dumps(1)[:1]\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    finder = python2.convert_imports([tmp_path])
    try:
        old_second = import_module("old_second")
    finally:
        sys.meta_path.remove(finder)
    assert old_second.cPickle.loads(old_second.cPickle.dumps(2)) == 2
    assert old_second.StringIO("a").read() == "a"
    for name in ("old_first", "old_second"):
        del sys.modules[name]


def test_texts_and_bytes_are_one(tmp_path: Path) -> None:
    path = tmp_path / "words.bin"
    path.write_bytes(b"2 8\nking \x00\x00\x80?\x00\x00\x00@")
    space = run(
        """
        import numpy as np
        with open(path, "rb") as f:
            rows, size = map(int, f.readline().split())
            letters = []
            while True:
                ch = f.read(1)
                if ch == " ":
                    break
                letters.append(ch)
            word = "".join(letters)
            numbers = np.frombuffer(f.read(size), "<f4")
        with open(path, "wb") as f:
            f.write("caf\\xc3\\xa9".decode("latin1"))
        joined = __import__("os").path.join("a", "b")
        """,
        path=str(path),
    )
    assert (space["rows"], space["size"], space["word"]) == (2, 8, "king")
    np.testing.assert_array_equal(space["numbers"], [1, 2])
    assert space["joined"] == "a/b".replace("/", os.sep)


def test_functions_that_compare() -> None:
    space = run(
        """
        by = lambda a, b: cmp(b[1], a[1])
        pairs = [("a", 1), ("b", 3), ("c", 2)]
        first = sorted(pairs, by)
        pairs.sort(by)
        second = list(pairs)
        pairs.sort(cmp=lambda a, b: cmp(a, b), key=lambda p: p[1], reverse=True)
        pairs.sort(key=lambda p: p[0])
        import numpy as np
        array = np.array([[2, 1], [1, 0]])
        array.sort(0)
        """
    )
    assert [p[0] for p in space["first"]] == ["b", "c", "a"] == [p[0] for p in space["second"]]
    assert [p[0] for p in space["pairs"]] == ["a", "b", "c"]
    np.testing.assert_array_equal(space["array"], [[1, 0], [2, 1]])


def test_files_that_are_executed_are_converted(tmp_path: Path) -> None:
    path = tmp_path / "classes.py"
    path.write_text("print 'loaded'\nhalf = 7 / 2\n")
    with pytest.warns(DivisionWarning):
        space = run("execfile(path)\ntwice = half * 2\n", path=str(path))
    assert space["twice"] == 6


def test_modules_beside_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They come first in a package, and only there."""
    package = tmp_path / "old_package"
    (package / "inner").mkdir(parents=True)
    files = {
        "__init__.py": "",
        "optparse.py": "mine = True\n",
        "first.py": "import optparse, math, inner.deep\nfrom inner import deep as d\n",
        "second.py": "from __future__ import absolute_import\nimport optparse\n",
        "inner/__init__.py": "",
        "inner/deep.py": "value = 3\n",
    }
    for name, text in files.items():
        (package / name).write_text(text)
    monkeypatch.syspath_prepend(str(tmp_path))
    finder = python2.convert_imports([tmp_path])
    before = set(sys.modules)
    try:
        first, second = (import_module(f"old_package.{name}") for name in ("first", "second"))
        assert first.optparse.mine
        assert first.inner.deep.value == first.d.value == 3
        assert first.math.sqrt(4) == 2
        assert not hasattr(second.optparse, "mine")
        monkeypatch.syspath_prepend(str(package))
        alone = import_module("first")
        assert alone.inner.deep.value == 3
        assert alone.inner.__name__ == "inner"
    finally:
        sys.meta_path.remove(finder)
        for name in set(sys.modules) - before:
            del sys.modules[name]

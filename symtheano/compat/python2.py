"""Programs in Python 2: converted while they are imported, without changing their files.

The syntax and the names are converted by ``fissix``, which continues Python's own ``lib2to3``.
Divisions become calls of :func:`divide`, which rounds down where both operands are integers, as
Python 2 did, and warns once for each line. Modules of the program's folders are converted, those of
installed packages are not.
"""

from __future__ import annotations

import ast
import builtins as _builtins
import sys
import tokenize
from collections.abc import Iterable, Sequence
from functools import cache, cmp_to_key
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from io import BytesIO
from numbers import Integral
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np

from symtheano.compat.old_files import as_text
from symtheano.extras import needed

_FILES = "symtheano.compat.old_files"
_SUPPLIED = {
    "cmp": __name__,
    "apply": __name__,
    "sorted": __name__,
    "execfile": __name__,
    "file": _FILES,
    "open": _FILES,
}
"""Names of Python 2 that the library does not convert, and the modules that have them."""


class DivisionWarning(UserWarning):
    """Integers are divided, which Python 2 rounds down, and Python 3 does not."""


def divide(a: Any, b: Any) -> Any:
    """Return ``a / b`` as in Python 2: rounded down if both are integers, or arrays of integers.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("ignore")
    ...     divide(7, 2), divide(-7, 2), divide(7.0, 2)
    (3, -4, 3.5)
    """
    if _is_integer(a) and _is_integer(b):
        _warn(a, b)
        return a // b
    return a / b


def divide_in_place(a: Any, b: Any) -> Any:
    """Return ``a /= b`` as in Python 2; arrays keep their memory."""
    if _is_integer(a) and _is_integer(b):
        _warn(a, b)
        a //= b
    elif isinstance(a, np.ndarray) and a.dtype.kind in "iub":
        a[...] = (a / b).astype(a.dtype)
    else:
        a /= b
    return a


def _is_integer(value: Any) -> bool:
    if isinstance(value, Integral):
        return True
    dtype = getattr(value, "dtype", None)
    return dtype is not None and np.dtype(dtype).kind in "iub"


def _warn(a: Any, b: Any) -> None:
    import warnings

    shown = f"{_described(a)} / {_described(b)}"
    warnings.warn(
        f"{shown} is rounded down, as in Python 2; write // if that is meant",
        DivisionWarning,
        stacklevel=3,
    )


def _described(value: Any) -> str:
    return repr(value) if isinstance(value, int) else type(value).__name__


def cmp(a: Any, b: Any) -> int:
    """Return -1, 0 or 1, as ``a`` is less than, equal to, or greater than ``b``."""
    return int(a > b) - int(a < b)


def apply(function: Any, args: Sequence[Any] = (), kwargs: Any = None) -> Any:
    """Call a function."""
    return function(*args, **(kwargs or {}))


def sorted(
    iterable: Iterable[Any], cmp: Any = None, key: Any = None, reverse: bool = False
) -> list[Any]:
    """Return the sorted list of elements; ``cmp`` compares two, or two keys.

    Examples
    --------
    >>> sorted([1, 3, 2], lambda a, b: b - a)
    [3, 2, 1]
    """
    return _builtins.sorted(iterable, key=_key(cmp, key), reverse=reverse)


def sort(values: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ``values.sort(...)``; a list may be sorted by a function that compares."""
    if not isinstance(values, list):
        return values.sort(*args, **kwargs)
    names = dict(zip(("cmp", "key", "reverse"), args, strict=False)) | kwargs
    key = _key(names.pop("cmp", None), names.pop("key", None))
    return values.sort(key=key, **names)


def _key(cmp: Any, key: Any) -> Any:
    if cmp is None:
        return key
    by_pairs = cmp_to_key(cmp)
    return by_pairs if key is None else lambda value: by_pairs(key(value))


def decode(text: Any, *args: Any, **kwargs: Any) -> Any:
    """Return ``text.decode(...)``; a text of Python 3 is decoded already."""
    return text if isinstance(text, str) else text.decode(*args, **kwargs)


def join(text: Any, *args: Any) -> Any:
    """Return ``text.join(...)``; a text can join bytes of files."""
    if not isinstance(text, str) or len(args) != 1:
        return text.join(*args)
    return text.join([as_text(item) for item in args[0]])


def execfile(path: Any, globals: Any = None, locals: Any = None) -> None:
    """Run a file of a program in Python 2, by default with the names of the caller."""
    if globals is None:
        frame = sys._getframe(1)
        globals, locals = frame.f_globals, frame.f_locals
    exec(compile_old(Path(path).read_bytes(), str(path)), globals, locals)


# -- conversion ------------------------------------------------------------------------------------


@cache
def _tool() -> Any:
    refactor = needed("fissix.refactor", "a program in Python 2 (--py2)", "py2", "fissix")
    # Imports of __future__ remain: that of division tells what a division means.
    # What execfile reads is converted when it is called.
    without = {
        f"fissix.fixes.fix_{name}"
        for name in ("future", "execfile", "import", "imports", "imports2", "sorted")
    }
    fixers = set(refactor.get_fixers_from_package("fissix.fixes")) - without
    return refactor.RefactoringTool(_builtins.sorted(fixers))


def converted(source: str, filename: str = "<program>") -> str:
    """Return a program of Python 2 as one of Python 3, except for its divisions.

    Raises
    ------
    ImportError
        If ``fissix`` is not installed.
    SyntaxError
        If it is a program of neither.
    """
    from fissix.pgen2.parse import ParseError
    from fissix.pgen2.tokenize import TokenError

    text = source.expandtabs(8) if _mixes_tabs(source) else source
    try:
        return str(_tool().refactor_string(text.rstrip() + "\n", filename))
    except ParseError as error:
        line, column = error.context[1] if error.context else (1, 0)
        lines = text.splitlines()
        shown = lines[line - 1] if 0 < line <= len(lines) else ""
        message = "invalid syntax, in Python 2 and in Python 3"
        raise SyntaxError(message, (filename, line, column + 1, shown)) from None
    except TokenError as error:
        raise SyntaxError(str(error.args[0]), (filename, error.args[1][0], 1, "")) from None


def _mixes_tabs(source: str) -> bool:
    """Return whether lines are indented by tabs and others by spaces, which Python 2 allowed."""
    heads = {line[:1] for line in source.splitlines()}
    return "\t" in heads and (" " in heads or "\t " in source)


def compile_old(data: bytes, filename: str, package: str = "") -> CodeType:
    """Return the code of a file of a program in Python 2.

    Parameters
    ----------
    data, filename
        What the file contains, and where it is.
    package
        The package of the module, if it is in one.

    Raises
    ------
    ImportError
        If ``fissix`` is not installed.
    SyntaxError
        If it can't be converted.
    """
    source = _decoded(data)
    new = converted(source, filename)
    tree = ast.parse(new, filename)
    _restore_lines(tree, source.splitlines(), new.splitlines())
    beside = package and not _has_future(tree, "absolute_import")
    tree = _OldModules(Path(filename).parent if beside else None).visit(tree)
    return compile(_with_old_division(tree), filename, "exec", dont_inherit=True)


def _decoded(data: bytes) -> str:
    """Return the text of a file, whose encoding Python 2 did not check."""
    try:
        encoding, _ = tokenize.detect_encoding(BytesIO(data).readline)
        text = data.decode(encoding)
    except (SyntaxError, UnicodeDecodeError):
        text = data.decode("latin1")
    return text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def _restore_lines(tree: ast.Module, old: Sequence[str], new: Sequence[str]) -> None:
    """Give nodes the lines that they have in the file: the conversion may have added imports."""
    if len(old) == len(new):
        return
    from difflib import SequenceMatcher

    lines = {}
    for _, first, last, start, stop in SequenceMatcher(
        None, old, new, autojunk=False
    ).get_opcodes():
        for number in range(start, stop):
            lines[number + 1] = min(first + number - start, max(last - 1, first)) + 1
    for node in ast.walk(tree):
        for name in ("lineno", "end_lineno"):
            if hasattr(node, name):
                setattr(node, name, lines.get(getattr(node, name), getattr(node, name)))


class _OldMethods(ast.NodeTransformer):
    """Makes calls of methods that mean something else calls of functions."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Replace ``x.decode(...)``, ``x.join(...)``, and ``x.sort(...)`` with arguments."""
        self.generic_visit(node)
        method = node.func
        if not isinstance(method, ast.Attribute) or method.attr not in ("decode", "join", "sort"):
            return node
        if method.attr == "sort" and not node.args and not node.keywords:
            return node
        function = ast.copy_location(ast.Name(f"__{method.attr}__", ast.Load()), node)
        call = ast.Call(function, [method.value, *node.args], node.keywords)
        return ast.copy_location(call, node)


class _OldModules(ast.NodeTransformer):
    """Imports modules that have other names today, under the old ones, and those beside a module.

    A module may use names that it has from another one by ``from it import *``, so they remain.
    In a package, Python 2 searched for modules beside the importing one first.
    """

    def __init__(self, folder: Path | None) -> None:
        super().__init__()
        from fissix.fixes import fix_imports, fix_imports2

        self.folder = folder
        self.new = fix_imports.MAPPING | fix_imports2.MAPPING

    def visit_Import(self, node: ast.Import) -> list[ast.stmt]:
        """Replace ``import cPickle`` by ``import pickle as cPickle``."""
        return [
            ast.copy_location(statement, node)
            for alias in node.names
            for statement in self._imports(alias)
        ]

    def _imports(self, alias: ast.alias) -> list[ast.stmt]:
        parent, _, last = alias.name.rpartition(".")
        if self._is_beside(alias.name):
            if not parent:
                return [ast.ImportFrom(None, [alias], 1)]
            if alias.asname:
                return [ast.ImportFrom(parent, [ast.alias(last, alias.asname)], 1)]
            first = alias.name.partition(".")[0]
            whole = ast.ImportFrom(parent, [ast.alias(last, f"__{last}__")], 1)
            return [whole, ast.ImportFrom(None, [ast.alias(first)], 1)]
        new = self.new.get(alias.name)
        return [ast.Import([ast.alias(new, alias.asname or alias.name) if new else alias])]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST:
        """Replace ``from cPickle import load``."""
        if node.level == 0 and node.module:
            if self._is_beside(node.module):
                node.level = 1
            else:
                node.module = self.new.get(node.module, node.module)
        return node

    def _is_beside(self, name: str) -> bool:
        if self.folder is None:
            return False
        beside = self.folder / name.partition(".")[0]
        return (beside / "__init__.py").is_file() or beside.with_suffix(".py").is_file()


class _OldDivision(ast.NodeTransformer):
    """Makes divisions calls."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Replace ``a / b``."""
        self.generic_visit(node)
        return _call("__divide__", node, node.left, node.right) if _divides(node.op) else node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """Replace ``a /= b``."""
        self.generic_visit(node)
        if not _divides(node.op):
            return node
        read = ast.parse(ast.unparse(node.target), mode="eval").body
        for part in ast.walk(read):
            ast.copy_location(part, node.target)
        value = _call("__divide_in_place__", node, read, node.value)
        return ast.copy_location(ast.Assign([node.target], value), node)


def _divides(op: ast.operator) -> bool:
    return isinstance(op, ast.Div)


def _call(name: str, node: ast.AST, *arguments: ast.expr) -> ast.Call:
    function = ast.copy_location(ast.Name(name, ast.Load()), node)
    return ast.copy_location(ast.Call(function, list(arguments), []), node)


def _with_old_division(tree: ast.Module) -> ast.Module:
    """Return a module whose divisions, and some names, are those of Python 2."""
    names = {item.id for item in ast.walk(tree) if isinstance(item, ast.Name)}
    bound = {
        item.id
        for item in ast.walk(tree)
        if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)
    }
    bound |= {item.name for item in tree.body if isinstance(item, ast.FunctionDef | ast.ClassDef)}
    imports: set[tuple[str, str, str | None]] = {
        (_SUPPLIED[name], name, None) for name in _SUPPLIED if name in names - bound
    }
    tree = _OldMethods().visit(tree)
    if not _has_future(tree, "division"):
        tree = _OldDivision().visit(tree)
    called = {item.id for item in ast.walk(tree) if isinstance(item, ast.Name)}
    for name in ("decode", "join", "sort", "divide", "divide_in_place"):
        if f"__{name}__" in called:
            imports.add((__name__, name, f"__{name}__"))
    place = _after_head(tree)
    for module, name, alias in _builtins.sorted(imports, key=str):
        line = ast.ImportFrom(module, [ast.alias(name, alias)], 0)
        tree.body.insert(place, ast.copy_location(line, ast.Pass(lineno=1, col_offset=0)))
    return ast.fix_missing_locations(tree)


def _has_future(tree: ast.Module, name: str) -> bool:
    return any(
        isinstance(item, ast.ImportFrom)
        and item.module == "__future__"
        and any(alias.name == name for alias in item.names)
        for item in tree.body
    )


def _after_head(tree: ast.Module) -> int:
    """Return the place after the docstring and imports of ``__future__``."""
    place = 0
    for item in tree.body:
        is_text = isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)
        is_future = isinstance(item, ast.ImportFrom) and item.module == "__future__"
        if not is_future and not (is_text and place == 0):
            break
        place += 1
    return place


# -- import ----------------------------------------------------------------------------------------


class _OldLoader(SourceFileLoader):
    """Loads a module of a program in Python 2; nothing is written beside its file."""

    def get_code(self, fullname: str) -> CodeType | None:
        """Return the code."""
        path = self.get_filename(fullname)
        package = fullname if self.is_package(fullname) else fullname.rpartition(".")[0]
        return compile_old(self.get_data(path), path, package)


class OldFinder(MetaPathFinder):
    """Finds the modules of a program in Python 2.

    Parameters
    ----------
    folders
        Where they are.
    """

    def __init__(self, folders: Sequence[str | Path]) -> None:
        self.folders = [Path(folder).resolve() for folder in folders]

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return where a module of the program is, None for others."""
        found = PathFinder.find_spec(fullname, path)
        if found is None or not isinstance(found.loader, SourceFileLoader) or not found.origin:
            return None
        if not self.has(found.origin):
            return None
        return spec_from_file_location(
            fullname,
            found.origin,
            loader=_OldLoader(fullname, found.origin),
            submodule_search_locations=found.submodule_search_locations,
        )

    def has(self, path: str) -> bool:
        """Return whether a file is one of the program's, and not of an installed package."""
        file = Path(path).resolve()
        if {"site-packages", "dist-packages"} & set(file.parts):
            return False
        return any(folder in file.parents for folder in self.folders)


def convert_imports(folders: Sequence[str | Path]) -> OldFinder:
    """Convert modules in some folders while they are imported.

    Returns
    -------
    What is in ``sys.meta_path`` until it is removed there.
    """
    _tool()
    finder = OldFinder(folders)
    sys.meta_path.insert(0, finder)
    return finder

"""The declarations of what packages import or make on first access, for type checkers and editors.

Each such package has a file ``lazy.pyi``, which is written from the package's tables, and which its
``__init__.py`` imports ``if TYPE_CHECKING``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from textwrap import wrap
from types import ModuleType

import symtheano
from symtheano.tensor import basic
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.row_signature import signature_of
from symtheano.tensor.type import TensorType

ROOT = Path(symtheano.__file__).parent.parent
PACKAGES = (
    "symtheano", "symtheano.nn", "symtheano.sparse", "symtheano.tensor", "symtheano.tensor.nnet",
)  # fmt: skip

_WIDTH = 100
_HEADER = '''"""Names of {package} that are imported or made on first access, for type checkers.

Written from the package's tables by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

'''
_NEEDED = """\
from collections.abc import Sequence
from typing import Any, Protocol, overload

from symtheano.tensor.type import TensorType
"""
_SEVERAL = """
class Several(Protocol):
    @overload
    def __call__(
        self, first: str | int, second: str, /, *more: str, dtype: Any = ..., shape: Any = ...
    ) -> list[Tensor]: ...
    @overload
    def __call__(
        self, names: str | int | Sequence[str], /, *, dtype: Any = ..., shape: Any = ...
    ) -> Any: ...

"""


def path_of(package: str) -> Path:
    """Return the file with the declarations of a package."""
    return ROOT.joinpath(*package.split("."), "lazy.pyi")


def stub(package: str) -> str:
    """Return the declarations of the public names that ``__init__.py`` does not define itself."""
    parts = [_HEADER.format(package=package)]
    own = defined(path_of(package).with_name("__init__.py"))
    imported = {name: module for name, module in _modules(package) if name not in own}
    if package == "symtheano.tensor":
        parts.append(_NEEDED)
    if package.startswith("symtheano.tensor"):
        parts.append("from symtheano.scalar.operand import TensorLike, Tensor\n")
    parts += _imports(imported)
    module, taken = import_module(package), own | set(imported)
    if package == "symtheano.tensor":
        parts += [_SEVERAL, *_constructors(), *_rows(module, taken)]
    elif package == "symtheano.tensor.nnet":
        parts += _rows(module, taken)
    return "".join(parts)


def defined(path: Path) -> set[str]:
    """Return the names that a module binds when it is imported."""
    found: set[str] = set()
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Assign):
            found |= {
                name.id
                for target in node.targets
                for name in ast.walk(target)
                if isinstance(name, ast.Name)
            }
    return found


def _modules(package: str) -> Iterator[tuple[str, str]]:
    """Yield names that a package imports on first access, with the modules that have them."""
    module = import_module(package)
    prefix = "symtheano" if package == "symtheano.tensor" else package
    tables = vars(module)
    for name, where in tables.get("_MODULE_OF", tables.get("_WHERE", {})).items():
        yield name, f"{prefix}.{where}"
    modules = tables["_MODULES"] if package != "symtheano.sparse" else ()
    for name in modules:
        where = f"{package}.{modules[name] if isinstance(modules, Mapping) else name}"
        yield name, where.rpartition(".")[0]


def _imports(modules: Mapping[str, str]) -> Iterator[str]:
    public = sorted((module, name) for name, module in modules.items() if name[0] != "_")
    for module in dict.fromkeys(module for module, _ in public):
        names = [f"{name} as {name}," for where, name in public if where == module]
        line = f"from {module} import {' '.join(names)[:-1]}\n"
        yield line if len(line) <= _WIDTH + 1 else f"from {module} import (\n{_packed(names)})\n"


def _packed(items: Iterable[str]) -> str:
    joined = [item.replace(" ", "\0") for item in items]
    lines = wrap(" ".join(joined), _WIDTH, initial_indent="    ", subsequent_indent="    ",
                 break_long_words=False, break_on_hyphens=False)  # fmt: skip
    return "".join(f"{line}\n" for line in lines).replace("\0", " ")


def _constructors() -> Iterator[str]:
    for name, made in basic.constructors().items():
        if isinstance(made, TensorType):
            yield f"{name}: TensorType\n"
        elif name in basic._SHAPES:
            yield (
                f"def {name}(name: str | None = None, dtype: Any = None, shape: Any = None) "
                f'-> Tensor:\n    """{made.__doc__}"""\n\n'
            )
        else:
            yield f"{name}: Several\n"


def _rows(module: ModuleType, taken: set[str]) -> Iterator[str]:
    for name in sorted(set(module.__all__) - taken):
        function = getattr(module, name)
        if not isinstance(function, Elemwise):
            continue
        row = function.scalar_op
        signature = signature_of(row)
        operands = str(signature).replace("'", "")
        text = f"def {name}{operands}:\n"
        if len(text) > _WIDTH:
            text = f"def {name}(\n    {operands[1 : operands.rindex(')')]}\n) -> Tensor:\n"
        doc = "\n    ".join(wrap(f'"""{row.doc}"""', _WIDTH - 4))
        yield f"\n{text}    {doc}\n"

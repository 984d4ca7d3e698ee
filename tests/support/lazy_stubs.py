"""The declarations of what packages import or make on first access, for type checkers and editors.

Each such package has a file ``lazy.pyi``, which is written from the package's tables, and which its
``__init__.py`` imports ``if TYPE_CHECKING``.

Pyright considers names from ``import *`` private if the importing module has an ``__all__`` that it
can read and that lacks them. So each stub has an ``__all__``, a list of strings, and the packages
add it to theirs by ``__all__ += _lazy.__all__``, a form that pyright reads.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import keyword
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from inspect import Parameter
from pathlib import Path
from textwrap import wrap
from types import ModuleType
from typing import Any

import symtheano
from symtheano.nn.functions import BY_AXES
from symtheano.nn.layers.configuration import LAYERS
from symtheano.nn.lookup import snake_case
from symtheano.nn.model import Model
from symtheano.nn.sequential import OF_MODELS, Sequential
from symtheano.tensor import basic
from symtheano.tensor.elemwise import Elemwise
from symtheano.tensor.row_signature import signature_of
from symtheano.tensor.type import TensorType

ROOT = Path(symtheano.__file__).parent.parent
PACKAGES = (
    "symtheano", "symtheano.nn", "symtheano.sparse", "symtheano.tensor", "symtheano.tensor.linalg",
    "symtheano.tensor.nnet", "symtheano.tensor.random", "symtheano.tensor.special",
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


def source_of(package: str) -> Path:
    """Return the file that imports these declarations."""
    return ROOT.joinpath(*package.split("."), "__init__.py")


def stub(package: str) -> str:
    """Return the declarations of the public names that the source does not define itself."""
    parts = [_HEADER.format(package=package)]
    own = defined(source_of(package))
    imported = {name: where for name, where in _modules(package) if name not in own}
    if package == "symtheano.tensor":
        parts.append(_NEEDED)
    if package in ("symtheano.tensor", "symtheano.tensor.nnet"):
        parts.append("from symtheano.scalar.operand import TensorLike, Tensor\n")
    parts += _imports(imported)
    module, taken = import_module(package), own | set(imported)
    if package == "symtheano.tensor":
        parts += [_SEVERAL, *_constructors(), *_rows(module, taken)]
    elif package == "symtheano.tensor.nnet":
        parts += _rows(module, taken)
    text = "".join(parts)
    names = (json.dumps(name) + "," for name in sorted(declared(text)))
    return f"{text}\n__all__: list[str] = [\n{_packed(names)}]\n"


def declared(text: str) -> set[str]:
    """Return the public names that a stub declares."""
    names: set[str] = set()
    for node in ast.parse(text).body:
        if isinstance(node, ast.ImportFrom):
            names |= {alias.asname for alias in node.names if alias.asname is not None}
        elif isinstance(node, ast.FunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names.add(node.target.id)
        elif isinstance(node, ast.Assign):
            names |= {name.id for name in node.targets if isinstance(name, ast.Name)}
    return names - {"__all__"}


def defined(path: Path) -> set[str]:
    """Return the names that a module binds when it is imported."""
    found: set[str] = set()
    body = ast.parse(path.read_text()).body
    blocks = [statement for node in body if isinstance(node, ast.With) for statement in node.body]
    for node in [*body, *blocks]:
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


def _modules(package: str) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield names that a package imports on first access, with modules and the names there."""
    tables = vars(import_module(package))
    if "_PLACES" in tables:  # see symtheano.names.late
        for name, (where, own) in tables["_PLACES"].items():
            yield name, (f"symtheano.{where}", own)
        return
    prefix = "symtheano" if package == "symtheano.tensor" else package
    for name, where in tables.get("_MODULE_OF", tables.get("_WHERE", {})).items():
        yield name, (f"{prefix}.{where}", name)
    modules = tables["_MODULES"] if package != "symtheano.sparse" else ()
    for name in modules:
        where = f"{package}.{modules[name] if isinstance(modules, Mapping) else name}"
        yield name, (where.rpartition(".")[0], name)


def _imports(places: Mapping[str, tuple[str, str]]) -> Iterator[str]:
    public = sorted((where, own, name) for name, (where, own) in places.items() if name[0] != "_")
    for module in dict.fromkeys(where for where, _, _ in public):
        names = [f"{own} as {name}," for where, own, name in public if where == module]
        line = f"from {module} import {' '.join(names)[:-1]}\n"
        yield line if len(line) <= _WIDTH + 1 else f"from {module} import (\n{_packed(names)})\n"


def _packed(items: Iterable[str], indent: str = "    ") -> str:
    joined = [item.replace(" ", "\0") for item in items]
    lines = wrap(" ".join(joined), _WIDTH, initial_indent=indent, subsequent_indent=indent,
                 break_long_words=False, break_on_hyphens=False)  # fmt: skip
    return "".join(f"{line}\n" for line in lines).replace("\0", " ")


def _constructors() -> Iterator[str]:
    for name, made in basic.constructors().items():
        if isinstance(made, TensorType):
            yield f"{name}: TensorType\n"
        elif name in basic._SHAPES:
            yield (
                f"def {name}(name: str | None = None, dtype: Any = None, shape: Any = None) "
                f'-> Tensor:\n    """{made.__doc__}"""\n'
            )
        else:
            yield f"{name}: Several\n"


def _rows(module: ModuleType, taken: set[str]) -> Iterator[str]:
    """Yield the functions of rows, and after them their other names."""
    functions = {
        name: function.scalar_op
        for name in sorted(set(module.__all__) - taken)
        if isinstance(function := getattr(module, name), Elemwise)
    }
    own = {row: name for name, row in functions.items()}
    own |= {row: name for name, row in functions.items() if name == row.name}
    for name, row in functions.items():
        if own[row] != name:
            continue
        signature = signature_of(row)
        operands = str(signature).replace("'", "")
        text = f"def {name}{operands}:\n"
        if len(text) > _WIDTH:
            text = f"def {name}(\n    {operands[1 : operands.rindex(')')]}\n) -> Tensor:\n"
        doc = "\n    ".join(wrap(f'"""{row.doc}"""', _WIDTH - 4))
        yield f"{text}    {doc}\n"
    yield from (f"{name} = {own[row]}\n" for name, row in functions.items() if own[row] != name)


CHAIN = ROOT / "symtheano" / "nn" / "chain.pyi"
"""The methods of chains, which :class:`symtheano.nn.Sequential` finds by the names of layers."""

_CHAIN_HEADER = '''"""The methods of chains, and what they share with models, for type checkers.

Written from the tables of layers by ``pytest --update-golden tests/test_lazy_stubs.py``.
"""

'''


def chain_stub() -> str:
    """Return the declarations of what ``Sequential.__getattr__`` returns."""
    for name in dir(symtheano.nn):  # reading the names imports the modules of all layers
        getattr(symtheano.nn, name)
    imports: dict[str, tuple[str, str]] = {}
    own = {name: kind for name, kind in LAYERS.items() if getattr(symtheano.nn, name, None) is kind}
    layers = {snake_case(name): kind for name, kind in own.items() if kind.arity in (1, None)}
    layers |= {name: kinds[2] for name, kinds in BY_AXES.items()}
    taken = {*vars(Sequential), *keyword.kwlist}
    layers = {name: kind for name, kind in layers.items() if name not in taken}
    names = {kind: snake_case(kind.__name__) for kind in layers.values()}
    lines = ["class ChainMembers:\n"]
    for name, kind in sorted(layers.items()):
        if name == names[kind]:
            lines += _method(name, kind, "Sequential", imports)
    lines += [f"    {n} = {names[kind]}\n" for n, kind in layers.items() if n != names[kind]]
    for name in sorted(OF_MODELS):
        lines += _member(name, imports)
    imported = _imports({**imports, "Sequential": ("symtheano.nn.sequential", "Sequential")})
    return "".join([_CHAIN_HEADER, *imported, "\n", *lines])


def _member(name: str, imports: dict[str, tuple[str, str]]) -> Iterator[str]:
    """Yield the declaration of what a chain has in common with its model."""
    member = inspect.getattr_static(Model, name, None)
    if isinstance(member, property):
        assert member.fget is not None
        result = _annotation(member.fget.__annotations__["return"], member.fget, imports)
        yield f"    @property\n    def {name}(self) -> {result}: ...\n"
    elif member is None:
        yield f"    {name}: {_ATTRIBUTES[name]}\n"
    else:
        result = _annotation(member.__annotations__["return"], member, imports)
        yield from _method(name, member, result, imports)


_ATTRIBUTES = {"built": "bool", "name": "str", "stop_training": "bool"}


def _method(
    name: str, function: Callable[..., Any], result: str, imports: dict[str, tuple[str, str]]
) -> Iterator[str]:
    """Yield the declaration of a method with the arguments of a class or function."""
    items = ["self"]
    starred = False
    for item in inspect.signature(function).parameters.values():
        if item.name == "self":
            continue
        if item.kind is Parameter.KEYWORD_ONLY and not starred:
            items.append("*")
        starred |= item.kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_POSITIONAL)
        items.append(_parameter(item, function, imports))
    doc = inspect.cleandoc(function.__doc__ or "").partition("\n")[0]
    head = f"    def {name}({', '.join(items)}) -> {result}:\n"
    if len(head) > _WIDTH:
        packed = _packed((f"{item}," for item in items), " " * 8)
        head = f"    def {name}(\n{packed}    ) -> {result}:\n"
    text = "\n        ".join(wrap(f'"""{doc}"""', _WIDTH - 8))
    yield f"{head}        {text}\n"


def _parameter(
    item: Parameter, function: Callable[..., Any], imports: dict[str, tuple[str, str]]
) -> str:
    star = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}.get(item.kind, "")
    owner: Any = function
    if isinstance(function, type):
        owner = next(
            (
                kind
                for kind in function.__mro__
                if item.name in vars(kind).get("__annotations__", ())
            ),
            function.__init__,  # type: ignore[misc]
        )
    text = f"{star}{item.name}: {_annotation(item.annotation, owner, imports)}"
    if item.default is Parameter.empty:
        return text
    default = item.default
    if isinstance(default, str):
        return f"{text} = {json.dumps(default)}"
    is_literal = isinstance(default, bool | int | float | None) or default == ()
    return f"{text} = {default!r}" if is_literal else f"{text} = ..."


def _annotation(text: Any, owner: Any, imports: dict[str, tuple[str, str]]) -> str:
    """Return an annotation, and note from which modules its names come."""
    text = str(text)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and not hasattr(builtins, node.id):
            imports[node.id] = _home(node.id, owner.__module__), node.id
    return text


def _home(name: str, module: str) -> str:
    """Return the module from which a module has a name, in the end."""
    while module.startswith("symtheano."):
        tree = ast.parse(inspect.getsource(import_module(module)))
        sources = [
            node.module
            for node in ast.walk(tree)
            if isinstance(node, ast.ImportFrom) and name in [item.name for item in node.names]
        ]
        if not sources or sources[0] is None:
            break
        module = sources[0]
    return module

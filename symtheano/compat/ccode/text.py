"""The C++ file of one node: what its op and the types of its variables say, in order.

The function ``run`` declares the C variables of all variables. Then, in nested blocks, each input
and output is taken from its list, the op's code runs, and what was taken is released in reverse
order. Where something fails, the rest of a block is skipped, and the release of the blocks around
it runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from symtheano.codegen.template import file_text, fill
from symtheano.compat.ccode.numbers import is_on_numbers
from symtheano.compat.ccode.values import code_of, extract_out, with_check
from symtheano.graph.variable import Apply

MISSING: list[type[Exception]] = [NotImplementedError]
"""What methods raise that an op or a type does not have; Theano's class is added."""

_RUN_NAME = "node_0"


@dataclass(frozen=True)
class NodeText:
    """The file of a node, and how it is compiled.

    Attributes
    ----------
    source
        The text.
    flags, removed
        Arguments of the compiler; those that it must not get.
    header_dirs, libraries, library_dirs
        What is given to the compiler and the linker.
    """

    source: str
    flags: tuple[str, ...] = ()
    removed: frozenset[str] = frozenset()
    header_dirs: tuple[str, ...] = ()
    libraries: tuple[str, ...] = ()
    library_dirs: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Place:
    """A variable's place in the file: its list's number, its C name, its type's code."""

    number: int
    name: str
    code: Any

    def sub(self, fail: str) -> dict[str, str]:
        return {"fail": fail, "failure_var": "__failure", "id": str(self.number)}


def node_text(node: Apply, params: tuple[Any, Any] | None = None) -> NodeText:
    """Return the file of a node.

    Parameters
    ----------
    node
        The node.
    params
        The type and the value of its parameters, if it has some.

    Raises
    ------
    NotImplementedError, or one of :data:`MISSING`
        If the op or the type of a variable has no C code.
    """
    op: Any = node.op
    variables = list(dict.fromkeys(node.inputs))
    numbers = is_on_numbers(node)
    places = {item: _place(place, item.type, numbers) for place, item in enumerate(variables)}
    outputs = [
        _place(place, item.type, numbers) for place, item in enumerate(node.outputs, len(variables))
    ]
    inputs = [places[item] for item in variables]
    extra = (
        [] if params is None else [_Place(len(variables) + len(outputs), "P0", code_of(params[0]))]
    )
    check = getattr(op, "check_input", True)
    last = len(variables) + len(outputs) + len(extra)
    names = [places[item].name for item in node.inputs], [item.name for item in outputs]
    sub = {"fail": _fail(last), "failure_var": "__failure", "id": str(last), "struct_id": "0"}
    at_start = {"fail": _fail_at_start(), "id": "0"}
    if extra:
        sub["params"] = at_start["params"] = extra[0].name
    body = op.c_code(node, _RUN_NAME, *names, sub)
    cleanup = _text(op, "c_code_cleanup", node, _RUN_NAME, *names, sub)
    owners = [op, *(item.code for item in (*inputs, *outputs, *extra))]
    support = [
        *_listed(owners, "c_support_code"),
        _text(op, "c_support_code_apply", node, _RUN_NAME),
    ]
    words = {
        "TITLE": _comment(str(op)),
        "COUNT": str(last),
        "HEADERS": "\n".join(map(_include, _listed(owners, "c_headers"))),
        "SUPPORT": "\n".join(support),
        "STRUCT": "\n".join(
            [*map(_declared, extra), _text(op, "c_support_code_struct", node, _RUN_NAME)]
        ),
        "START": "\n".join(
            [
                *(_taken(item, at_start["fail"]) for item in extra),
                _block(_text(op, "c_init_code_struct", node, _RUN_NAME, at_start)),
            ]
        ),
        "STOP": "\n".join(
            [_block(_text(op, "c_cleanup_code_struct", node, _RUN_NAME)), *map(_released, extra)]
        ),
        "RUN": _run(inputs, outputs, body, cleanup, last, check),
        "INIT": "\n".join(
            [*_listed(owners, "c_init_code"), _text(op, "c_init_code_apply", node, _RUN_NAME)]
        ),
    }
    return NodeText(
        fill(file_text(__file__, "node.cpp"), {key: _current(text) for key, text in words.items()}),
        tuple(_listed(owners, "c_compile_args")),
        frozenset(_listed(owners, "c_no_compile_args")),
        tuple(_listed(owners, "c_header_dirs")),
        tuple(_listed(owners, "c_libraries")),
        tuple(_listed(owners, "c_lib_dirs")),
    )


def _place(number: int, type: Any, is_number: bool) -> _Place:
    return _Place(number, f"V{number}", code_of(type, is_number))


_ITEMSIZE = re.compile(r"PyArray_DESCR\(([^()]+)\)\s*->\s*elsize|(\w+)->descr->elsize")


def _current(text: str) -> str:
    """Return C code without a field that NumPy 2 does not show: the bytes of an element."""
    return _ITEMSIZE.sub(lambda match: f"PyArray_ITEMSIZE({match[1] or match[2]})", text)


def label_of(node: Apply) -> str:
    """Return what tells the user which node it is: the op, and the line of the program."""
    place = "" if node.origin is None else f", {node.origin.filename}:{node.origin.line}"
    return f"{node.op}{place}"


# -- what ops and types say ----------------------------------------------------------------------


def _text(thing: Any, method: str, *arguments: Any) -> str:
    """Return the result of a method, empty if there is none.

    Raises
    ------
    TypeError
        If it is not a string.
    """
    function = getattr(thing, method, None)
    if function is None:
        return ""
    try:
        result = function(*arguments)
    except tuple(MISSING):
        return ""
    if not isinstance(result, str):
        raise TypeError(f"{thing}: {method} returned {result!r}, not a string")
    return result


def _listed(things: Sequence[Any], method: str) -> list[str]:
    """Return what methods return, lists and single strings, each item once."""
    found: dict[str, None] = {}
    for thing in things:
        for item in _items(getattr(thing, method, None)):
            found[item] = None
    return list(found)


def _items(method: Callable[..., Any] | None) -> Sequence[str]:
    """Return the result of a method, which may take the compiler, as a list."""
    if method is None:
        return ()
    try:
        try:
            result = method()
        except TypeError:
            result = method(Compiler)
    except tuple(MISSING):
        return ()
    return [result] if isinstance(result, str) else list(result or ())


class Compiler:
    """What methods such as ``c_headers(c_compiler)`` get."""

    name = "g++"

    @staticmethod
    def compile_args(march_flags: bool = True) -> list[str]:
        """Return arguments that are always given."""
        return []


# -- blocks ----------------------------------------------------------------------------------------


def _fail(number: int) -> str:
    """Return what a program writes where something fails in block ``number``."""
    return f"{{__failure = {number + 1}; goto __label_{number};}}"


def _fail_at_start() -> str:
    return "{return 1;}"


def _block(code: str) -> str:
    return f"{{\n{code}\n}}"


def _declared(place: _Place, check: bool = True) -> str:
    sub = place.sub(_fail(place.number))
    return f"PyObject *py_{place.name};\n{with_check(place.code.c_declare, place.name, sub, check)}"


def _taken(place: _Place, fail: str, output: bool = False, check: bool = True) -> str:
    """Return code that takes a variable's value from its list."""
    sub = place.sub(fail)
    if output:
        code = extract_out(place.code, place.name, sub, check)
    else:
        code = with_check(place.code.c_extract, place.name, sub, check)
    return f"""py_{place.name} = PyList_GET_ITEM(storage[{place.number}], 0);
    Py_INCREF(py_{place.name});
    {_block(code)}"""


def _released(place: _Place) -> str:
    sub = place.sub(_fail(place.number))
    return f"{_block(place.code.c_cleanup(place.name, sub))}\nPy_XDECREF(py_{place.name});"


def _stored(place: _Place) -> str:
    """Return code that puts an output's value into its list, unless something has failed."""
    sub = place.sub("{__failure = 1;}")
    return f"""if (!__failure) {{
    {_block(place.code.c_sync(place.name, sub))}
    PyObject *__old = PyList_GET_ITEM(storage[{place.number}], 0);
    Py_INCREF(py_{place.name});
    PyList_SET_ITEM(storage[{place.number}], 0, py_{place.name});
    Py_XDECREF(__old);
    }}"""


def _run(
    inputs: Sequence[_Place],
    outputs: Sequence[_Place],
    body: str,
    cleanup: str,
    last: int,
    check: bool,
) -> str:
    """Return the body of the function that computes the node."""
    every = [*inputs, *outputs]
    heads = [_declared(item, check) for item in every]
    tails = []
    for item in every:
        output = item in outputs
        heads.append(f"{{\n{_taken(item, _fail(item.number), output, check)}")
        stored = f"{_stored(item)}\n" if output else ""
        tails.append(f"__label_{item.number}: ;\n{stored}{_released(item)}\n}}")
    op = f"{{\n{_block(body)}\n__label_{last}: ;\n{_block(cleanup)}\n}}"
    return "\n".join([*heads, op, *reversed(tails)])


def _include(header: str) -> str:
    name = header if header[:1] in '<"' else f'"{header}"'
    return f"#include {name}"


def _comment(text: str) -> str:
    return text.replace("*/", "* /")

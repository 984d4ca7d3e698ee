"""Types, under Theano's names, and that of pointers which ops with C code pass on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from symtheano.graph.type import Generic as Generic, generic as generic
from symtheano.graph.variable import Constant

from .enums import CEnumType as CEnumType, EnumList as EnumList, EnumType as EnumType
from .interfaces import CLinkerType as CLinkerType, Sub
from .typeclass import PureType as PureType, SingletonType as SingletonType, Type as Type

_DESTRUCTOR = """
#ifndef SYMTHEANO_CAPSULE
#define SYMTHEANO_CAPSULE
static void symtheano_free(PyObject *capsule)
{
    void (*function)(void *) = (void (*)(void *))PyCapsule_GetContext(capsule);
    if (function != NULL) function(PyCapsule_GetPointer(capsule, NULL));
}
#endif
"""


class CDataType(Type):
    """The type of a C pointer, which Python sees as a capsule.

    Parameters
    ----------
    ctype
        The C type of the pointer, with its ``*``.
    freefunc
        The C function that frees what it points to.
    headers, header_dirs, libraries, lib_dirs, compile_args, extra_support_code
        What C code with this type needs.
    version
        Accepted; compiled code is found by its text.
    """

    __props__ = (
        *("ctype", "freefunc", "headers", "header_dirs", "libraries", "lib_dirs"),
        *("extra_support_code", "compile_args", "version"),
    )

    def __init__(
        self,
        ctype: Any,
        freefunc: Any = None,
        headers: Iterable[str] = (),
        header_dirs: Iterable[str] = (),
        libraries: Iterable[str] = (),
        lib_dirs: Iterable[str] = (),
        compile_args: Iterable[str] = (),
        extra_support_code: str = "",
        version: Any = None,
    ) -> None:
        if not isinstance(ctype, str) or not isinstance(freefunc, str | None):
            raise TypeError("CDataType: ctype and freefunc are strings")
        self.ctype, self.freefunc, self.version = ctype, freefunc, version
        self.headers, self.header_dirs = tuple(headers), tuple(header_dirs)
        self.libraries, self.lib_dirs = tuple(libraries), tuple(lib_dirs)
        self.compile_args, self.extra_support_code = tuple(compile_args), extra_support_code

    def filter(self, data: Any, strict: bool = False, allow_downcast: bool | None = None) -> Any:
        """Return a capsule or None."""
        if data is not None and type(data).__name__ != "PyCapsule":
            raise TypeError("expected None or a PyCapsule")
        return data

    def make_value(self, ptr: int) -> Any:
        """Return the capsule of an address."""
        import ctypes

        make = ctypes.pythonapi.PyCapsule_New
        make.restype = ctypes.py_object
        make.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ptr, None, None)

    def c_declare(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return the declaration of the pointer."""
        return f"{self.ctype} {name};"

    def c_init(self, name: str, sub: Sub) -> str:
        """Return code that makes the pointer NULL."""
        return f"{name} = NULL;"

    def c_extract(self, name: str, sub: Sub, check_input: bool = True) -> str:
        """Return code that takes the pointer from the capsule."""
        return f"""{name} = ({self.ctype})PyCapsule_GetPointer(py_{name}, NULL);
        if ({name} == NULL) {sub["fail"]}"""

    def c_support_code(self) -> str:
        """Return what frees the pointer of a capsule."""
        return _DESTRUCTOR + self.extra_support_code

    def c_sync(self, name: str, sub: Sub) -> str:
        """Return code that makes a capsule."""
        free = self.freefunc or "NULL"
        release = f"{self.freefunc}({name});" if self.freefunc else ""
        return f"""Py_XDECREF(py_{name});
        if ({name} == NULL) {{
            py_{name} = Py_None;
            Py_INCREF(Py_None);
        }} else {{
            py_{name} = PyCapsule_New((void *){name}, NULL, symtheano_free);
            if (py_{name} == NULL || PyCapsule_SetContext(py_{name}, (void *){free})) {{
                {release}
                Py_XDECREF(py_{name});
                py_{name} = Py_None;
                Py_INCREF(Py_None);
                {sub["fail"]}
            }}
        }}"""

    def c_cleanup(self, name: str, sub: Sub) -> str:
        """Return no code: the capsule owns what the pointer points to."""
        return ""

    def c_headers(self) -> tuple[str, ...]:
        """Return the headers."""
        return self.headers

    def c_header_dirs(self) -> tuple[str, ...]:
        """Return the directories of headers."""
        return self.header_dirs

    def c_libraries(self) -> tuple[str, ...]:
        """Return the libraries."""
        return self.libraries

    def c_lib_dirs(self) -> tuple[str, ...]:
        """Return the directories of libraries."""
        return self.lib_dirs

    def c_compile_args(self) -> tuple[str, ...]:
        """Return the arguments of the compiler."""
        return self.compile_args

    def __str__(self) -> str:
        return f"{type(self).__name__}{{{self.ctype}}}"

    def __setstate__(self, state: dict[str, Any]) -> None:
        missing: dict[str, Any] = dict.fromkeys(
            ("headers", "header_dirs", "libraries", "lib_dirs", "compile_args"), ()
        )
        self.__dict__.update({**missing, "extra_support_code": "", "version": None, **state})


class CDataTypeConstant(Constant):
    """A capsule that is known when the graph is built; only itself is equal to it."""

    def merge_signature(self) -> int:
        """Return what tells it from others."""
        return id(self.data)

    def signature(self) -> tuple[object, ...]:
        """Return what tells it from others."""
        return (self.type, id(self.data))


CDataType.Constant = CDataTypeConstant

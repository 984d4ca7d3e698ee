"""The finder: ``import theano`` finds the modules of :mod:`symtheano.compat.theano`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

TREE = Path(__file__).parent / "theano"
"""The folder of the modules. Each is a module of Theano's, with names of symtheano."""

OF_CHILDREN = str(Path(__file__).parent / "children")
"""A folder of ``sys.path`` for processes that are started anew, which have no finder."""

_GPU = (
    "its GPU back ends are not available; symtheano runs functions on a device with "
    "symtheano.config.device = 'cuda'"
)
ABSENT = {
    "theano.sandbox.cuda": _GPU,
    "theano.sandbox.gpuarray": _GPU,
    "theano.gpuarray": _GPU,
    "theano.misc.pycuda_init": _GPU,
    "theano.misc.pycuda_utils": _GPU,
    "theano.misc.gnumpy_utils": _GPU,
    "theano.misc.cudamat_utils": _GPU,
    "theano.d3viz": "symtheano.printing.html_view draws a graph",
}
"""Modules of Theano that have no counterpart, and what to use."""


class TheanoFinder(MetaPathFinder):
    """Finds the module ``theano``; its submodules are found in its folder, as those of any package.

    Modules that are missing raise an ``ImportError`` that says what to use.
    """

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return where a module is, or None if it is not one of Theano's."""
        if fullname == "theano":
            return spec_from_file_location(
                fullname, TREE / "__init__.py", submodule_search_locations=[str(TREE)]
            )
        if not fullname.startswith("theano.") or path is None or str(TREE) not in str(list(path)):
            return None
        found = PathFinder.find_spec(fullname, path)
        if found is None:
            raise MissingModule(fullname)
        return found


class MissingModule(ModuleNotFoundError):
    """A module of Theano's that symtheano does not have.

    Parameters
    ----------
    name
        The module's name.
    """

    def __init__(self, name: str) -> None:
        places = [name, *(name.rsplit(".", n)[0] for n in range(1, name.count(".") + 1))]
        hint = next((ABSENT[place] for place in places if place in ABSENT), None)
        message = f"No module named {name!r} in symtheano.compat"
        super().__init__(f"{message}: {hint}" if hint else message, name=name)


FINDER = TheanoFinder()


def real_theano() -> ModuleSpec | None:
    """Return where a Theano is that is installed, or None."""
    return PathFinder.find_spec("theano", [path for path in sys.path if path != OF_CHILDREN])


def loaded() -> dict[str, ModuleType]:
    """Return the modules named ``theano`` that this finder has found, by name."""
    return {
        name: module
        for name, module in sys.modules.items()
        if (name == "theano" or name.startswith("theano."))
        and str(TREE) in str(getattr(module, "__file__", ""))
    }

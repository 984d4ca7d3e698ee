"""Programs written for Theano run unchanged.

``install()`` makes ``import theano`` find symtheano's modules under Theano's names. From the first
``import theano`` on, expressions have Theano's meaning where it differs from symtheano's own.
``symtheano run program.py`` and ``python -m symtheano.compat program.py`` install it for one
program. Without them, nothing has the name ``theano``.
"""

from __future__ import annotations

import sys
from importlib import import_module

from symtheano.compat.finder import FINDER, OF_CHILDREN, loaded, real_theano
from symtheano.compat.supplies import withdraw
from symtheano.config import config

__all__ = ["ignored_flags", "install", "is_installed", "uninstall"]


def install(*, replace: bool = False) -> bool:
    """Make ``import theano`` find symtheano.

    When ``theano`` is imported, expressions get Theano's meaning (``config.theano_semantics``).

    Parameters
    ----------
    replace
        Whether to hide a Theano that is installed. Otherwise that one is used.

    Returns
    -------
    bool
        Whether ``import theano`` now finds symtheano.

    Raises
    ------
    ImportError
        If another Theano has been imported already, and it is to be replaced.

    Examples
    --------
    >>> from symtheano import compat
    >>> compat.install()
    True
    >>> import theano
    >>> theano.tensor.nnet.softmax(theano.tensor.vector("x")).ndim
    2
    >>> compat.uninstall()
    """
    if is_installed():
        return True
    imported = "theano" in sys.modules and "theano" not in loaded()
    if imported and replace:
        raise ImportError("install: another module theano has been imported; install before that")
    if imported or (real_theano() is not None and not replace):
        return False
    sys.meta_path.insert(0, FINDER)
    if OF_CHILDREN not in sys.path:
        sys.path.insert(1, OF_CHILDREN)  # the first one is the program's folder
    return True


def uninstall() -> None:
    """Undo :func:`install`: the name ``theano`` and Theano's meaning are gone.

    Objects of the modules that were imported remain usable.
    """
    if is_installed():
        sys.meta_path.remove(FINDER)
        if OF_CHILDREN in sys.path:
            sys.path.remove(OF_CHILDREN)
        config.theano_semantics = False
        withdraw()
    for name in loaded():
        del sys.modules[name]


def ignored_flags() -> dict[str, str]:
    """Return the flags in ``THEANO_FLAGS`` and ``.theanorc`` that have no effect, with values."""
    was_installed = is_installed()
    with config.change_flags():
        install(replace=True)
        try:
            found: dict[str, str] = import_module("theano.configparser").ignored()
        finally:
            if not was_installed:
                uninstall()
    return found


def is_installed() -> bool:
    """Return whether ``import theano`` finds symtheano.

    Examples
    --------
    >>> from symtheano import compat
    >>> compat.is_installed()
    False
    """
    return FINDER in sys.meta_path

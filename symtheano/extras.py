"""Optional packages: importing them, and the error if they are not installed."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from symtheano.errors import format_error


def needed(module: str, user: str, extra: str, package: str | None = None) -> Any:
    """Import and return a module of an optional package.

    Parameters
    ----------
    module
        The module.
    user
        The feature that needs it, for the message.
    extra
        The extra of this package that installs it, such as ``nn``.
    package
        The name of the package, if it is not the first part of the module's name.

    Raises
    ------
    ImportError
        If it is not installed; the message says how to install it.

    Examples
    --------
    >>> needed("json", "an example", "nn").dumps([1])
    '[1]'
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise not_installed(package or module.partition(".")[0], user, extra) from error


def not_installed(package: str, user: str, extra: str) -> ImportError:
    """Return the error for an optional package that is not installed.

    Examples
    --------
    >>> print(not_installed("safetensors", "Model.save", "nn"))
    Model.save needs safetensors, which is not installed
      hint: pip install 'symtheano[nn]'
    """
    what = f"{user} needs {package}, which is not installed"
    return ImportError(format_error(what, hint=f"pip install 'symtheano[{extra}]'"))

"""Optional packages."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from symtheano.errors import format_error


def needed(package: str, function: str) -> Any:
    """Return a package of the extra ``symbolic``.

    Raises
    ------
    ImportError
        If it is not installed; the message says how to install it.
    """
    try:
        return import_module(package)
    except ImportError as error:
        hint = "pip install 'symtheano[symbolic]'"
        message = f"{function}: {package} is not installed"
        raise ImportError(format_error(message, hint=hint)) from error

"""``theano.configparser``: flags, read from ``THEANO_FLAGS`` and ``.theanorc``."""

from __future__ import annotations

import configparser as _ini
import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from io import StringIO
from typing import Any

from symtheano.config import did_you_mean


class TheanoConfigWarning(Warning):
    """A flag of ``THEANO_FLAGS`` that can't be used."""


def parse_config_string(config_string: str, issue_warnings: bool = True) -> dict[str, str]:
    """Return the flags of a text such as ``floatX=float32,device=cpu``.

    Parameters
    ----------
    config_string
        Assignments, separated by commas.
    issue_warnings
        Whether to warn of parts that are not assignments, which are ignored.
    """
    flags = {}
    for part in filter(None, map(str.strip, config_string.split(","))):
        name, equals, value = part.partition("=")
        if equals:
            flags[name] = value
        elif issue_warnings:
            warnings.warn(
                f"THEANO_FLAGS: {part!r} is not an assignment, and is ignored",
                TheanoConfigWarning,
                stacklevel=2,
            )
    return flags


THEANO_FLAGS = os.getenv("THEANO_FLAGS", "")
THEANO_FLAGS_DICT = parse_config_string(THEANO_FLAGS)


def config_files_from_theanorc() -> list[str]:
    """Return the paths of the files of flags; later ones have priority."""
    return [os.path.expanduser(p) for p in os.getenv("THEANORC", "~/.theanorc").split(os.pathsep)]


def _read_files() -> _ini.RawConfigParser:
    # Raw, so that the % of a directory's format is no interpolation.
    parser = _ini.RawConfigParser(strict=False)
    paths = config_files_from_theanorc()
    try:
        parser.read(paths)
    except _ini.Error as error:
        warnings.warn(
            f"{os.pathsep.join(paths)}: {error}; what follows is ignored",
            TheanoConfigWarning,
            stacklevel=2,
        )
    return parser


config_files = config_files_from_theanorc()
theano_cfg = theano_raw_cfg = _read_files()


def fetch_val_for_key(key: str, delete_key: bool = False) -> str:
    """Return the text of a flag in ``THEANO_FLAGS`` or in a file.

    Raises
    ------
    KeyError
        If neither sets the flag.
    """
    if key in THEANO_FLAGS_DICT:
        return THEANO_FLAGS_DICT.pop(key) if delete_key else THEANO_FLAGS_DICT[key]
    section, _, option = key.rpartition(".")
    try:
        return theano_cfg.get(section or "global", option)
    except (_ini.NoOptionError, _ini.NoSectionError):
        raise KeyError(key) from None


class ConfigParam:
    """One flag: its default, how a value is checked, and where it is kept.

    Parameters
    ----------
    default
        The value, or a function that returns it.
    filter
        Function that converts a value, or raises ``ValueError``.
    allow_override
        Whether programs may set the flag.
    """

    fullname = ""
    doc = ""
    in_c_key = False
    meaning: tuple[Callable[[], Any], Callable[[Any], None]] | None = None
    """How symtheano's option is read and set that has this flag's meaning."""

    def __init__(
        self,
        default: Any,
        filter: Callable[[Any], Any] | None = None,
        allow_override: bool = True,
    ) -> None:
        self.default, self.filter, self.allow_override = default, filter, allow_override
        self.is_default = True

    def checked(self, value: Any) -> Any:
        """Return a value as one of this flag.

        Raises
        ------
        ValueError
            If it is none.
        """
        try:
            return self.filter(value) if self.filter else value
        except ValueError as error:
            raise ValueError(f"theano.config.{self.fullname} = {value!r}: {error}") from None

    def read(self) -> Any:
        """Return the value."""
        if self.meaning is not None:
            return self.meaning[0]()
        if not hasattr(self, "val"):
            self.val = self.checked(self.default() if callable(self.default) else self.default)
        return self.val

    def write(self, value: Any) -> None:
        """Set the value."""
        checked = self.checked(value)
        if self.meaning is not None:
            self.meaning[1](checked)
        self.val, self.is_default = checked, False

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else self.read()

    def __set__(self, instance: Any, value: Any) -> None:
        if not self.allow_override and self.read() != value:
            raise Exception(
                f"theano.config.{self.fullname} can't be changed by a program; set it in "
                "THEANO_FLAGS or .theanorc"
            )
        self.write(value)

    def __str__(self) -> str:
        return f"{self.fullname} ({self.default}) "


class EnumStr(ConfigParam):
    """A flag whose value is one of some texts."""

    def __init__(self, default: str, *options: str, **kwargs: Any) -> None:
        self.all = (default, *options)
        convert = kwargs.pop("convert", None)

        def one_of(value: Any) -> Any:
            value = convert(value) if convert else value
            if value not in self.all:
                raise ValueError(f"must be one of {', '.join(self.all)}")
            return value

        super().__init__(default, one_of, **kwargs)

    def __str__(self) -> str:
        return f"{self.fullname} ({{{', '.join(map(repr, self.all))}}}) "


class TypedParam(ConfigParam):
    """A flag whose value has a type."""

    def __init__(
        self,
        default: Any,
        mytype: Callable[[Any], Any],
        is_valid: Callable[[Any], bool] | None = None,
        allow_override: bool = True,
    ) -> None:
        self.mytype = mytype

        def of_type(value: Any) -> Any:
            converted = mytype(value)
            if is_valid is not None and not is_valid(converted):
                raise ValueError("the value is not valid")
            return converted

        super().__init__(default, of_type, allow_override)


def StrParam(default: Any, is_valid: Any = None, allow_override: bool = True) -> TypedParam:
    """Return a flag that is a text."""
    return TypedParam(default, str, is_valid, allow_override)


def IntParam(default: Any, is_valid: Any = None, allow_override: bool = True) -> TypedParam:
    """Return a flag that is an integer."""
    return TypedParam(default, int, is_valid, allow_override)


def FloatParam(default: Any, is_valid: Any = None, allow_override: bool = True) -> TypedParam:
    """Return a flag that is a float."""
    return TypedParam(default, float, is_valid, allow_override)


def BoolParam(default: Any, is_valid: Any = None, allow_override: bool = True) -> TypedParam:
    """Return a flag that is true or false, or 1 or 0."""

    def truth(value: Any) -> bool:
        texts = {"false": False, "0": False, "true": True, "1": True}
        if isinstance(value, bool) or value in (0, 1):
            return bool(value)
        if str(value).lower() not in texts:
            raise ValueError("must be True or False")
        return texts[str(value).lower()]

    return TypedParam(default, truth, is_valid, allow_override)


_config_var_list: list[ConfigParam] = []


class _Section:
    """Flags whose names begin alike: ``config.gcc`` of ``config.gcc.cxxflags``."""

    _i_am_a_config_class = True

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        prefix = getattr(type(self), "_prefix", "")
        names = [each.fullname for each in _config_var_list]
        hint = did_you_mean(prefix + name, names)
        raise AttributeError(
            f"theano.config has no flag {prefix}{name}" + (f": {hint}" * bool(hint))
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if not hasattr(type(self), name):
            self.__getattr__(name)
        super().__setattr__(name, value)


class TheanoConfigParser(_Section):
    """``theano.config``: the flags are its attributes."""

    def __str__(self, print_doc: bool = True) -> str:
        buffer = StringIO()
        _config_print(self, buffer, print_doc)
        return buffer.getvalue()

    def change_flags(self, *args: Any, **flags: Any) -> change_flags:
        """Return what :class:`change_flags` makes."""
        return change_flags(*args, **flags)


config = TheanoConfigParser()


def _config_print(thing: Any, buf: Any, print_doc: bool = True) -> None:
    for flag in _config_var_list:
        print(flag, file=buf)
        if print_doc:
            print("    Doc: ", flag.doc, file=buf)
        print("    Value: ", flag.read(), file=buf)
        print("", file=buf)


def AddConfigVar(
    name: str, doc: str, configparam: ConfigParam, root: Any = config, in_c_key: bool = True
) -> None:
    """Add a flag to ``theano.config``.

    Parameters
    ----------
    name
        Its name; dots separate sections.
    doc
        What it means.
    configparam
        Default and check.
    root
        The object to which it is added.
    in_c_key
        Accepted; compiled code is found by its text.

    Raises
    ------
    AttributeError
        If the flag exists, or ``THEANO_FLAGS`` sets it to an invalid value.
    """
    *sections, last = name.split(".")
    place = root
    for depth, section in enumerate(sections, 1):
        kind = type(place)
        if section not in vars(kind):
            prefix = ".".join(sections[:depth]) + "."
            setattr(kind, section, type(section, (_Section,), {"_prefix": prefix})())
        place = getattr(place, section)
    if last in vars(type(place)):
        raise AttributeError(f"theano.config has the flag {name} already")
    configparam.fullname, configparam.doc, configparam.in_c_key = name, doc, in_c_key
    setattr(type(place), last, configparam)
    _config_var_list.append(configparam)
    try:
        text = fetch_val_for_key(name)
    except KeyError:
        return
    configparam.write(text)


class change_flags:
    """A context manager and a decorator that changes flags.

    Parameters
    ----------
    args
        Pairs or a dict of names and values.
    **kwargs
        More of them.

    Raises
    ------
    AssertionError
        If there is no flag of a name.
    """

    def __init__(
        self, args: Mapping[str, Any] | Iterable[tuple[str, Any]] = (), **kwargs: Any
    ) -> None:
        self.new_vals = {**dict(args), **kwargs}
        flags = {flag.fullname: flag for flag in _config_var_list}
        unknown = self.new_vals.keys() - flags.keys()
        if unknown:
            raise AssertionError(f"theano.config has no flag {min(unknown)}")
        self.confs = {name: flags[name] for name in self.new_vals}
        self._before: list[dict[str, Any]] = []

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def changed(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return changed

    def __enter__(self) -> None:
        self._before.append({name: flag.read() for name, flag in self.confs.items()})
        try:
            for name, flag in self.confs.items():
                flag.__set__(None, self.new_vals[name])
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *error: object) -> None:
        for name, value in self._before.pop().items():
            self.confs[name].write(value)


def get_config_hash() -> str:
    """Return a text that differs if flags differ that change compiled code."""
    from hashlib import sha256

    flags = [f"{flag.fullname} = {flag.read()}" for flag in _config_var_list if flag.in_c_key]
    return sha256("\n".join(sorted(flags)).encode()).hexdigest()


def ignored() -> dict[str, str]:
    """Return the flags that the user has set and that have no meaning here, with their values."""
    return {
        flag.fullname: str(flag.read())
        for flag in _config_var_list
        if not flag.is_default and flag.meaning is None
    }

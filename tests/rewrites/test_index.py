"""The index says of rules what their modules say."""

import textwrap
from importlib import import_module
from pathlib import Path

from symtheano.rewrites import index
from symtheano.rewrites.library import SUBJECTS
from symtheano.rewrites.rule import Rule

_HEAD = '''"""Which rules there are, and the kinds of nodes they are about.

A module with rules is imported when a graph has a node that one of them tracks. This file is
written by ``pytest --update-golden tests/rewrites/test_index.py``.
"""

INDEX = """\\
'''
_TAIL = '''"""
"""The rules of each module, in the order in which they are tried: name and phase, ``graph`` if a
rule is about graphs, ``unusual`` if it is not used by default; kinds of nodes; of operands."""
'''


def _rules() -> list[Rule]:
    found = []
    for subject in SUBJECTS:
        module = import_module(f"symtheano.rewrites.{subject}")
        rules = [item for item in vars(module).values() if isinstance(item, Rule)]
        found += [rule for rule in rules if rule.module == module.__name__]
    return found


def _line(rule: Rule) -> str:
    kind = ["graph"] if rule.takes_graph else [] if rule.default else ["unusual"]
    head = ", ".join([rule.name, rule.phase, *kind])
    line = f"{head}: {' '.join(rule.tracks)}; {' '.join(rule.operands)}".rstrip("; ")
    return textwrap.fill(line, 100, subsequent_indent="    ", break_on_hyphens=False)


def _text() -> str:
    lines, module = [], ""
    for rule in _rules():
        if rule.module != module:
            module = rule.module
            lines.append(f"[{module.rpartition('.')[2]}]")
        lines.append(_line(rule))
    return _HEAD + "\n".join(lines) + "\n" + _TAIL


def test_the_index_says_what_modules_say(update_golden: bool) -> None:
    text = _text()
    path = Path(index.__file__)
    if update_golden:
        path.write_text(text, encoding="utf-8")
    how = "if a rule changed: pytest --update-golden tests/rewrites/test_index.py"
    assert path.read_text(encoding="utf-8") == text, how


def test_names_of_kinds_are_the_same_in_every_process() -> None:
    for rule in _rules():
        assert not any(" " in name for name in (*rule.tracks, *rule.operands)), rule

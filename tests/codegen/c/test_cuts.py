"""Long lists of statements are cut where few values live."""

from itertools import pairwise

from symtheano.codegen.c import cuts
from symtheano.codegen.c.cuts import computes, pieces_of
from symtheano.loopir import Index
from symtheano.loopir.names import definitions, operands
from symtheano.loopir.nodes import Let, LetIndex
from symtheano.loopir.operands import Literal, Value

ONE = Literal(1.0, "float64")


def let(name, *arguments):
    values = [Value(word, "float64") for word in arguments]
    return Let(Value(name, "float64"), "add", (*values, ONE, ONE)[:2])


def bundles(count, width):
    """Return statements of which one value after each ``width`` statements is used later."""
    made, before = [], []
    for k in range(count):
        parts = [f"a{k}_{j}" for j in range(width)]
        made += [let(parts[0], *before), *(let(b, a) for a, b in pairwise(parts))]
        made += [let(f"b{k}_1", *parts[:2])]
        made += [let(f"b{k}_{j}", f"b{k}_{j - 1}", parts[j]) for j in range(2, width)]
        before = [f"b{k}_{width - 1}"]
    return made


def crossing(pieces):
    """Return how many values pieces need of earlier ones."""
    seen, total = set(), 0
    for piece in pieces:
        needed = {v.name for s in piece for v in operands(s) if isinstance(v, Value)}
        total += len(needed & seen)
        seen |= {v.name for s in piece for v in definitions(s)}
    return total


def test_arithmetic_is_cut_where_few_values_live(monkeypatch):
    monkeypatch.setattr(cuts, "PIECE", 30)
    made = bundles(12, 13)
    found = pieces_of(made)
    assert [s for piece in found for s in piece] == made
    assert all(20 <= len(piece) <= 40 for piece in found[:-1])
    assert crossing(found) == len(found) - 1
    assert crossing([made[k : k + 30] for k in range(0, len(made), 30)]) > 3 * len(found)


def test_other_statements_are_cut_at_equal_distances(monkeypatch):
    monkeypatch.setattr(cuts, "PIECE", 4)
    numbers = [LetIndex(Value(f"n{k}", "int64"), Index.of(k)) for k in range(10)]
    assert not computes(numbers)
    assert [len(piece) for piece in pieces_of(numbers)] == [4, 4, 2]
    assert pieces_of([]) == []


def test_pieces_may_be_as_small_as_one_statement(monkeypatch):
    monkeypatch.setattr(cuts, "PIECE", 1)
    assert [len(piece) for piece in pieces_of(bundles(1, 3))] == [1] * 5

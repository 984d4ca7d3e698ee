"""Lists in graphs, which Python computes."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
import pytest
import scipy.sparse


def test_functions_of_lists(theano: Any) -> None:
    lists, T = theano.typed_list, theano.tensor
    items = lists.TypedListType(T.dvector)()
    v, k = T.dvector(), T.lscalar()
    results = {
        "append": items.append(v), "extend": items.extend(items), "insert": items.insert(k, v),
        "reverse": items.reverse(), "remove": lists.remove(items, v), "part": items[1:],
        "item": items[k] * 2, "length": lists.length(items), "count": items.count(v),
        "index": items.ind(v), "made": lists.make_list([v, 2 * v]),
    }  # fmt: skip
    f = theano.function([items, v, k], list(results.values()))
    given = [np.ones(2), np.arange(3.0), np.ones(2)]
    found = dict(zip(results, f(given, [1.0, 1.0], 1), strict=True))
    lengths = {name: len(found[name]) for name in ("append", "extend", "insert", "remove", "part")}
    assert lengths == {"append": 4, "extend": 6, "insert": 4, "remove": 2, "part": 2}
    assert [found[name] for name in ("length", "count", "index")] == [3, 2, 0]
    np.testing.assert_array_equal(found["item"], [0.0, 2.0, 4.0])
    np.testing.assert_array_equal(found["insert"][1], [1.0, 1.0])
    np.testing.assert_array_equal(found["reverse"][1], np.arange(3.0))
    np.testing.assert_array_equal(found["made"], [[1.0, 1.0], [2.0, 2.0]])
    assert len(given) == 3
    with pytest.raises(ValueError, match="no item"):
        f(given, [5.0], 1)


def test_types_are_checked(theano: Any) -> None:
    lists, T = theano.typed_list, theano.tensor
    kind = lists.TypedListType(T.dvector)
    assert kind == lists.TypedListType(T.dvector) != lists.TypedListType(T.dvector, 1)
    assert lists.TypedListType(T.dvector, 1).get_depth() == 1
    assert lists.TypedListType(T.dvector, 1).filter([[[1.0, 2.0]]])[0][0].tolist() == [1.0, 2.0]
    with pytest.raises(TypeError, match="expected a list"):
        kind.filter(np.ones(2))
    with pytest.raises(TypeError, match="has no item"):
        kind().append(T.dmatrix())
    with pytest.raises(TypeError, match="an integer"):
        kind()[T.dscalar()]
    with pytest.raises(TypeError, match="length"):
        len(kind())
    with pytest.raises(TypeError, match="different types"):
        lists.make_list([T.dvector(), T.dmatrix()])


def test_slices_are_variables(theano: Any) -> None:
    other = import_module("theano.tensor.type_other")
    numbers, start = (
        theano.typed_list.TypedListType(theano.tensor.dscalar)(),
        theano.tensor.lscalar(),
    )
    part = theano.typed_list.basic.GetItem()(numbers, other.make_slice(start, None))
    f = theano.function([numbers, start], part)
    assert [float(each) for each in f([1.0, 2.0, 3.0], 1)] == [2.0, 3.0]


def test_sparse_items(theano: Any) -> None:
    lists, sparse = theano.typed_list, import_module("theano.sparse")
    kind = sparse.SparseType("csr", "float64")
    items, item = lists.TypedListType(kind)("items"), kind("item")
    f = theano.function([items, item], [lists.count(items, item), lists.basic.Index()(items, item)])
    one, two = scipy.sparse.csr_matrix(np.eye(2)), scipy.sparse.csr_matrix(2 * np.eye(2))
    assert [int(number) for number in f([one, two, two], two)] == [2, 1]

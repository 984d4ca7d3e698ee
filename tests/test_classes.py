"""Chains of classes that derive from each other are short."""

from __future__ import annotations

from tests.support.modules import all_modules

DEEPEST = 3
# What is configured by keywords shares their errors and the descriptions of its arguments: these
# classes have no state. Layers of images share what their format needs. The host's part of a
# program for a device is C, with a few statements more. Variables of pickles have the layout of
# those that they become. Numbers of Theano's programs are arrays without axes.
DEEPER = {
    "symtheano.nn.": 5, "symtheano.nn.layers.": 6, "symtheano.codegen.cuda.host.": 4,
    "symtheano.compat.pickles.": 4, "symtheano.compat.ccode.": 4,
}  # fmt: skip


def depth(cls: type) -> int:
    """Return the number of classes of the package in the longest chain that ends in ``cls``."""
    own = cls.__module__.partition(".")[0] == "symtheano"
    return own + max(map(depth, cls.__bases__), default=0)


def test_no_chain_is_longer() -> None:
    """A class of the package has at most two others above it, in some packages more."""
    found: dict[str, int] = {}
    for module in all_modules():
        for item in vars(module).values():
            if isinstance(item, type):
                found[f"{item.__module__}.{item.__qualname__}"] = depth(item)
    assert found["symtheano.tensor.linalg.cholesky.Cholesky"] == DEEPEST
    limits = {name: max((n for start, n in DEEPER.items() if name.startswith(start)),
                        default=DEEPEST) for name in found}  # fmt: skip
    assert {name: n for name, n in found.items() if n > limits[name]} == {}

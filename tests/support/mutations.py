"""Changed texts of graphs: what somebody could write who wants to break the reader."""

from __future__ import annotations

import copy
import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import numpy as np

Form = dict[str, Any]

HOSTILE: list[Any] = [
    None, True, -1, -2, 0, 1, 2, 5, 2**31, 2**62, 2**63, -(2**63), 2**70, 1.5, {"float": "nan"},
    "a", "", "int8", "float64", "object", "\0", "{0.__class__}", [], [0], [-1], [0, 0], [1, 0],
    [5], [[0]], [None], {"slice": [0, None, 1]}, {"bytes": "AAE="}, {"dtype": "<f4"}, {}, "i0",
    {"scalar_op": "exp"}, {"scalar_op": "add"}, {"complex": [0, 1]}, "n0", "c0",
]  # fmt: skip
"""Values that are of the wrong kind in most places."""
DTYPES = ["bool", "int8", "int32", "int64", "uint64", "float16", "float64", "complex128"]
NUMBERS = [0, 1, 2, 3, -1, -2, 7, 100, 2**31, -(2**63), 2**63 - 1]


def paths(tree: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the paths to all parts of nested lists and objects, but not to the whole."""
    items: Any = ()
    if isinstance(tree, list):
        items = enumerate(tree)
    elif isinstance(tree, dict):
        items = tree.items()
    for key, part in items:
        yield (*path, key)
        yield from paths(part, (*path, key))


def put(tree: Any, path: Sequence[Any], value: Any) -> None:
    """Replace a part."""
    for key in path[:-1]:
        tree = tree[key]
    tree[path[-1]] = value


class Mutations:
    """Changes of one form, chosen at random.

    Parameters
    ----------
    form
        A parsed text, which is changed.
    random
        Makes the choices.
    others
        Parsed texts from which parts are taken.
    """

    def __init__(self, form: Form, random: Random, others: Sequence[Form]) -> None:
        self.form, self.random, self.others = form, random, others

    def run(self) -> None:
        """Change one to three things; a change that is impossible is left out."""
        names = sorted(name for name in vars(Mutations) if name.startswith("change_"))
        for name in self.random.choices(names, k=self.random.choice([1, 1, 1, 2, 3])):
            before = copy.deepcopy(self.form)
            try:
                getattr(self, name)()
            except (IndexError, KeyError, TypeError, AttributeError, ValueError):
                self.form.clear()
                self.form.update(before)

    # -- parts ------------------------------------------------------------------------------

    def node(self) -> Form:
        """Return a node."""
        found: Form = self.random.choice(self.form["nodes"])
        return found

    def references(self) -> list[str]:
        """Return references to everything that can be an operand."""
        found = [
            f"{name[0]}{number}"
            for name in ("inputs", "free", "constants")
            for number in range(len(self.form.get(name, ())))
        ]
        for number, node in enumerate(self.form.get("nodes", ())):
            found += [f"n{number}.{index}" for index in range(len(node["types"]))]
        return found

    def type_of(self, reference: str) -> Form:
        """Return the type of an operand."""
        number, _, index = reference[1:].partition(".")
        if reference[0] == "n":
            label = self.form["nodes"][int(number)]["types"][int(index or 0)]
        else:
            names = {"i": "inputs", "f": "free", "c": "constants"}
            label = self.form[names[reference[0]]][int(number)]["type"]
        return copy.deepcopy(self.form["types"][label])

    def label(self, row: Form) -> str:
        """Return the label of a type, which is added if it is new."""
        for label, known in self.form["types"].items():
            if known == row:
                return str(label)
        label = f"T{len(self.form['types'])}"
        self.form["types"][label] = row
        return label

    def array(self, dtype: str, shape: Sequence[int]) -> Form:
        """Return the data of an array of hostile numbers."""
        count = int(np.prod(shape))
        numbers = np.array([self.random.choice(NUMBERS) for _ in range(count)], "object")
        with np.errstate(all="ignore"):
            kept = numbers if dtype in ("int64", "bool") else [int(item) % 128 for item in numbers]
            content = np.array(kept).astype(dtype).tobytes()
        return {"dtype": dtype, "shape": list(shape), "bytes": b64encode(content).decode()}

    def constant(self, row: Form) -> str:
        """Add a constant of a type, and return its reference."""
        shape = [self.random.randrange(4) if d is None else d for d in row["fields"]["shape"]]
        row["fields"]["shape"] = shape
        self.form.setdefault("constants", []).append({
            "type": self.label(row), "class": "TensorConstant",
            "module": "symtheano.tensor.variable",
            "data": self.array(row["fields"]["dtype"], shape),
        })  # fmt: skip
        return f"c{len(self.form['constants']) - 1}"

    def replace(self, make: Callable[[str], str]) -> None:
        """Replace an operand by another one."""
        inputs = self.node()["inputs"]
        position = self.random.randrange(len(inputs))
        inputs[position] = make(inputs[position])

    def new_input(self, row: Form) -> str:
        """Add an input of a type, and return its reference."""
        self.form.setdefault("inputs", []).append({"type": self.label(row)})
        return f"i{len(self.form['inputs']) - 1}"

    def changed(self, row: Form) -> Form:
        """Return another type."""
        fields = row["fields"]
        shape = fields["shape"]
        kind = self.random.randrange(4)
        if kind == 0:
            fields["dtype"] = self.random.choice(DTYPES)
        elif kind == 1:
            lengths = [None, 0, 1, 2, 3, 4000, 2**40, 2**63 - 1]
            shape[self.random.randrange(len(shape))] = self.random.choice(lengths)
        elif kind == 2:
            fields["shape"] = [
                self.random.choice([None, 1, 2]) for _ in range(self.random.randrange(4))
            ]
        else:
            fields["shape"] = [None] * len(shape)
        return row

    # -- operands ---------------------------------------------------------------------------

    def change_order_of_operands(self) -> None:
        """Exchange operands."""
        self.random.shuffle(self.node()["inputs"])

    def change_number_of_operands(self) -> None:
        """Drop or repeat an operand."""
        inputs = self.node()["inputs"]
        position = self.random.randrange(len(inputs))
        if self.random.random() < 0.5:
            inputs.pop(position)
        else:
            inputs.insert(position, self.random.choice(inputs))

    def change_operand(self) -> None:
        """Take any other operand, also one that does not exist or comes later."""
        others = [*self.references(), "n99", "n0.9", "n0.-1", "c0.0", ""]
        self.replace(lambda old: self.random.choice(others))

    def change_operand_to_constant(self) -> None:
        """Take a constant of the same type."""
        self.replace(lambda old: self.constant(self.type_of(old)))

    def change_operand_to_input(self) -> None:
        """Take an input of the same type."""
        self.replace(lambda old: self.new_input(self.type_of(old)))

    def change_operand_to_another_type(self) -> None:
        """Take an input of another type."""
        self.replace(lambda old: self.new_input(self.changed(self.type_of(old))))

    # -- types, constants, shared variables ---------------------------------------------------

    def change_input(self) -> None:
        """Change the type of an input."""
        row = self.random.choice(self.form["inputs"])
        row["type"] = self.label(self.changed(copy.deepcopy(self.form["types"][row["type"]])))
        self.change_types_to_wide_ones()

    def change_type(self) -> None:
        """Change the type of a result."""
        node = self.node()
        position = self.random.randrange(len(node["types"]))
        row = copy.deepcopy(self.form["types"][node["types"][position]])
        node["types"][position] = self.label(self.changed(row))

    def change_types_to_wide_ones(self) -> None:
        """Leave all lengths of results open."""
        for node in self.form["nodes"]:
            for position, label in enumerate(node["types"]):
                row = copy.deepcopy(self.form["types"][label])
                if "shape" in row["fields"]:
                    row["fields"]["shape"] = [None] * len(row["fields"]["shape"])
                    node["types"][position] = self.label(row)

    def change_constant(self) -> None:
        """Change the elements of a constant, or what describes them."""
        row = self.random.choice(self.form["constants"])
        fields = self.form["types"][row["type"]]["fields"]
        if self.random.random() < 0.6:
            row["data"] = self.array(fields["dtype"], [d or 0 for d in fields["shape"]])
        else:
            key = self.random.choice([*row["data"], "value"])
            row["data"][key] = self.random.choice([*HOSTILE, *DTYPES])

    def change_to_shared(self) -> None:
        """Make an input a shared variable."""
        row = self.random.choice(self.form["inputs"])
        fields = self.form["types"][row["type"]]["fields"]
        dtype = self.random.choice([fields["dtype"], "int8"])
        value = self.array(dtype, [2] * len(fields["shape"]))
        name = self.random.choice(["TensorSharedVariable", "TensorConstant", "TensorVariable"])
        kind = {"class": name, "module": "symtheano.tensor.variable"}
        row["shared"] = self.random.choice(
            [True, 1, {}, kind, {**kind, "value": value}, {**kind, "shares": "i0"}]
        )

    # -- nodes and ops ------------------------------------------------------------------------

    def change_nodes(self) -> None:
        """Reorder, repeat or delete nodes."""
        nodes = self.form["nodes"]
        position = self.random.randrange(len(nodes))
        kind = self.random.randrange(3)
        if kind == 0:
            nodes.insert(self.random.randrange(len(nodes)), nodes.pop(position))
        elif kind == 1:
            nodes.insert(position, copy.deepcopy(nodes[position]))
        else:
            nodes.pop(position)

    def change_op(self) -> None:
        """Take an op of another text."""
        label = self.random.choice(list(self.form["ops"]))
        self.form["ops"][label] = self.random.choice(
            list(self.random.choice(self.others)["ops"].values())
        )

    def change_fields(self) -> None:
        """Change a field of an op."""
        props = self.random.choice(list(self.form["ops"].values()))["props"]
        put(props, self.random.choice(list(paths(props))), self.random.choice(HOSTILE))

    def change_by_another_text(self) -> None:
        """Append the nodes of another text, applied to operands of this one."""
        other = copy.deepcopy(self.random.choice(self.others))
        mine, start = self.references(), len(self.form["nodes"])
        for label, row in other["ops"].items():
            self.form["ops"][f"other {label}"] = row
        for node in other["nodes"]:
            node["op"] = f"other {node['op']}"
            node["types"] = [self.label(other["types"][label]) for label in node["types"]]
            for position, reference in enumerate(node["inputs"]):
                if reference[0] == "n":
                    number, dot, index = reference[1:].partition(".")
                    node["inputs"][position] = f"n{int(number) + start}{dot}{index}"
                else:
                    node["inputs"][position] = self.random.choice(mine)
            self.form["nodes"].append(node)
        self.form["outputs"] = [f"n{len(self.form['nodes']) - 1}"]
        self.change_types_to_wide_ones()

    # -- anything -----------------------------------------------------------------------------

    def change_outputs(self) -> None:
        """Take other outputs."""
        self.form["outputs"] = self.random.choice(
            [[], self.references(), "n0", [0], None, [self.form["outputs"]]]
        )

    def change_keys(self) -> None:
        """Delete a key."""
        path = self.random.choice([path for path in paths(self.form) if isinstance(path[-1], str)])
        tree: Any = self.form
        for key in path[:-1]:
            tree = tree[key]
        del tree[path[-1]]

    def change_anything(self) -> None:
        """Replace any part."""
        put(self.form, self.random.choice(list(paths(self.form))), self.random.choice(HOSTILE))


def mutant(number: int, forms: Sequence[Form]) -> tuple[str, Random]:
    """Return the text of a number, and the source of further choices."""
    random = Random(number)
    form = copy.deepcopy(forms[number % len(forms)])
    Mutations(form, random, forms).run()
    return json.dumps(form), random


def arguments(inputs: Sequence[Any], random: Random) -> list[Any] | None:
    """Return values of inputs, hostile ones among them, or None if they would be too large."""
    found = []
    for item in inputs:
        shape = [random.choice([0, 1, 2, 3, 3, 3]) if d is None else d for d in item.type.shape]
        if any(d > 100 for d in shape):
            return None
        count, dtype = int(np.prod(shape)), np.dtype(item.type.dtype)
        numbers = random.choice([[0, 1, 2], [0, 1, 2], [-1, 0, 1, 3, 5], NUMBERS])
        value = np.array([random.choice(numbers) for _ in range(count)], "int64")
        with np.errstate(all="ignore"):
            found.append(value.reshape(shape).astype(dtype))
    return found

"""The content of files: numbers that JSON lacks, limits, and memory that is not there."""

from __future__ import annotations

import math
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from symtheano.nn import content


@pytest.mark.parametrize(
    "data", [[math.inf, -math.inf, 1.5], {"float": 2.0}, {"float": []}, {"float": "mse"}, {"a": {}}]
)
def test_data_is_read_as_it_was_written(data: Any) -> None:
    assert content.loads(content.dumps(data)) == data
    assert math.isnan(content.loads(content.dumps({"x": math.nan}))["x"])


def described(**changes: Any) -> dict[str, Any]:
    """Return a description of a network without layers."""
    return {"version": 1, "network": {"layers": [], "nodes": [], **changes}}


def nested(depth: int) -> Any:
    """Return mappings in one another."""
    value: Any = {}
    for _ in range(depth):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"layers": [{"units": content.LARGEST_LENGTH + 1}]}, r"layers\[0\]: 16777217 is larger"),
        ({"nodes": [{}, {"shape": [-(10**12)]}]}, r"nodes\[1\]: 1000000000000 is larger"),
        (
            {"layers": [{}] * (content.MOST_LAYERS + 1)},
            "layers: 10001 items .* limit of 10000",
        ),
        (
            {"nodes": [{}] * (content.MOST_NODES + 1)},
            "nodes: 100001 items .* limit of 100000",
        ),
        ({"layers": {}}, "network.layers: it must be a list of mappings"),
        ({"x": "a" * (content.LONGEST_TEXT + 1)}, "a text of 65537 characters is too long: 'aaa"),
        ({"x": nested(content.DEEPEST)}, "more than 64 lists and mappings"),
    ],
)
def test_limits_hold_for_writing_and_reading(changes: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        content.to_bytes({}, described(**changes))
    with pytest.raises(ValueError, match=message):
        content.check_limits(described(**changes), 10)


def test_a_length_may_be_that_of_the_file() -> None:
    content.check_limits(described(layers=[{"units": 10**9}]), 10**9)
    content.check_limits(described(layers=[{"units": content.LARGEST_LENGTH}]), 0)
    arrays, back = {"x": np.arange(6.0).reshape(2, 3)}, described(layers=[{"units": 3}])
    read, found = content.parse(content.to_bytes(arrays, back))
    assert read == back
    assert np.array_equal(found["x"], arrays["x"])


SHORT = """
import resource, sys, threading
import numpy as np
from safetensors.numpy import load, save
from symtheano.nn import content
described = {"version": 1, "network": {"layers": [], "nodes": []}}
arrays = {"x": np.zeros(6 << 18, "float32"), "y": np.ones(6 << 18, "float32")}
data = content.to_bytes(arrays, described)
load(save(arrays))
np.empty(0)
kinds = set()
for more in range(0, 64, 2):
    pages = int(open("/proc/self/statm").read().split()[0])
    limit = pages * resource.getpagesize() + (more << 20)
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.RLIM_INFINITY))
    try:
        if sys.argv[1] == "read":
            content.parse(data)
        else:
            content.to_bytes(arrays, described)
        kinds.add("done")
    except MemoryError as error:
        kinds.add("MemoryError" if "cannot allocate memory for" in str(error) else str(error))
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print(sorted(kinds))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory as Linux has them")
@pytest.mark.parametrize("what", ["read", "write"])
def test_too_little_memory_is_a_memory_error(what: str) -> None:
    command = [sys.executable, "-c", SHORT, what]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == "['MemoryError', 'done']\n", done.stderr[-2000:]

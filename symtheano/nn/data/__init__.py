"""Batches for training from arrays and files that are larger than the memory.

What ``fit`` and ``evaluate`` take: iterables of batches that are read in the background.

Examples
--------
>>> x, y = np.zeros((1000, 3), "float32"), np.zeros(1000, "int32")
>>> batches = nn.data.Batches(x, y, batch_size=300, shuffle=True, seed=1)
>>> [len(labels) for samples, labels in batches]
[300, 300, 300, 100]
"""

from symtheano.nn.data.batches import Batches
from symtheano.nn.data.reader import Prefetch
from symtheano.nn.data.tar import TarBatches

__all__ = ["Batches", "Prefetch", "TarBatches"]

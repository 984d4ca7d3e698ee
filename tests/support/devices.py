"""The device on which tests run: the emulated one, or what the environment names."""

from __future__ import annotations

import os

DEVICE = os.environ.get("SYMTHEANO_TEST_DEVICE", "emulated")
"""``SYMTHEANO_TEST_DEVICE=cuda`` runs these tests on hardware."""

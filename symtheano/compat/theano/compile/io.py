"""Inputs and outputs of functions."""

from __future__ import annotations

from symtheano.function.request import In as In, Out as Out

SymbolicInput, SymbolicOutput = In, Out

"""Pooling: one op with its gradients, its shapes, and its definition in NumPy."""

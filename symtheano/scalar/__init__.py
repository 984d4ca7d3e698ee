"""Scalar ops: the table in which every elementwise operation is one row."""

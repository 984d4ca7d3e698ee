"""Theano's package of the same name: names only."""

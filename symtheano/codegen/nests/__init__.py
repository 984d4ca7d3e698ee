"""Nests as the plainest loops that compute them."""

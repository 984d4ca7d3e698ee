"""Random numbers: NumPy's stream, MRG31k3p and Philox, and the distributions drawn from them."""

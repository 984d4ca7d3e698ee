"""How models are trained: data, the compiled step, the loop over epochs, and who watches it."""

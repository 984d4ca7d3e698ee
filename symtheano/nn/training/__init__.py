"""Training of models: data, the compiled step, the loop over epochs, and callbacks."""

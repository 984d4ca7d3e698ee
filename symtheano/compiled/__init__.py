"""The result of ``function()``: compiled functions, and the values that they keep."""

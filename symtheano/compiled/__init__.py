"""What ``function()`` returns: how it is made, what calls it, the values it keeps."""

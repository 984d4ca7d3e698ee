"""Arrays that are read in parts: in memory, in files, in stores of other packages."""

from symtheano.sources.arrays import Part, Source, as_source

__all__ = ["Part", "Source", "as_source"]

"""``theano.version``: the version whose programs run."""

full_version = version = short_version = "1.0.5"
FULL_VERSION = full_version
__all__ = ["full_version", "short_version", "version"]

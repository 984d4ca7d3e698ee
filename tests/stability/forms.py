"""All delicate forms: the modules that are imported here add them."""

from tests.stability import elementwise, probabilities, quotients, rows, scaled
from tests.stability.form import FORMS, Form

__all__ = ["FORMS", "Form", "elementwise", "probabilities", "quotients", "rows", "scaled"]

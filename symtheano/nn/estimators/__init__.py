"""Networks as scikit-learn estimators. scikit-learn must be installed."""

from symtheano.nn.estimators.base import Estimator
from symtheano.nn.estimators.classifier import Classifier
from symtheano.nn.estimators.regressor import Regressor

__all__ = ["Classifier", "Estimator", "Regressor"]

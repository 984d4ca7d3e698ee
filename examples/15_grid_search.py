# Lesson 15: networks in scikit-learn.
#
# nn.Classifier is a scikit-learn estimator. A pipeline scales its samples, and a grid search
# chooses its hidden layers and its learning rate by cross-validation. The data are the handwritten
# digits of scikit-learn, 1,797 images of 8 x 8 pixels.

import time

import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import GridSearchCV, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler

from symtheano import nn

x, y = load_digits(return_X_y=True)
train_x, test_x, train_y, test_y = train_test_split(
    x.astype("float32"), y, test_size=0.25, stratify=y, random_state=0
)

network = nn.Classifier(epochs=20, random_state=0)
grid = {"classifier__hidden": [(4,), (128,)], "classifier__learning_rate": [0.0001, 0.005]}
start = time.perf_counter()
search = GridSearchCV(make_pipeline(MinMaxScaler(), network), grid, cv=3)
search.fit(train_x, train_y)
seconds = time.perf_counter() - start

print("hidden     rate     accuracy of the three folds")
found = search.cv_results_
for k, setting in enumerate(found["params"]):
    hidden, rate = setting["classifier__hidden"], setting["classifier__learning_rate"]
    folds = [found[f"split{fold}_test_score"][k] for fold in range(3)]
    print(f"{hidden!s:<10} {rate:<8} {' '.join(f'{score:.3f}' for score in folds)}")
accuracy = search.score(test_x, test_y)
print(f"13 networks in {seconds:.1f} s; the best one is right for {accuracy:.1%} of new digits")
assert search.best_params_ == {"classifier__hidden": (128,), "classifier__learning_rate": 0.005}
assert accuracy > 0.96, accuracy

# The first ten mistakes: pairs of a digit and the digit that was predicted instead.

mistakes = search.predict(test_x) != test_y
pairs = list(zip(test_y[mistakes], search.predict(test_x)[mistakes]))
print("mistakes:", ", ".join(f"{a} predicted as {b}" for a, b in pairs[:10]))
assert np.isclose(np.mean(mistakes), 1 - accuracy)

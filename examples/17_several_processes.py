# Lesson 17: several processes.
#
# Run with
#
#     mpiexec -n 2 python examples/17_several_processes.py
#
# or without mpiexec, as one process. All processes have the same samples of handwritten digits. In
# each step, each of them computes the gradients of its part of the batch, and all add them up. The
# accuracy is therefore the same for any number of processes, except for rounding. Rank 0 prints and
# writes digits.safetensors, from which training goes on with another number of processes.

from sklearn.datasets import load_digits

from symtheano import distributed, nn

world = distributed.world()

images, labels = load_digits(return_X_y=True)
images = (images / 16).astype("float32").reshape(-1, 1, 8, 8)

model = nn.Model(seed=0, name="digits")
model.add(nn.Input((1, 8, 8)))
model.add(nn.Conv2D(16, 3, activation="relu"))
model.add(nn.BatchNorm())
model.add(nn.Flatten())
model.add(nn.Dense(10, "softmax"))
model.compile("categorical_crossentropy", nn.Adam(0.003, global_clipnorm=1.0), ["accuracy"])

# The statistics of batch normalization are those of the whole batch, too.
plan = distributed.DataParallel(synchronize_batch_norm=True)
model.fit(
    images,
    labels,
    batch_size=64,
    epochs=15,
    validation_split=0.2,
    verbose=2,
    callbacks=nn.Checkpoint("digits.safetensors"),
    distribute=plan,
)
accuracy = model.evaluate(images[-359:], labels[-359:])["accuracy"]
if world.rank == 0:
    print(f"{world.size} process(es): {accuracy:.1%} of the held-out digits are right")

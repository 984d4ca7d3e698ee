"""Profiles: counts that add up, and tables that fit the screen."""

from __future__ import annotations

import copy
import json
import pickle
import threading

from symtheano.function.profile import PARTS, Profile, ProfiledStep, all_profiles, report


def example(name: str = "train", seconds: float = 0.5) -> Profile:
    """Return a profile of two calls."""
    times = {part: 0.1 * number for number, part in enumerate(PARTS, 1)} | {"total": 2.0}
    profile = Profile(name, "model.py:12", times)
    profile.record(seconds / 4)
    profile.record(3 * seconds / 4)
    return profile


def cells(text: str, start: str) -> list[str]:
    """Return the cells of the first line that starts so."""
    return next(line for line in text.splitlines() if line.startswith(start)).split()


def test_counts() -> None:
    profile = example()
    assert (profile.calls, profile.seconds) == (2, 0.5)


def test_counts_from_several_threads_add_up() -> None:
    profile = Profile("f")
    threads = [
        threading.Thread(target=lambda: [profile.record(1.0) for _ in range(2000)])
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (profile.calls, profile.seconds) == (8000, 8000.0)


def test_steps_of_code_for_different_arguments_add_up() -> None:
    profile = Profile("f")
    profile.record_steps([("sum", "f.py:1"), ("copy", None)], [0.5, 0.25], [2, 1])
    profile.record_steps(
        [("copy", None), ("sum", "f.py:2"), ("sum", "f.py:1")], [1, 2, 3], [4, 5, 6]
    )
    assert [(step.label, step.place, step.calls, step.seconds) for step in profile.steps] == [
        ("sum", "f.py:1", 8, 3.5), ("copy", None, 5, 1.25), ("sum", "f.py:2", 5, 2),
    ]  # fmt: skip


def test_steps_that_have_not_run_are_not_recorded() -> None:
    profile = Profile("f")
    profile.record_steps([("aligned", None), ("any", None)], [0.5, 0], [1, 0])
    assert [step.label for step in profile.steps] == ["aligned"]
    profile.record_steps([("aligned", None), ("any", None)], [0, 0.5], [0, 1])
    assert [(step.label, step.calls) for step in profile.steps] == [("aligned", 1), ("any", 1)]


def test_summary() -> None:
    text = example().summary()
    assert cells(text, "train ") == ["train", "model.py:12", "2", "0.500", "250000.0", "100%"]
    compiling = text.split("\n\n")[1]
    assert cells(compiling, "seconds of compiling")[3:] == ["total", *PARTS]
    assert cells(compiling, "train ")[1:] == ["2.000", "0.100", "0.200", "0.300", "0.400", "0.500"]


def test_nothing_known_yet() -> None:
    text = Profile("f").summary()
    assert cells(text, "f ") == ["f", "-", "0", "0.000", "-", "-"]
    assert cells(text.split("\n\n")[1], "f ")[1:] == ["-"] * (1 + len(PARTS))


def test_report_begins_with_the_slowest() -> None:
    quick, slow = example("quick", 1.0), example("slow", 3.0)
    calls = report([quick, slow]).split("\n\n")[0].splitlines()[1:]
    assert [(line.split()[0], line.split()[-1]) for line in calls] == [
        ("slow", "75%"), ("quick", "25%"),
    ]  # fmt: skip
    assert report([]) == "no function was compiled"


def test_steps_of_the_slowest() -> None:
    profile, other = example(seconds=2.0), example("other", 1.0)
    other.steps.append(ProfiledStep("hidden", None, 1, 1.0))
    profile.steps = [ProfiledStep(f"loop {k}", f"model.py:{k}", 2, float(k)) for k in range(30)]
    table = report([other, profile]).split("\n\n")[2].splitlines()
    assert table[0].startswith("steps of train ")
    assert table[1].split() == ["loop", "29", "model.py:29", "2", "29.000", "7%"]
    assert len(table) == 1 + 20 + 1
    assert table[-1].split() == ["10", "more", "45.000", "10%"]
    assert "hidden" not in report([other, profile])


def test_tables_fit_the_screen() -> None:
    profile = Profile("a_function_of_a_very_long_name", "a_module_of_a_long_name.py:123456")
    profile.record(123456.789)
    profile.times["compile"] = 1e6
    place = "a_module_of_a_long_name.py:1"
    profile.steps = [ProfiledStep("Elemwise{mul,no_inplace}" * 3, place, 10**12, 1e9)]
    lines = profile.summary().splitlines()
    assert max(map(len, lines)) <= 80
    assert all(line == line.rstrip() for line in lines)
    assert "a_function_of_a_very_…" in lines[1]


def test_registry() -> None:
    before = len(all_profiles())
    made = [Profile("one"), Profile("two")]
    assert all_profiles()[before:] == made
    all_profiles().clear()
    assert len(all_profiles()) == before + 2


def test_profiles_are_data() -> None:
    profile = example()
    profile.steps = [ProfiledStep("sum", None, 1, 0.25)]
    assert json.loads(json.dumps(profile.as_dict())) == {
        "name": "train",
        "origin": "model.py:12",
        "times": profile.times,
        "calls": 2,
        "seconds": 0.5,
        "steps": [{"label": "sum", "place": None, "calls": 1, "seconds": 0.25}],
    }
    assert pickle.loads(pickle.dumps(profile)) == copy.deepcopy(profile) == profile

"""How many threads a question takes."""

from __future__ import annotations

import pytest

from engram_pg.embedders import threads


class Torch:
    """Counts threads as PyTorch does."""

    def __init__(self, count: int) -> None:
        self.count = count

    def get_num_threads(self) -> int:
        return self.count

    def set_num_threads(self, count: int) -> None:
        self.count = count


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        ({1: 0.004, 8: 0.02}, 1),  # they wait for each other
        ({1: 0.010, 8: 0.009}, 1),  # not worth it
        ({1: 0.012, 8: 0.003}, 8),
    ],
)
def test_all_threads_are_only_taken_where_they_are_clearly_faster(
    monkeypatch: pytest.MonkeyPatch, seconds: dict[int, float], expected: int
) -> None:
    torch, passed = Torch(8), [0.0]
    monkeypatch.setattr(threads.time, "perf_counter", lambda: passed[0])

    def once() -> None:
        passed[0] += seconds[torch.count]

    assert threads.quickest(torch, once) == expected
    assert torch.count == 8


def test_the_number_of_threads_is_put_back_after_an_error() -> None:
    torch = Torch(8)

    def fail() -> None:
        with threads.limited(torch, 1):
            raise ZeroDivisionError(torch.count)

    with pytest.raises(ZeroDivisionError, match=r"^1$"):
        fail()
    assert torch.count == 8


def test_a_machine_with_one_processor_has_no_choice() -> None:
    assert threads.quickest(Torch(1), lambda: None) == 1

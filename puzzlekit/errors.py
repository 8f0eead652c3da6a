"""What puzzlekit raises."""

__all__ = ["Cancelled", "PuzzleError"]


class PuzzleError(ValueError):
    """The input is not a problem that can be answered exactly. The message names the value and says what is allowed."""


class Cancelled(RuntimeError):
    """A ``progress`` callback stopped a search whose answer would have been a number or one solution.

    A verb that returns `Solutions` returns those found so far instead, with ``complete`` false.
    """

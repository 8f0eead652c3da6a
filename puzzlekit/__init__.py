"""puzzlekit: all solutions of combinatorial puzzles, exact and fast.

Each family of puzzles is a module with the same verbs: `enumerate`, `count`, `iterate`, `solve`, `verify`.

>>> import puzzlekit as pk
>>> pk.cross.count(range(1, 17))
33608
"""

from importlib.metadata import version as _version

from puzzlekit import countdown, cross, queens, tiling
from puzzlekit._call import Stats, build_info
from puzzlekit._solutions import Solutions
from puzzlekit.errors import Cancelled, PuzzleError

__all__ = ["Cancelled", "PuzzleError", "Solutions", "Stats", "build_info", "countdown", "cross", "queens", "tiling"]

__version__ = _version("puzzlekit-c")

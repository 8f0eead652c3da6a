"""Benchmarks of the installed package; see README.md.

`python -m bench` puts this repository in front of everything that is installed. It is taken off the path here, so that
`import puzzlekit` cannot mean the folder beside this one.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

sys.path[:] = [folder for folder in sys.path if Path(folder or ".").resolve() != ROOT]
